/**
 * Data files as one database: a DuckDB in memory in which each file is a view. Nothing is loaded, so a file of any size is
 * there at once; and these files are all that can be read.
 */
import { Fault } from "../base/fault.ts";
import type { DataFile, DataFiles, Driver, Target } from "./driver.ts";
import { Connections } from "./duckdb/connections.ts";
import { DuckDbDatabase } from "./duckdb/database.ts";
import { openInstance } from "./duckdb/instance.ts";
import { type DuckDb, loadDuckDb } from "./duckdb/library.ts";
import { openFault } from "./duckdb/open_errors.ts";
import { createView } from "./files/view.ts";
import { lastPart } from "./paths.ts";

export const driver: Driver = {
  async open(target, { access, timeoutMs }) {
    const { files, excludeSchemas } = dataFiles(target);
    for (const file of files) await checkFile(file);
    const api = await loadDuckDb();
    const connections = new Connections(() => openViews(files, { api, readOnly: access === "read" }));
    await connections.check({ ms: timeoutMs, what: "opening the files" });
    return new DuckDbDatabase(connections, { api, access, excludeSchemas, timeoutMs, ownViews: true });
  },
};

function dataFiles(target: Target): DataFiles {
  if (target.engine === "files") return target;
  throw new Fault("internal", `Cannot open a target of the engine ${target.engine} as data files.`);
}

async function checkFile({ path }: DataFile): Promise<void> {
  try {
    using file = await Deno.open(path);
    const { isFile, isDirectory } = await file.stat();
    if (isFile) return;
    throw new Fault(
      "bad_target",
      `Cannot open ${lastPart(path)}: it is ${isDirectory ? "a directory" : "not an ordinary file"}.`,
    );
  } catch (error) {
    throw openFault(path, error);
  }
}

/** Each file as a view of an instance in memory, which reads these files alone. Throws Fault. */
export async function openViews(
  files: readonly DataFile[],
  { api, readOnly }: { api: DuckDb; readOnly: boolean },
) {
  return await openInstance({
    api,
    path: ":memory:",
    readOnly,
    prepare: {
      paths: files.map((file) => file.path),
      async run(connection) {
        for (const file of files) {
          try {
            await createView(file, { connection, api });
          } catch (error) {
            throw openFault(file.path, error);
          }
        }
      },
    },
  });
}
