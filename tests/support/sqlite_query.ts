/**
 * A program that runs one statement on a SQLite file and says how that ended: the number of rows, or the failure.
 * Arguments: the path and the SQL.
 */
import { toFault } from "../../src/base/fault.ts";
import { open } from "../../src/db/sqlite/sqlite.ts";

const [path = "", sql = ""] = Deno.args;
const target = { engine: "sqlite", name: "test", path, excludeSchemas: [] } as const;
const query = { sql, caps: { unlimited: 1000, limited: 1000 }, signal: AbortSignal.timeout(10_000) };

async function outcome(): Promise<string> {
  try {
    const database = open(target, { access: "read", timeoutMs: 10_000 });
    const { batches } = await database.run(query);
    const count = (await Array.fromAsync(batches)).flat().length;
    await database.close();
    return `${count} rows`;
  } catch (error) {
    const { code, message } = toFault(error);
    return `${code}: ${message}`;
  }
}

await Deno.stdout.write(new TextEncoder().encode(await outcome()));
