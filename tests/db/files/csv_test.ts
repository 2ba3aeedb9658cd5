/**
 * CSV files as they come: what their columns become, with nothing lost or bent.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { driver } from "../../../src/db/files.ts";
import { type Cell, Decimal } from "../../../src/db/values.ts";
import { filesTarget } from "../../support/data_files.ts";
import { ask, testFolder } from "../../support/duckdb.ts";

const OPTIONS = { access: "read", timeoutMs: 10_000 } as const;

interface Case {
  readonly text: string | Uint8Array;
  readonly given?: { readonly delimiter?: string; readonly encoding?: string; readonly header?: boolean };
  /** Names and types. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string) =>
  Uint8Array.from(
    [0xfeff, ...Array.from(text, (character) => character.charCodeAt(0))].flatMap((
      code,
    ) => [code & 255, code >> 8]),
  );

const CASES: { readonly [what: string]: Case } = {
  "types are found": {
    text:
      "i,d,b,t,ts,s\n1,1.5,true,2024-01-02,2024-01-02 03:04:05.5,x\n-2,1e3,false,1969-12-31,1969-12-31 23:59:59,y\n",
    columns: ["i BIGINT", "d DOUBLE", "b BOOLEAN", "t DATE", "ts TIMESTAMP", "s VARCHAR"],
    rows: [
      [1, 1.5, true, "2024-01-02", "2024-01-02T03:04:05.5", "x"],
      [-2, 1000, false, "1969-12-31", "1969-12-31T23:59:59", "y"],
    ],
  },
  "integers beyond 64 bits": {
    text: "n\n9223372036854775808\n-1\n",
    columns: ["n HUGEINT"],
    rows: [[9223372036854775808n], [-1]],
  },
  "integers beyond 128 bits": {
    text: "n\n170141183460469231731687303715884105728\n7\n",
    columns: ["n VARCHAR"],
    rows: [["170141183460469231731687303715884105728"], ["7"]],
  },
  "decimals beyond a double": {
    text: "n\n12345678901234567890.123\n-0.5\n\n",
    columns: ["n DECIMAL(38,3)"],
    rows: [[new Decimal("12345678901234567890.123")], [new Decimal("-0.500")], [null]],
  },
  "decimals with exponents beyond a double": {
    text: "n\n1.000000000000000056e-01\n-2.5E+03\n7\n",
    columns: ["n DECIMAL(38,19)"],
    rows: [
      [new Decimal("0.1000000000000000056")],
      [new Decimal("-2500.0000000000000000000")],
      [new Decimal("7.0000000000000000000")],
    ],
  },
  "numbers that nothing but text holds": {
    text: "tiny,huge,nan\n1e-400,1e400,nan\n1,1,1.23456789012345678901\n",
    columns: ["tiny VARCHAR", "huge VARCHAR", "nan VARCHAR"],
    rows: [["1e-400", "1e400", "nan"], ["1", "1", "1.23456789012345678901"]],
  },
  "numbers written in other ways": {
    text: "i,d,hex\n7,1.50,0x1F\n1000,-.5e-3,0xE\n,inf,\n0,0.10000000000000000000000,0x0\n",
    columns: ["i BIGINT", "d DOUBLE", "hex BIGINT"],
    rows: [[7, 1.5, 31], [1000, -0.0005, 14], [null, Infinity, null], [0, 0.1, 0]],
  },
  "doubles written in full stay doubles": {
    text: "n\n0.30000000000000004\n2.2250738585072014e-308\n",
    columns: ["n DOUBLE"],
    rows: [[0.30000000000000004], [2.2250738585072014e-308]],
  },
  "long doubles without an exponent stay doubles": {
    text: "n\n0.30000000000000004\n0.1\n",
    columns: ["n DOUBLE"],
    rows: [[0.30000000000000004], [0.1]],
  },
  "numbers with leading zeros are text": {
    text: "zip,phone\n01234,+4930\n00012,+4940\n",
    columns: ["zip VARCHAR", "phone VARCHAR"],
    rows: [["01234", "+4930"], ["00012", "+4940"]],
  },
  "quotes, delimiters and line ends inside of quotes": {
    text: 'a,b\n"x ""y"" z","one\ntwo"\n"1,2",3\n',
    columns: ["a VARCHAR", "b VARCHAR"],
    rows: [['x "y" z', "one\ntwo"], ["1,2", "3"]],
  },
  "backslash escapes": {
    text: 'a,b\n"x\\"y",1\n"z",2\n',
    columns: ["a VARCHAR", "b BIGINT"],
    rows: [['x"y', 1], ["z", 2]],
  },
  "an empty text is no NULL": {
    text: 'a,b,c\n1,"",x\n2,,\n',
    columns: ["a BIGINT", "b VARCHAR", "c VARCHAR"],
    rows: [[1, "", "x"], [2, null, null]],
  },
  "where all is quoted, an empty text is NULL": {
    text: '"a","b"\n"1","x"\n"","y"\n',
    columns: ["a BIGINT", "b VARCHAR"],
    rows: [[1, "x"], [null, "y"]],
  },
  "a byte order mark": {
    text: "\ufeffid,näme\n1,é\n",
    columns: ["id BIGINT", "näme VARCHAR"],
    rows: [[1, "é"]],
  },
  "carriage returns": {
    text: "a,b\r\n1,2\r\n3,4\r\n",
    columns: ["a BIGINT", "b BIGINT"],
    rows: [[1, 2], [3, 4]],
  },
  "line ends of both kinds": {
    text: "a,b\r\n1,2\n3,4\r\n",
    columns: ["a BIGINT", "b BIGINT"],
    rows: [[1, 2], [3, 4]],
  },
  "no last line end": { text: "a,b\n1,2", columns: ["a BIGINT", "b BIGINT"], rows: [[1, 2]] },
  "an empty file": { text: "", columns: ["column0 VARCHAR"], rows: [] },
  "a header alone": { text: "a,b\n", columns: ["a VARCHAR", "b VARCHAR"], rows: [] },
  "repeated and missing names": {
    text: "a,a,\n1,2,3\n",
    columns: ["a BIGINT", "a_1 BIGINT", "column2 BIGINT"],
    rows: [[1, 2, 3]],
  },
  "strange names": {
    text: `"it's","q""uote","a b",SELECT,"__proto__"\n1,2,3,4,5\n`,
    columns: ["it's BIGINT", 'q"uote BIGINT', "a b BIGINT", "SELECT BIGINT", "__proto__ BIGINT"],
    rows: [[1, 2, 3, 4, 5]],
  },
  "no header": { text: "1,2\n3,4\n", columns: ["column0 BIGINT", "column1 BIGINT"], rows: [[1, 2], [3, 4]] },
  "no header, as told": {
    text: "a,b\nc,d\n",
    given: { header: false },
    columns: ["column0 VARCHAR", "column1 VARCHAR"],
    rows: [["a", "b"], ["c", "d"]],
  },
  "a header, as told": {
    text: "1,2\n3,4\n",
    given: { header: true },
    columns: ["1 BIGINT", "2 BIGINT"],
    rows: [[3, 4]],
  },
  "semicolons": { text: "a;b\n1;2,5\n", columns: ["a BIGINT", "b VARCHAR"], rows: [[1, "2,5"]] },
  "a delimiter, as told": {
    text: "a,b:c\n1,2:3\n",
    given: { delimiter: ":" },
    columns: ["a,b VARCHAR", "c BIGINT"],
    rows: [["1,2", 3]],
  },
  "Latin-1, as told": {
    text: latin1("id,n\n1,é\n2,ü\n"),
    given: { encoding: "ISO-8859-1" },
    columns: ["id BIGINT", "n VARCHAR"],
    rows: [[1, "é"], [2, "ü"]],
  },
  "UTF-16, as told": {
    text: utf16("id,n\n1,é\n2,€\n"),
    given: { encoding: "UTF-16" },
    columns: ["id BIGINT", "n VARCHAR"],
    rows: [[1, "é"], [2, "€"]],
  },
  "short and long lines": {
    text: "a,b,c\n1,2,3\n4,5\n6,7,8,9\n",
    columns: ["a BIGINT", "b BIGINT", "c BIGINT", "column3 BIGINT"],
    rows: [[1, 2, 3, null], [4, 5, null, null], [6, 7, 8, 9]],
  },
  "short lines": {
    text: "a,b,c\n1,2,3\n4,5\n6,7,8\n",
    columns: ["a BIGINT", "b BIGINT", "c BIGINT"],
    rows: [[1, 2, 3], [4, 5, null], [6, 7, 8]],
  },
  "a title above the table": {
    text: "My report\n\nid,name\n1,a\n2,b\n",
    columns: ["id BIGINT", "name VARCHAR"],
    rows: [[1, "a"], [2, "b"]],
  },
  "comments": {
    text: "# one\nid,name\n1,a\n# two\n2,b\n",
    columns: ["id BIGINT", "name VARCHAR"],
    rows: [[1, "a"], [2, "b"]],
  },
  "dates of other forms": {
    text: "d\n31/12/2020\n01/02/2021\n",
    columns: ["d DATE"],
    rows: [["2020-12-31"], ["2021-02-01"]],
  },
  "quotes below what is looked at": {
    text: `a,b\n${Array.from({ length: 60_000 }, (_, n) => `${n},x`).join("\n")}\n1,"late, ""very"" late"\n`,
    columns: ["a BIGINT", "b VARCHAR"],
    rows: [...Array.from({ length: 60_000 }, (_, n) => [n, "x"]), [1, 'late, "very" late']],
  },
};

for (const [what, { text, given, columns, rows }] of Object.entries(CASES)) {
  Deno.test(`CSV: ${what}`, async () => {
    await using folder = await testFolder();
    const path = join(folder.path, "t.csv");
    await Deno.writeFile(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
    const database = await driver.open(filesTarget([path], given), OPTIONS);
    try {
      const answer = await ask(database, "SELECT * FROM t");
      assert.deepEqual(answer.columns.map(({ name, type }) => `${name} ${type}`), columns);
      assert.deepEqual(answer.rows, rows);
      const [table] = await database.describe({ signal: new AbortController().signal });
      assert.deepEqual(table?.columns.map(({ name, type }) => `${name} ${type}`), columns);
    } finally {
      await database.close();
    }
  });
}
