/** The server's text forms, beside the values that the servers' own tests send. */
import assert from "node:assert/strict";
import * as format from "../../../src/db/postgres/text_formats.ts";
import { shortTypeName } from "../../../src/db/postgres/type_names.ts";

Deno.test("array texts that are cut off or not closed are no arrays", () => {
  for (const text of ["{", "{1", "{1,", '{"a', '{"a\\', "{{1}", "{1}x", "", "1,2", "[1:2]={1,2}"]) {
    assert.equal(format.parseArray(text, ","), undefined, text);
  }
  assert.deepEqual(format.parseArray("{}", ","), []);
  assert.deepEqual(format.parseArray("{{},{}}", ","), [[], []]);
  assert.deepEqual(format.parseArray('{a;"b;c";NULL;"NULL"}', ";"), ["a", "b;c", null, "NULL"]);
});

Deno.test("row texts", () => {
  assert.deepEqual(format.parseRow("(1,,)"), ["1", null, null]);
  assert.deepEqual(format.parseRow('("",a)'), ["", "a"]);
  assert.deepEqual(format.parseRow('("a ""b"" \\\\ c","(1,""x"")")'), ['a "b" \\ c', '(1,"x")']);
  assert.deepEqual(format.parseRow('("two\nlines",(parens)'), ["two\nlines", "(parens"]);
});

Deno.test("types as a person writes them", () => {
  const names = {
    "character varying(20)": "varchar(20)",
    "character varying": "varchar",
    "character varying[]": "varchar[]",
    "character(3)": "char(3)",
    "bit varying(5)": "varbit(5)",
    "timestamp without time zone": "timestamp",
    "timestamp(3) with time zone": "timestamptz(3)",
    "time(0) without time zone[]": "time(0)[]",
    "time with time zone": "timetz",
    "double precision": "double precision",
    "numeric(10,2)": "numeric(10,2)",
    "interval day to second(3)": "interval day to second(3)",
    "character_type": "character_type",
    '"Weird type"': '"Weird type"',
  };
  for (const [formatted, name] of Object.entries(names)) assert.equal(shortTypeName(formatted), name);
});
