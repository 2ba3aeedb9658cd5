/**
 * `saber db add`: saves a connection under a name. A file is looked at; a server is not reached (that is `db test`'s).
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { ConnectionFile } from "../../settings/connection_file.ts";
import { keptPasswords } from "../../settings/passwords.ts";
import { readAll } from "../../base/read_all.ts";
import { askingAt } from "../asking_at.ts";
import { printLines } from "../print.ts";
import { connectionOf, type NewConnection } from "../connect/new_connection.ts";

export const add: Mode = {
  usage: {
    line: "db add NAME [FILE|ADDRESS] [flags]",
    summary: "Save a connection: a file, or the address of a server such as postgresql://user@host/database.",
    flags: [
      "type",
      "host",
      "port",
      "database",
      "username",
      "password-stdin",
      "ssl-mode",
      "ssl-ca",
      "ssl-cert",
      "ssl-key",
      "exclude-schemas",
      "description",
      "no-interactive",
    ],
    words: 2,
  },
  run,
};

const MAX_PASSWORD_BYTES = 4096;

async function run(app: App, io: Io): Promise<number> {
  const [name = "", target] = app.given.words;
  if (name.trim() === "" || /\p{Cc}/u.test(name)) {
    throw new Fault("usage", "A connection needs a name. Run 'saber db add NAME FILE'.");
  }
  const file = new ConnectionFile(app.config.folders.config);
  const { connection, password } = await completed(app, { io, name, target });
  await file.add(connection);
  if (password !== undefined) {
    await keptPasswords(app.config)
      .set({
        name,
        user: connection.username,
      }, password);
  }
  const isDefault = (await file.read()).default === name;
  await printLines(io, [`Saved ${name} (${connection.type})${isDefault ? ", the default" : ""}.`]);
  return 0;
}

/** Asks for what is missing, where somebody can be asked. */
async function completed(
  app: App,
  { io, name, target }: { io: Io; name: string; target: string | undefined },
): Promise<NewConnection> {
  const { flags } = app.given;
  const canAsk = io.terminal.isInput && !flags["no-interactive"];
  const isNamed = target !== undefined || flags.type !== undefined || flags.host !== undefined ||
    flags.database !== undefined;
  using asking = canAsk ? askingAt(io) : undefined;
  const asked = isNamed ? target : await asking?.ask("File, or address (postgresql://user@host/database):");
  const made = await connectionOf(app, { name, target: asked });
  const { type } = made.connection;
  if (made.password !== undefined || (type !== "postgresql" && type !== "mysql")) return made;
  if (flags["password-stdin"]) {
    const text = await readAll(io.input, {
      what: "the password",
      maxBytes: MAX_PASSWORD_BYTES,
      signal: io.stop,
    });
    return { ...made, password: text.replace(/\r?\n$/, "") };
  }
  const typed = await asking?.askSecret(`Password of ${made.connection.username} (empty for none):`);
  return typed ? { ...made, password: typed } : made;
}
