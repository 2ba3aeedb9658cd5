/**
 * A program that opens a SQLite file and runs one statement, to be killed by a test. Arguments: the path and the SQL.
 */
import { open } from "../../src/db/sqlite/sqlite.ts";

const [path = "", sql = ""] = Deno.args;
const target = { engine: "sqlite", name: "test", path, excludeSchemas: [] } as const;
const database = open(target, { access: "read", timeoutMs: 60_000 });
const query = { caps: { unlimited: 1000, limited: 1000 }, signal: new AbortController().signal };
await database.run({ sql: "SELECT 1", ...query });
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
await database.run({ sql, ...query });
