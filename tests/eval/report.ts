/**
 * What an evaluation has found, as a table in Markdown.
 */
import type { Outcome } from "./evaluate.ts";

export function report(outcomes: readonly Outcome[], model: string): string {
  const groups = Object.entries(Object.groupBy(outcomes, ({ about }) => about));
  const wrong = outcomes.filter(({ isRight }) => !isRight);
  return [
    `# ${model}`,
    "",
    "| about | questions | right | requests | tool calls | tokens in | tokens out | seconds |",
    "|---|---:|---:|---:|---:|---:|---:|---:|",
    ...groups.map(([about, list = []]) => rowOf(about, list)),
    rowOf("**all**", outcomes),
    "",
    ...(wrong.length === 0 ? [] : ["Wrong or unanswered:", ""]),
    ...wrong.map(({ question, error }) => `- ${question}${error === undefined ? "" : ` (${error})`}`),
    "",
  ].join("\n");
}

function rowOf(about: string, list: readonly Outcome[]): string {
  const right = list.filter(({ isRight }) => isRight).length;
  const sum = (value: (outcome: Outcome) => number | undefined): number | undefined =>
    list.reduce<number | undefined>((total, outcome) => {
      const added = value(outcome);
      return total === undefined || added === undefined ? undefined : total + added;
    }, 0);
  const cells = [
    list.length,
    `${right} (${Math.round(100 * right / Math.max(1, list.length))} %)`,
    sum(({ requests }) => requests),
    sum(({ toolCalls }) => toolCalls),
    sum(({ inputTokens }) => inputTokens) ?? "?",
    sum(({ outputTokens }) => outputTokens) ?? "?",
    sum(({ seconds }) => seconds)?.toFixed(1),
  ];
  return `| ${[about, ...cells].join(" | ")} |`;
}
