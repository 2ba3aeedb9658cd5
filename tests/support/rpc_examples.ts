/**
 * The examples of docs/rpc.md, taken from a conversation with the program: each command with its response, and each
 * event. What differs from run to run (times, random ids, ports) is replaced by fixed values.
 */
import { type Play, startModelServer } from "./model_server.ts";
import { type HostLine, RpcHost } from "./rpc_host.ts";
import { shop } from "./shop.ts";
import { toolCallStream } from "./tool_call_stream.ts";

const TIME = 1_764_510_000_000;
/** One for each request to the model. */
const PLAYS: readonly Play[] = [
  { stream: { text: toolCallStream("execute_sql", { query: "SELECT id, name FROM customers LIMIT 100" }) } },
  { stream: { text: toolCallStream("export_result", { result_id: "LATEST_RESULT", format: "csv" }) } },
  { stream: "openai/text.sse" },
  ...[1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse` })),
  { stream: "openai/thinking.sse" },
  { stream: "openai/text.sse", stallAt: 900 },
  { status: 401, body: '{"error":{"message":"Incorrect API key provided.","code":"invalid_api_key"}}' },
];

type Sent = { readonly type: string; readonly [key: string]: unknown };

class Recorder {
  /** The lines of each example by its name. */
  readonly examples = new Map<string, string[]>();
  readonly #host: RpcHost;
  readonly #names = new Map<string, string>();
  #seen = 0;

  constructor(host: RpcHost) {
    this.#host = host;
  }

  /** Sends the command; the example is what was sent and what was answered. */
  async command(command: Sent): Promise<void> {
    await this.#host.send(command);
    const answer = await this.#host.answerTo(command.type);
    this.examples.set(command.type, [this.#fixed(JSON.stringify(command)), this.#textOf(answer)]);
    this.#keepEvents();
  }

  /** Reads up to an event of this type. */
  async event(type: HostLine["type"]): Promise<HostLine> {
    const line = await this.#host.until((line) => line.type === type);
    this.#keepEvents();
    return line;
  }

  /** The latest of each kind is its example; of the queue the fullest, of pieces the first, which waits for no other. */
  #keepEvents(): void {
    for (const line of this.#host.lines.slice(this.#seen)) {
      if (line.type === "response" || (line.type === "queue_update" && line.steering.length === 0)) continue;
      const name = line.type === "agent_end"
        ? `agent_end ${line.status}`
        : line.type === "tool_execution_end" && line.artifacts
        ? "tool_execution_end with a file"
        : line.type === "message_update"
        ? line.assistantMessageEvent.type
        : line.type;
      if (name.endsWith("_delta") && this.examples.has(name)) continue;
      this.examples.set(name, [this.#textOf(line)]);
    }
    this.#seen = this.#host.lines.length;
  }

  #textOf(line: HostLine): string {
    return this.#fixed(this.#host.texts.get(line) ?? "");
  }

  #fixed(text: string): string {
    return text
      .replaceAll(/"(timestamp|createdAt)":\d+/g, `"$1":${TIME}`)
      .replaceAll(/file:\/\/[^"]*\/results\//g, "file:///home/me/.local/share/sqlsaber/results/")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
      .replaceAll(
        /(qr|art)_[0-9a-f]{32}/g,
        (id, kind) => this.#nameOf(id, `${kind}_${"0".repeat(31)}`),
      )
      .replaceAll(/call_[0-9a-f]{32}/g, (id) => this.#nameOf(id, `call_${"0".repeat(31)}`))
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        (id) => this.#nameOf(id, "019ad000-0000-7000-8000-00000000000"),
      )
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        (id) => this.#nameOf(id, "4f1c0000-0000-4000-8000-00000000000"),
      );
  }

  #nameOf(id: string, prefix: string): string {
    const name = this.#names.get(id) ?? `${prefix}${this.#names.size + 1}`;
    this.#names.set(id, name);
    return name;
  }
}

/** Plays the conversation. */
export async function recordExamples(): Promise<ReadonlyMap<string, readonly string[]>> {
  const home = await Deno.makeTempDir();
  await using server = startModelServer(PLAYS);
  await using host = new RpcHost({
    args: ["-d", await shop("sqlite"), "--model", "openai:gpt-5"],
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
    home,
  });
  const recorder = new Recorder(host);
  await recorder.event("ready");
  await recorder.command({ type: "prompt", id: "q0", message: "Give me our first customers as a CSV file." });
  const exported = await recorder.event("agent_end");
  const isExported = exported.type === "agent_end" && exported.status === "completed";
  const artifactId = isExported ? exported.artifacts[0]?.id : "";
  await recorder.command({ type: "prompt", id: "q1", message: "Who are our top customers by revenue?" });
  const end = await recorder.event("agent_end");
  const resultId = end.type === "agent_end" && end.status === "completed" ? end.queryResults[0]?.id : "";
  await recorder.command({ type: "get_query_result", id: 1, resultId, offset: 0, limit: 2 });
  await recorder.command({ type: "get_tables", id: 2 });
  await recorder.command({ type: "get_artifact", id: 3, artifactId });
  await recorder.command({ type: "new_session", id: 4 });
  await recorder.command({ type: "set_thinking_level", id: 5, level: "low" });
  await recorder.command({ type: "reload_model", id: 6 });
  await recorder.command({ type: "prompt", id: "q2", message: "How many customers are there?" });
  await recorder.event("agent_end");
  await recorder.command({ type: "get_messages", id: 7 });
  await recorder.command({ type: "get_last_assistant_text", id: 8 });
  await recorder.command({ type: "prompt", id: "q3", message: "And last year?" });
  await recorder.event("message_update");
  await recorder.command({ type: "steer", id: "s1", message: "Only customers in Ireland." });
  await recorder.event("queue_update");
  await recorder.command({ type: "get_state", id: 9 });
  await recorder.command({ type: "clear_queue", id: 10 });
  await recorder.command({ type: "abort", id: 11 });
  await recorder.command({ type: "prompt", id: "q1", message: "Who are our top customers by revenue?" });
  await recorder.event("agent_end");
  await recorder.command({ type: "shutdown", id: 12 });
  await host.end();
  await Deno.remove(home, { recursive: true });
  return recorder.examples;
}

const BLOCK = /(<!-- example: (.+?) -->\n```json\n)[^]*?(```)/g;

/** The document with every block after `<!-- example: NAME -->` filled anew. */
export function withExamples(document: string, examples: ReadonlyMap<string, readonly string[]>): string {
  return document.replaceAll(BLOCK, (_all, begin: string, name: string, end: string) => {
    const lines = examples.get(name);
    if (!lines) {
      throw new Error(`There is no example "${name}"; there are ${[...examples.keys()].join(", ")}.`);
    }
    return `${begin}${lines.join("\n")}\n${end}`;
  });
}

/** The names of the examples that the document has. */
export function examplesIn(document: string): string[] {
  return Array.from(document.matchAll(BLOCK), ([, , name = ""]) => name);
}
