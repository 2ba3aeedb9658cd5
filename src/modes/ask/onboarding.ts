/**
 * The first start: nothing is set up, so a person at the terminal is asked for data and for a model. Both can be skipped, and
 * asked for again by leaving and coming back.
 */
import type { App, Io } from "../../app.ts";
import { Fault, toFault } from "../../base/fault.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";
import { keptPasswords } from "../../settings/passwords.ts";
import { saveModel } from "../../settings/save_model.ts";
import type { Asking } from "../../term/ask_line.ts";
import { askingAt } from "../asking_at.ts";
import { connectionOf } from "../connect/new_connection.ts";

const SAMPLE = "sample";
/** How often a wrong answer may be corrected. */
const TRIES = 5;

/** The app as it is after the answers, which are saved. */
export async function welcome(app: App, io: Io): Promise<App> {
  const { given, config } = app;
  if (config.databases.length > 0 || given.flags.continue || config.thread !== undefined) return app;
  const file = new ConnectionFile(config.folders.config);
  const needsData = (await file.read()).default === null;
  if (!needsData) return app;
  using asking = askingAt(io);
  io.warn("Welcome to saber. No database is set up yet.\n");
  await setUpData(app, { io, asking, file });
  return await setUpModel(app, { io, asking });
}

interface Step {
  readonly io: Io;
  readonly asking: Asking;
}

async function setUpData(app: App, { io, asking, file }: Step & { file: ConnectionFile }): Promise<void> {
  io.warn(
    `Name a CSV, Parquet, SQLite or DuckDB file, or the address of a server (postgresql://user@host/database),
or write "${SAMPLE}" for a small sample shop.`,
  );
  const done = await tryOften(io, async () => {
    const answer = await asking.ask("Data (Enter to skip):");
    if (answer === "") return undefined;
    const target = answer === SAMPLE ? await app.makeSampleShop() : answer;
    const name = answer === SAMPLE ? SAMPLE : nameOf(answer);
    const { connection, password } = await connectionOf(app, { name, target });
    await file.add(connection);
    const { username } = connection;
    if (password !== undefined) {
      await keptPasswords(app.config).set({
        name,
        user: username,
      }, password);
    }
    io.warn(`Saved as "${name}", the default. 'saber db' changes that.\n`);
    return true;
  });
  if (!done) throw new Fault("no_database", "Nothing was set up. 'saber db add NAME FILE' does it later.");
}

/** `orders` of `./orders.csv`, `sales` of `postgresql://host/sales?x`. */
function nameOf(target: string): string {
  const path = target.replace(/[?#].*$/, "").replace(/[\\/]+$/, "");
  return /([^\\/]+?)(?:\.[^.\\/]*)?$/.exec(path)?.[1] ?? "database";
}

async function setUpModel(app: App, { io, asking }: Step): Promise<App> {
  try {
    await app.openModel();
    return app;
  } catch (error) {
    io.warn(`${toFault(error).message}\n`);
  }
  const model = await tryOften(io, async () => {
    const id = await asking.ask("Model (provider:id, Enter to skip):");
    if (id === "") return undefined;
    const chosen = await app.chooseModel(id);
    await saveModel(app.config.folders.config, id);
    io.warn(`Saved. 'saber models' changes that.\n`);
    return chosen;
  });
  if (!model) throw new Fault("no_model", "No model was chosen. 'saber sql' works without one.");
  return { ...app, openModel: () => Promise.resolve(model) };
}

/** Says what was wrong and asks again; undefined when the person skips. Throws what the last try throws. */
async function tryOften<Result>(
  io: Io,
  step: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let left = TRIES;; left--) {
    try {
      return await step();
    } catch (error) {
      const fault = toFault(error);
      if (fault.code === "cancelled" || left === 1) throw error;
      io.warn(`${fault.message}\n`);
    }
  }
}
