import assert from "node:assert/strict";
import type { Cursor, LimitReport } from "../../../src/db/driver.ts";
import type { Row } from "../../../src/db/values.ts";
import { WholeRows } from "../../../src/modes/mcp/whole_rows.ts";

interface Rows extends Cursor {
  /** Rows that were read from it. */
  read(): number;
}

function cursorOf(columns: readonly string[], rows: readonly Row[], limit?: LimitReport): Rows {
  let read = 0;
  return {
    columns: columns.map((name) => ({ name, type: "" })),
    batches: (async function* () {
      for (const row of rows) {
        read++;
        yield await Promise.resolve([row]);
      }
    })(),
    close: () => Promise.resolve(),
    read: () => read,
    ...(limit ? { limit } : {}),
  };
}

const about = { database: "shop" };
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

Deno.test("names and values survive in order, numbers beyond a double as text", async () => {
  const cursor = cursorOf(["b", "1", "b", "", "__proto__"], [[1, 2n ** 63n, "x", null, true]]);
  const { json } = await new WholeRows({ rowLimit: 1000, maxBytes: 1_000_000 }).keep(cursor, about);
  assert.equal(
    json,
    '{"db_name":"shop","columns":["b","1","b_2","column_4","__proto__"],' +
      '"results":[{"b":1,"1":"9223372036854775808","b_2":"x","column_4":null,"__proto__":true}],' +
      '"row_count":1,"row_limit":1000,"truncated":false}',
  );
});

Deno.test("the answer comes in pieces, plain and as a JSON string, too, where that is asked for", async () => {
  const rows = [['"'], ["\\\u2028\ud800"], ["\ud83d\ude00"]];
  const keeper = new WholeRows({ rowLimit: 2, maxBytes: 1000, inPieces: true });
  const { json, pieces } = await keeper.keep(cursorOf(['"'], rows), about);
  assert.equal(pieces?.plain.join(""), json);
  assert.equal(JSON.parse(`"${pieces.quoted.join("")}"`), json);
  assert.equal(JSON.parse(json).row_count, 2);
});

Deno.test("no rows still tell the columns", async () => {
  const { json } = await new WholeRows({ rowLimit: 10, maxBytes: 1000 }).keep(cursorOf(["a"], []), about);
  assert.deepEqual(JSON.parse(json), {
    db_name: "shop",
    columns: ["a"],
    results: [],
    row_count: 0,
    row_limit: 10,
    truncated: false,
  });
});

Deno.test("truncated is what the guard says, and true where the guard let too many through", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => [index]);
  const keeper = new WholeRows({ rowLimit: 10, maxBytes: 10_000 });
  const cases: readonly (readonly [number, LimitReport | undefined, boolean])[] = [
    [10, undefined, false],
    [10, { added: true, truncated: true }, true],
    [20, undefined, true],
  ];
  for (const [count, limit, truncated] of cases) {
    const cursor = cursorOf(["n"], rows.slice(0, count), limit);
    const answer = JSON.parse((await keeper.keep(cursor, about)).json);
    assert.deepEqual([answer.row_count, answer.truncated], [10, truncated]);
    assert.ok(cursor.read() <= 11);
  }
});

Deno.test("an answer has at most its bytes, as UTF-8, and one row more is an error that says how many fit", async () => {
  const maxBytes = 10_000;
  const keeper = new WholeRows({ rowLimit: 1000, maxBytes });
  const rows = Array.from({ length: 1000 }, () => ["é".repeat(100)]);
  const failed = await keeper.keep(cursorOf(["text"], rows), about).then(() => undefined, (error) => error);
  assert.equal(failed?.code, "too_large");
  const fit = Number(/The first (\d+) fit/.exec(failed.message)?.[1]);
  assert.ok(fit > 40 && fit < 50, failed.message);
  const { json } = await keeper.keep(cursorOf(["text"], rows.slice(0, fit)), about);
  assert.ok(bytesOf(json) <= maxBytes && bytesOf(json) > maxBytes - 400);
});

Deno.test("a single row that is too large says so, and reading stops there", async () => {
  const cursor = cursorOf(["blob"], [[new Uint8Array(1_000_000)], [new Uint8Array(1_000_000)]]);
  await assert.rejects(
    new WholeRows({ rowLimit: 1000, maxBytes: 1_000_000 }).keep(cursor, about),
    { code: "too_large", message: /^Cannot return the rows: the first one alone passes 1,000,000 bytes\./ },
  );
  assert.equal(cursor.read(), 1);
});

Deno.test("a value without JSON form is an error that names its column", async () => {
  await assert.rejects(
    new WholeRows({ rowLimit: 10, maxBytes: 1000 }).keep(cursorOf(["a", "ratio"], [[1, NaN]]), about),
    { code: "unsupported_value", message: /column "ratio"/ },
  );
});

Deno.test("a cursor whose columns alone pass the bound is closed", async () => {
  let isClosed = false;
  const cursor = {
    ...cursorOf(["é".repeat(1000)], [[1]]),
    close: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
  const keeping = new WholeRows({ rowLimit: 10, maxBytes: 1000 }).keep(cursor, about);
  await assert.rejects(keeping, { code: "too_large" });
  assert.ok(isClosed);
});
