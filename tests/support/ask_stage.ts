/**
 * saber at a real terminal, on the shop, with a model server that plays.
 */
import { type ModelServer, type Play, startModelServer } from "./model_server.ts";
import { shop } from "./shop.ts";
import { Terminal, type TerminalOptions } from "./tmux.ts";

export interface Stage extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly models: ModelServer;
  /** Starts saber on the shop, with these further arguments. */
  ask(rest: string): Promise<void>;
}

/** `plays`: what the model answers, in order. */
export async function stage(plays: readonly Play[], options: TerminalOptions = {}): Promise<Stage> {
  const models = startModelServer(plays);
  const env = {
    OPENAI_BASE_URL: models.baseUrl,
    OPENAI_API_KEY: "key",
    SQLSABER_MODEL: "openai:test",
    ...options.env,
  };
  const terminal = await Terminal.open({ columns: 80, rows: 50, ...options, env });
  const database = await shop("sqlite");
  return {
    terminal,
    models,
    ask: (rest) => terminal.saber(`-d ${database} ${rest}`),
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
    },
  };
}
