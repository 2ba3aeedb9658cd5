/**
 * A model that knows the questions: a real HTTP server that answers Chat Completions requests with what a good model does. It lists
 * the tables, runs the statements that find the answer, and says it. With it the evaluation tests the prompt and the loop.
 */
import * as z from "zod/mini";
import type { EvalQuestion } from "../../fixtures/eval/question.ts";
import { toolCallStream } from "../support/tool_call_stream.ts";

const Body = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.nullable(z.string()) })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })),
});

export type AskedBody = z.infer<typeof Body>;

export interface RecordedModel extends AsyncDisposable {
  readonly env: { readonly [name: string]: string };
  /** Every request, as far as it was read. */
  readonly asked: readonly AskedBody[];
}

export function startRecordedModel(
  questions: { readonly [about: string]: readonly EvalQuestion[] },
): RecordedModel {
  const known = new Map(Object.values(questions).flat().map((each) => [each.question, each]));
  const asked: AskedBody[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
    async (request) => {
      const body = Body.parse(await request.json());
      asked.push(body);
      const text = answerTo(body, known);
      return new Response(text, { headers: { "content-type": "text/event-stream" } });
    },
  );
  return {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.addr.port}/v1`, OPENAI_API_KEY: "none" },
    asked,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}

function answerTo({ messages }: AskedBody, known: ReadonlyMap<string, EvalQuestion>): string {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const question = known.get(messages[at]?.content ?? "");
  if (!question) return textStream("I do not know this question.");
  const turn = messages.slice(at).filter(({ role }) => role === "assistant").length;
  const step = question.steps[Math.max(0, turn - 1)];
  if (step === undefined) {
    return textStream(`The answer: ${question.rows.map((row) => row.join(", ")).join("; ")}.`);
  }
  const where = step.database === undefined ? {} : { db_name: step.database };
  return turn === 0
    ? toolCallStream("list_tables", where)
    : toolCallStream("execute_sql", { ...where, query: step.sql });
}

function textStream(text: string): string {
  const chunks = [
    { choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: "stop" }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}
