/**
 * What execute_sql is compared with: for each line of input, the rows of a query from SQLite's driver as objects,
 * as one line of JSON. Arguments: the file, the query.
 */
import { DatabaseSync } from "node:sqlite";

const [file = "", sql = ""] = Deno.args;
const database = new DatabaseSync(file, { readOnly: true });
const statement = database.prepare(sql);
const encoder = new TextEncoder();
const buffer = new Uint8Array(1024);
while (await Deno.stdin.read(buffer)) {
  let bytes = encoder.encode(`${JSON.stringify(statement.all())}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}
