/**
 * Statements through every mode of the program: who sends them, and what came of each. It judges nothing.
 */
import * as z from "zod/mini";
import type { EngineName } from "../../src/db/driver.ts";
import { callOf, hello, request } from "./mcp.ts";
import { ask } from "./http_calls.ts";
import { startModelServer } from "./model_server.ts";
import { PATIENCE_MS } from "./patience.ts";
import { PluginHost } from "./plugin_host.ts";
import { Program, saberCommand } from "./program.ts";
import { toolCallsStream } from "./tool_call_stream.ts";

export interface Place {
  readonly engine: EngineName;
  /** What `-d` gets, and the name that the database has then. */
  readonly selector: string;
  readonly name: string;
  /** The form of the connection, for the plugin. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Attempt {
  readonly place: Place;
  readonly sql: string;
}

export interface Outcome extends Attempt {
  readonly failed: boolean;
  /** What the asker was told. */
  readonly text: string;
}

export interface Way {
  /** The words before the arguments of the program, by which its system calls are watched. */
  wrap(command: readonly string[]): readonly string[];
  /** Told of a server that the program has to reach besides the databases: its port. */
  serves(port: number): void;
}

type Sender = (attempts: readonly Attempt[], way: Way) => Promise<Outcome[]>;

/** By the names of the modes. */
export const MODES: { readonly [mode: string]: Sender } = {
  mcp: overStdio,
  "mcp over HTTP": overHttp,
  rpc: async (attempts, way) =>
    await byModel(attempts, way, async (env, flags) => {
      await using program = start(way, { args: ["rpc", ...flags], env });
      await program.send('{"type":"prompt","message":"Try."}\n');
      await untilEnd(program);
    }),
  "--mode rpc": async (attempts, way) =>
    await byModel(attempts, way, async (env, flags) => {
      const args = ["--mode", "rpc", "--no-session", "--yolo", ...flags];
      await using program = start(way, { args, env });
      await program.send('{"type":"prompt","message":"Try."}\n');
      await untilEnd(program);
    }),
  "a question": async (attempts, way) =>
    await byModel(attempts, way, async (env, flags) => {
      await using program = start(way, { args: ["Try.", "--no-thread", ...flags], env });
      await program.endInput();
      while (await program.line(PATIENCE_MS) !== undefined);
    }),
  plugin: overPlugin,
  sql: async (attempts, way) => {
    const outcomes: Outcome[] = [];
    for (const { place, sql } of attempts) {
      await using program = start(way, { args: ["sql", "-d", place.selector, sql] });
      await program.endInput();
      let text = "";
      for (let line; (line = await program.line(PATIENCE_MS)) !== undefined;) text += `${line}\n`;
      const failed = (await program.exit).code === 1;
      outcomes.push({ place, sql, failed, text: text + await program.errors() });
    }
    return outcomes;
  },
};

function start(way: Way, { args, env = {} }: { args: readonly string[]; env?: Record<string, string> }) {
  return new Program({ command: way.wrap(saberCommand()), args, env });
}

/** The flags that select all places of the attempts. */
function selecting(attempts: readonly Attempt[]): string[] {
  return [...new Set(attempts.map(({ place }) => place.selector))].flatMap((each) => ["-d", each]);
}

async function untilEnd(program: Program): Promise<void> {
  while (!(await program.line(PATIENCE_MS))?.includes('"agent_end"'));
}

const calledSchema = z.object({
  isError: z.optional(z.boolean()),
  content: z.array(z.object({ text: z.string() })),
});
const answerSchema = z.object({ id: z.unknown(), result: z.unknown() });

async function overStdio(attempts: readonly Attempt[], way: Way): Promise<Outcome[]> {
  await using program = start(way, { args: ["mcp", ...selecting(attempts)] });
  const calls = attempts.map(({ place, sql }, n) =>
    request(n, "tools/call", callOf("execute_sql", { query: sql, db_name: place.name }))
  );
  await program.send([...hello(), ...calls].map((each) => `${JSON.stringify(each)}\n`).join(""));
  const outcomes = new Map<Attempt, Outcome>();
  while (outcomes.size < attempts.length) {
    const { id, result } = answerSchema.parse(JSON.parse(await program.line(PATIENCE_MS) ?? ""));
    const attempt = typeof id === "number" ? attempts[id] : undefined;
    if (attempt) outcomes.set(attempt, outcomeOf(attempt, calledSchema.parse(result)));
  }
  return [...outcomes.values()];
}

function outcomeOf(attempt: Attempt, { isError = false, content }: z.infer<typeof calledSchema>): Outcome {
  return { ...attempt, failed: isError, text: content.map(({ text }) => text).join("") };
}

async function overHttp(attempts: readonly Attempt[], way: Way): Promise<Outcome[]> {
  const args = ["mcp", "--transport", "http", "--port", "0", ...selecting(attempts)];
  await using program = start(way, { args });
  const port = Number(new URL(await program.saying(/http:\S+\/mcp(?=\n)/)).port);
  const outcomes: Outcome[] = [];
  for (const attempt of attempts) {
    const call = callOf("execute_sql", { query: attempt.sql, db_name: attempt.place.name });
    const { result } = await ask(port, { body: JSON.stringify(request(1, "tools/call", call)), headers: {} });
    outcomes.push(outcomeOf(attempt, calledSchema.parse(result)));
  }
  return outcomes;
}

const toldSchema = z.object({
  messages: z.array(z.object({
    role: z.string(),
    tool_call_id: z.optional(z.string()),
    content: z.unknown(),
  })),
});

/** A model that calls execute_sql for every attempt at once, and what it was told of each. */
async function byModel(
  attempts: readonly Attempt[],
  way: Way,
  run: (env: Record<string, string>, flags: string[]) => Promise<void>,
): Promise<Outcome[]> {
  const calls = attempts.map(({ place, sql }) => ({
    name: "execute_sql",
    args: { query: sql, db_name: place.name },
  }));
  await using models = startModelServer([
    { stream: { text: toolCallsStream(calls) } },
    { stream: "openai/text.sse" },
  ]);
  way.serves(Number(new URL(models.baseUrl).port));
  await run(
    { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "key" },
    ["--model", "openai:test", ...selecting(attempts)],
  );
  const { messages } = toldSchema.parse(models.asked[1]?.body);
  return attempts.map((attempt, n) => {
    const told = messages.find((message) => message.tool_call_id === `call_${n + 1}`);
    const text = z.string().parse(told?.content);
    return { ...attempt, failed: text.startsWith('{"error":'), text };
  });
}

async function overPlugin(attempts: readonly Attempt[], way: Way): Promise<Outcome[]> {
  const command = [...way.wrap(saberCommand()), "plugin"];
  await using host = new PluginHost({}, { command });
  const outcomes: Outcome[] = [];
  for (const { place, sql } of attempts) {
    const fields = { params: place.params, query: sql, limit: 10, page: 1, schema: null };
    const [failed, text] = await host.ask("execute_query", fields).then(
      (result) => [false, JSON.stringify(result)] as const,
      (error: Error) => [true, error.message] as const,
    );
    outcomes.push({ place, sql, failed, text });
  }
  return outcomes;
}
