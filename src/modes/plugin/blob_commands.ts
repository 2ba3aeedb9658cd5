/**
 * Binary values as a whole: into a file, or to the host for a preview.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Commands } from "../../wire/dispatch.ts";
import { writeBlob } from "./blob.ts";
import { type Connection, readAll } from "./connection.ts";
import type { Plugin } from "./plugin.ts";
import { type Keyed, keyed, keyOf, tableColumns } from "./record_commands.ts";
import { connected, count, name, schemaName } from "./requests.ts";
import { findColumn, rowCondition } from "./row_condition.ts";

export function blobCommands(plugin: Plugin): Commands {
  const value = { table: name, schema: schemaName, col_name: name, ...keyed };
  return {
    save_blob_to_file: connected(plugin, { ...value, file_path: z.string() }, {
      run: async ({ fields, connection, signal }) => {
        await checkFile(fields.file_path);
        await writeFile(fields.file_path, await readValue(connection, { ...fields, signal }));
        return null;
      },
    }),
    fetch_blob_as_data_url: connected(plugin, { ...value, max_blob_size: z.optional(z.nullable(count)) }, {
      run: async ({ fields, connection, signal }) => {
        const bytes = await readValue(connection, { ...fields, signal });
        const most = fields.max_blob_size ?? Infinity;
        if (bytes.length <= most) return writeBlob(bytes);
        throw new Fault(
          "too_large",
          `Cannot show the value: it has ${bytes.length} bytes. Save it to a file.`,
        );
      },
    }),
  };
}

interface Wanted extends Keyed {
  readonly table: string;
  readonly schema: string | null;
  readonly col_name: string;
  readonly signal: AbortSignal;
}

/** Throws Fault when there is no such row, when several are alike, and for NULL. */
async function readValue(connection: Connection, { signal, ...wanted }: Wanted): Promise<Uint8Array> {
  const { workbench } = connection;
  const rows = await connection.use(signal, async (session) => {
    const scope = { schema: wanted.schema, name: wanted.table };
    const columns = await tableColumns(session, { connection, scope, signal });
    const column = findColumn(columns, wanted.col_name);
    const row = await rowCondition(keyOf(wanted), columns, { workbench });
    const sql = `SELECT ${workbench.quote(column.name)} FROM ${
      workbench.qualify(wanted)
    } WHERE ${row.sql} LIMIT 2`;
    return await readAll(session, { sql, signal });
  });
  const [[value = null] = []] = rows;
  if (rows.length === 1 && value instanceof Uint8Array) return value;
  if (rows.length === 1 && typeof value === "string") return new TextEncoder().encode(value);
  const state = rows.length === 0
    ? "there is no such row any more. Refresh the table"
    : rows.length > 1
    ? "several rows are alike, and the table has no key to tell them apart"
    : value === null
    ? "it is NULL. There is nothing to save"
    : "it is neither binary nor text";
  throw new Fault("unavailable", `Cannot read the value: ${state}.`);
}

async function checkFile(path: string): Promise<void> {
  const folder = path.replace(/[\\/][^\\/]*$/, "") || "/";
  const [file, parent] = await Promise.all(
    [path, folder].map((each) => Deno.stat(each).catch(() => undefined)),
  );
  const state = path.trim() === "" || /[\\/]$/.test(path)
    ? "no file name is given"
    : file?.isDirectory
    ? "it is a folder"
    : /[\\/]/.test(path) && !parent?.isDirectory
    ? "its folder does not exist"
    : undefined;
  if (state !== undefined) {
    throw new Fault("bad_request", `Cannot save to the file: ${state}. Choose another name.`);
  }
}

/** The whole file or none. */
async function writeFile(path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    await Deno.writeFile(part, bytes, { createNew: true });
    await Deno.rename(part, path);
  } catch (cause) {
    await Deno.remove(part).catch(() => {});
    throw new Fault("unavailable", "Cannot save to the file: it could not be written. Check the folder.", {
      cause,
    });
  }
}
