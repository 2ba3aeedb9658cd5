/**
 * `saber db list`: the saved connections. Passwords are in none of its answers.
 */
import type { App, Io, Mode } from "../../app.ts";
import { ConnectionFile, type SavedFile } from "../../settings/connection_file.ts";
import { printJson, printLines, printTable } from "../print.ts";

export const list: Mode = {
  usage: { line: "db list [flags]", summary: "List the saved connections.", flags: ["json"] },
  run,
};

async function run(app: App, io: Io): Promise<number> {
  const saved = await new ConnectionFile(app.config.folders.config).read();
  const rows = Object.entries(saved.connections).map((entry) => rowOf(entry, saved));
  if (app.given.flags.json) await printJson(io, rows);
  else if (rows.length === 0) {
    await printLines(io, ["No connections are saved. Add one: saber db add NAME FILE"]);
  } else {
    const shown = rows.map(({ name, type, database, host, description, is_default }) => {
      const isServer = type === "postgresql" || type === "mysql";
      return {
        name,
        default: is_default ? "*" : "",
        type,
        database: isServer ? `${database ?? ""} at ${host ?? ""}` : database,
        description: description ?? "",
      };
    });
    await printTable(app, {
      io,
      columns: ["name", "default", "type", "database", "description"],
      rows: shown,
    });
  }
  return 0;
}

type Entry = [name: string, connection: SavedFile["connections"][string]];

function rowOf([name, connection]: Entry, saved: SavedFile) {
  const { type = "", host = null, port = null, database = null, username = null, description = null } =
    connection;
  const exclude_schemas = connection.exclude_schemas ?? [];
  return {
    name,
    type,
    host,
    port,
    database,
    username,
    description,
    exclude_schemas,
    is_default: saved.default === name,
  };
}
