/**
 * The first half of the demo: a host of `saber rpc`. It shows what a host sees, event by event.
 */
import { PATIENCE_MS } from "./patience.ts";
import { Program } from "./program.ts";
import { startModelServer } from "./model_server.ts";
import { say, title, write } from "./say.ts";

const QUESTION = "Who are our top customers by revenue?";
const RECORDING = [1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse`, paceMs: 10 }));

/** Asks one question, prints the run, fetches the rows by their handle and shuts the program down. */
export async function askTheAgent(database: string): Promise<void> {
  title("saber rpc: a question, the SQL, the rows, the answer");
  await using model = startModelServer(RECORDING);
  await using program = new Program({
    args: ["rpc", "-d", database, "--no-thread", "--model", "openai:recorded"],
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "recorded" },
  });
  const ready = await next(program);
  say(`ready: ${ready.database.type} "${ready.database.name}" with the model ${ready.model.id}`);
  say(`question: ${QUESTION}\n`);
  await send(program, { id: 1, type: "prompt", message: QUESTION });
  const end = await showRun(program);
  for (const { id, rowCount } of end.queryResults) {
    say(`\nthe ${rowCount} rows of ${id}, fetched by their handle:`);
    await showRows(program, id);
  }
  await send(program, { type: "shutdown" });
  const { code } = await program.exit;
  if (code !== 0) throw new Error(`saber rpc ended with the exit code ${code}`);
  say("\nshutdown: exit code 0");
}

async function showRun(program: Program) {
  let sql = "";
  while (true) {
    const event = await next(program);
    switch (event.type) {
      case "message_update":
        write(event.assistantMessageEvent.type === "text_delta" ? event.assistantMessageEvent.delta : "");
        break;
      case "sql_update": // cumulative: what is new comes after what was shown
        write(event.sql.slice(sql.length));
        sql = event.sql;
        break;
      case "tool_execution_start":
        say(`\n[${event.toolName} runs]`);
        sql = "";
        break;
      case "agent_end":
        if (event.status !== "completed") {
          throw new Error(`the run ended: ${event.status} ${event.error ?? ""}`);
        }
        say("");
        return event;
    }
  }
}

async function showRows(program: Program, resultId: string): Promise<void> {
  await send(program, { type: "get_query_result", resultId, limit: 5 });
  const { data } = await next(program);
  for (const row of data.rows) say(`  ${JSON.stringify(row)}`);
}

async function send(program: Program, command: object): Promise<void> {
  await program.send(`${JSON.stringify(command)}\n`);
}

/** The next line of the protocol; its shape is the contract's. */
async function next(program: Program) {
  const line = await program.line(PATIENCE_MS);
  if (line === undefined) throw new Error(`saber rpc ended: ${await program.errors()}`);
  return JSON.parse(line);
}
