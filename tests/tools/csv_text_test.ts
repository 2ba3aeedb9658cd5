import assert from "node:assert/strict";
import { csvText } from "../../src/tools/csv_text.ts";

Deno.test("rows become a table behind a line of JSON", () => {
  const json = '{"success":true,"result_id":"qr_1","returned_rows":2,"columns":["a","b"],' +
    '"results":[{"a":1,"b":"x"},{"a":null,"b":true}],"results_truncated":false}';
  assert.equal(
    csvText(json),
    '{"success":true,"result_id":"qr_1","returned_rows":2,"results_truncated":false}\n\na,b\n1,x\n\\N,true',
  );
});

Deno.test("each kind of cell has one text", () => {
  const cells: readonly (readonly [json: string, csv: string])[] = [
    ["9007199254740993", "9007199254740993"],
    ["120340.50", "120340.50"],
    ["-1.5e-7", "-1.5e-7"],
    ['"nan"', "nan"],
    ["null", "\\N"],
    ['"\\\\N"', "\\\\N"],
    ['"C:\\\\dir"', "C:\\\\dir"],
    ['"a,b"', '"a,b"'],
    ['"say \\"hi\\""', '"say ""hi"""'],
    ['"two\\nlines"', '"two\nlines"'],
    ['"one\\rline"', '"one\rline"'],
    ['" space "', " space "],
    ['""', ""],
    ["false", "false"],
    ['"\\u2028é🦕"', "\u2028é🦕"],
    ["[1,2.50,null]", '"[1,2.50,null]"'],
    ['{"k":"v\\\\"}', '"{""k"":""v\\\\\\\\""}"'],
    ["[]", "[]"],
  ];
  const row = cells.map(([json], index) => `"c${index}":${json}`).join(",");
  const header = cells.map((_, index) => `c${index}`).join(",");
  assert.equal(
    csvText(`{"results":[{${row}}]}`),
    `{}\n\n${header}\n${cells.map(([, csv]) => csv).join(",")}`,
  );
});

Deno.test("headers are cells too, and keep their order", () => {
  assert.equal(
    csvText('{"columns":["2","1"],"results":[{"2":"b","1":"a","a\\\\b":"","x,\\"y\\"":0}]}'),
    '{}\n\n2,1,a\\\\b,"x,""y"""\nb,a,,0',
  );
  assert.equal(csvText('{"results":[{"a":""},{"a":"x"}]}'), '{}\n\na\n""\nx');
});

Deno.test("lists of tables and databases are tables; described tables are one each", () => {
  assert.equal(
    csvText('{"db_name":"s","tables":[{"name":"a","table_comment":null}],"total_tables":1}'),
    '{"db_name":"s","total_tables":1}\n\nname,table_comment\na,\\N',
  );
  assert.equal(
    csvText('{"databases":[{"name":"s","description":null}],"total_databases":1}'),
    '{"total_databases":1}\n\nname,description\ns,\\N',
  );
  const described =
    '{"db_name":"s","tables":{"main.b":{"comment":"B","columns":{"2":{"type":"int","nullable":false},' +
    '"1":{"type":"text","nullable":true,"comment":"c"}},"primary_keys":["2"]},"main.a":{"columns":{},"primary_keys":[]}}}';
  assert.equal(
    csvText(described),
    [
      '{"db_name":"s"}',
      '{"table":"main.b","comment":"B","primary_keys":["2"]}',
      "name,type,nullable,comment\n2,int,false,\\N\n1,text,true,c",
      '{"table":"main.a","primary_keys":[]}',
    ].join("\n\n"),
  );
});

Deno.test("what has no rows stays JSON", () => {
  for (
    const json of [
      '{"results":[],"columns":["a"]}',
      '{"tables":{}}',
      '{"success":true,"affected_rows":3}',
      '{"error":"Cannot read [ , { \\" the results"}',
    ]
  ) assert.equal(csvText(json), json);
});

Deno.test("large answers are read in linear time", () => {
  const row = `{${Array.from({ length: 10 }, (_, n) => `"c${n}":"${"x".repeat(20)}\\"${n}"`).join(",")}}`;
  const csv = csvText(`{"results":[${Array(20_000).fill(row).join(",")}]}`);
  assert.equal(csv.split("\n").length, 20_003);
});
