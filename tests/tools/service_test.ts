import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { ToolService, type ToolServiceOptions } from "../../src/tools/service.ts";
import type { DatabaseInfo, DatabaseSet } from "../../src/tools/tool.ts";

/** Databases that are selected and can't be reached: what these tests check happens before one is opened. */
function unreachable(...names: string[]): DatabaseSet {
  const list = names.map((name): DatabaseInfo => ({
    name,
    dialect: "sqlite",
    displayName: "SQLite",
    description: name === "sales" ? "what was sold" : null,
  }));
  return { list, get: (name) => Promise.reject(new Fault("unreachable", `opened ${name}`)) };
}

const OPTIONS = {
  caps: { unlimited: 1000, limited: 1000 },
  maxBytes: 1_000_000,
  rows: { keep: () => assert.fail("no statement runs") },
  serial: true,
} as const;

function service(names: string[], databaseArgument: ToolServiceOptions["databaseArgument"]) {
  return new ToolService({ ...OPTIONS, databases: unreachable(...names), databaseArgument });
}

const never = { signal: new AbortController().signal };

async function fault(call: Promise<unknown>): Promise<string> {
  const error = await call.then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof Fault, `a Fault was expected, not ${error}`);
  return `[${error.code}] ${error.message}`;
}

Deno.test("a model with one database is offered neither list_dbs nor db_name", () => {
  const specs = service(["main"], "when-several").specs();
  assert.deepEqual(specs.map(({ name }) => name), ["list_tables", "introspect_schema", "execute_sql"]);
  assert.deepEqual(specs.map(({ parameters }) => [Object.keys(parameters.properties), parameters.required]), [
    [[], undefined],
    [["table_pattern"], undefined],
    [["query"], ["query"]],
  ]);
});

Deno.test("a model with several databases must name one of them", () => {
  const specs = service(["sales", "hr"], "when-several").specs();
  assert.deepEqual(specs.map(({ name, parameters }) => [name, parameters.required]), [
    ["list_dbs", undefined],
    ["list_tables", ["db_name"]],
    ["introspect_schema", ["db_name"]],
    ["execute_sql", ["query", "db_name"]],
  ]);
  assert.deepEqual(specs.at(-1)?.parameters.properties.db_name, { type: "string", enum: ["sales", "hr"] });
});

Deno.test("export_result is offered where rows are kept, with its formats named", () => {
  const options = { ...OPTIONS, databases: unreachable("main"), databaseArgument: "when-several" } as const;
  const rows = { ...OPTIONS.rows, export: () => Promise.reject(new Error("not called")) };
  const [found] = new ToolService({ ...options, rows }).specs().filter(({ name }) =>
    name === "export_result"
  );
  assert.deepEqual(found?.parameters.properties.format, {
    type: "string",
    description: "The kind of file",
    enum: ["csv", "json", "parquet"],
  });
  assert.equal(new ToolService(options).has("export_result"), false);
});

Deno.test("an MCP client always sees four tools with an optional db_name, in portable schemas", () => {
  for (const names of [["main"], ["sales", "hr"]]) {
    const specs = service(names, "optional").specs();
    assert.deepEqual(specs.map(({ name }) => name), [
      "list_dbs",
      "list_tables",
      "introspect_schema",
      "execute_sql",
    ]);
    for (const { parameters, output } of specs) {
      assert.equal(parameters.type, "object");
      assert.equal(parameters.additionalProperties, false);
      assert.ok(!parameters.required?.includes("db_name"));
      assert.doesNotMatch(
        JSON.stringify([parameters, output]),
        /\$schema|\$ref|anyOf|"type":\[|"pattern":|9007/,
      );
    }
  }
});

Deno.test("list_dbs tells aliases, dialects and descriptions without opening a database", async () => {
  const { json } = await service(["sales", "hr"], "optional").call("list_dbs", {}, never);
  assert.deepEqual(JSON.parse(json), {
    databases: [
      { name: "sales", display_name: "SQLite", dialect: "sqlite", description: "what was sold" },
      { name: "hr", display_name: "SQLite", dialect: "sqlite", description: null },
    ],
    total_databases: 2,
  });
});

Deno.test("the database is the named one, or the only one", async () => {
  const [one, two] = [service(["main"], "optional"), service(["sales", "hr"], "optional")];
  assert.equal(await fault(one.call("list_tables", {}, never)), "[unreachable] opened main");
  assert.equal(await fault(one.call("list_tables", { db_name: null }, never)), "[unreachable] opened main");
  assert.equal(await fault(one.call("list_tables", undefined, never)), "[unreachable] opened main");
  assert.equal(await fault(two.call("list_tables", { db_name: "hr" }, never)), "[unreachable] opened hr");
  assert.equal(
    await fault(two.call("list_tables", {}, never)),
    "[db_required] Cannot choose a database: pass one of these as db_name: sales, hr.",
  );
  for (const name of ["", "SALES", "nope"]) {
    assert.equal(
      await fault(two.call("list_tables", { db_name: name }, never)),
      "[unknown_database] Cannot find the database: db_name must be one of sales, hr.",
    );
  }
});

Deno.test("arguments that do not fit are told apart", async () => {
  const tools = service(["main"], "optional");
  const cases: readonly (readonly [unknown, string])[] = [
    [{}, "query is missing"],
    [{ sql: "select 1" }, "query is missing"],
    [{ query: 7 }, "query must be of type string"],
    [{ query: null }, "query is missing"],
    [{ query: "select 1", readonly: false }, 'it has no argument "readonly"'],
    [[], "the arguments must be of type object"],
    ["select 1", "the arguments must be of type object"],
    [JSON.parse('{"query":"select 1","__proto__":1}'), 'it has no argument "__proto__"'],
  ];
  for (const [args, problem] of cases) {
    assert.equal(
      await fault(tools.call("execute_sql", args, never)),
      `[bad_request] Cannot call execute_sql: ${problem}. Its arguments: query, db_name.`,
    );
  }
  assert.match(
    await fault(tools.call("drop_table", {}, never)),
    /^\[bad_request\] .*only list_dbs, list_tables/,
  );
});

Deno.test("a call that is cancelled says so, whatever the engine threw", async () => {
  const abort = new AbortController();
  abort.abort("no reason of ours");
  const call = service(["main"], "optional").call("list_tables", {}, { signal: abort.signal });
  assert.equal(await fault(call), "[cancelled] The call was cancelled.");
});
