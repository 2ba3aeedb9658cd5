/**
 * Asks saber every question as a host does, and judges the answers.
 */
import { fileURLToPath } from "node:url";
import { Saber } from "../../src/client/client.ts";
import type { RunEvent } from "../../src/client/types.ts";
import { loadWarehouse } from "../../fixtures/eval/warehouse.ts";
import type { EvalQuestion } from "../../fixtures/eval/question.ts";
import { saberCommand } from "../support/program.ts";
import { repository } from "../support/sources.ts";
import { shop } from "../support/shop.ts";
import { rowsMatch, textHolds } from "./score.ts";

export interface EvalOptions {
  readonly questions: { readonly [about: string]: readonly EvalQuestion[] };
  /** For saber, besides the databases: the model and how it thinks. */
  readonly args: readonly string[];
  /** Besides the environment of this process. */
  readonly env: { readonly [name: string]: string };
  /** Told of each answer as it comes. */
  told?(outcome: Outcome): void;
}

export interface Outcome {
  readonly about: string;
  readonly question: string;
  readonly isRight: boolean;
  /** Why there is no answer at all. */
  readonly error: string | undefined;
  readonly requests: number;
  readonly toolCalls: number;
  /** Undefined where the provider did not tell. */
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly seconds: number;
}

type End = Extract<RunEvent, { type: "agent_end" }>;

export async function evaluate({ questions, args, env, told = () => {} }: EvalOptions): Promise<Outcome[]> {
  const folder = await Deno.makeTempDir();
  const shopPath = await shop("sqlite");
  const warehouse = `${folder}/warehouse.sqlite`;
  loadWarehouse(warehouse, { shopPath });
  const [program = "", ...words] = saberCommand();
  const start = (databases: readonly string[]) =>
    Saber.start({
      command: [program, ...words],
      args: [...databases.flatMap((path) => ["-d", path]), "--no-thread", ...args],
      cwd: fileURLToPath(repository),
      env: { ...Deno.env.toObject(), ...env },
    });
  const outcomes: Outcome[] = [];
  try {
    await using one = await start([shopPath]);
    await using both = await start([shopPath, warehouse]);
    for (const [about, list] of Object.entries(questions)) {
      for (const question of list) {
        const saber = question.steps.some(({ database }) => database) ? both : one;
        const outcome = await ask(saber, { about, question });
        outcomes.push(outcome);
        told(outcome);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return outcomes;
}

/** Each question in a conversation of its own. */
async function ask(
  saber: Saber,
  { about, question }: { readonly about: string; readonly question: EvalQuestion },
): Promise<Outcome> {
  await saber.request("new_session", {});
  const before = performance.now();
  let end: End | undefined;
  let requests = 0;
  let toolCalls = 0;
  for await (const event of await saber.prompt(question.question)) {
    if (event.type === "message_end") requests++;
    if (event.type === "tool_execution_end") toolCalls++;
    if (event.type === "agent_end") end = event;
  }
  const usage = end?.status === "completed" ? end.usage : null;
  return {
    about,
    question: question.question,
    isRight: end?.status === "completed" && await isRight(saber, { end, question }),
    error: end?.status === "error" ? end.error : undefined,
    requests,
    toolCalls,
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
    seconds: (performance.now() - before) / 1000,
  };
}

/** The rows of the last statement; where two databases know half each, what the text says. */
async function isRight(
  saber: Saber,
  { end, question }: {
    readonly end: Extract<End, { status: "completed" }>;
    readonly question: EvalQuestion;
  },
): Promise<boolean> {
  const last = end.queryResults.at(-1);
  if (last && last.rowCount === question.rows.length) {
    const { rows } = await saber.request("get_query_result", { resultId: last.id });
    if (rowsMatch(rows.map((row) => Object.values(row)), question.rows)) return true;
  }
  return question.steps.length > 1 && textHolds(end.text, question.rows);
}
