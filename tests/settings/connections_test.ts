import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { savedConnections } from "../../src/settings/connections.ts";

const folder = await Deno.makeTempDir();

async function settings(content: unknown, name = crypto.randomUUID()) {
  const path = `${folder}/${name}.json`;
  await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
  const asked: string[] = [];
  const connections = savedConnections(path, {
    password: ({ name, user }) => {
      asked.push(`${name}_${user}`);
      return Promise.resolve(user === "reader" ? "s3cret" : undefined);
    },
  });
  return { connections, asked, path };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof Fault);
  assert.equal(error.code, "bad_target");
  return error;
}

/** A file as the Python program writes it. */
const WRITTEN = {
  default: "analytics",
  connections: {
    analytics: {
      name: "analytics",
      type: "postgresql",
      host: "db.example.com",
      port: 5432,
      database: "sales",
      username: "reader",
      ssl_mode: "verify-full",
      ssl_ca: "/etc/ca.pem",
      ssl_cert: null,
      ssl_key: null,
      schema: null,
      exclude_schemas: ["audit"],
      description: "Sales since 2019",
    },
    local: { type: "sqlite", host: "localhost", port: 0, database: "/data/shop.db", username: "sqlite" },
    sheet: {
      type: "csv",
      database: "/data/a.csv",
      schema: '{"delimiter":";","header":false}',
      description: "",
    },
    other: { type: "mysql", username: "nobody" },
    broken: { type: "oracle" },
    "bad port": { type: "mysql", port: "3306" },
    "bad sheet": { type: "csv", database: "a.csv", schema: "{" },
  },
};

Deno.test("connections are read as they were written, with the password looked up", async () => {
  const { connections, asked } = await settings(WRITTEN);
  assert.equal(await connections.defaultName(), "analytics");
  assert.deepEqual(await connections.find("analytics"), {
    name: "analytics",
    type: "postgresql",
    host: "db.example.com",
    port: 5432,
    database: "sales",
    user: "reader",
    password: "s3cret",
    tls: { mode: "verify-full", ca: "/etc/ca.pem" },
    csv: [],
    excludeSchemas: ["audit"],
    description: "Sales since 2019",
  });
  assert.deepEqual(await connections.find("local"), {
    name: "local",
    type: "sqlite",
    host: "localhost",
    port: 0,
    database: "/data/shop.db",
    user: "sqlite",
    tls: {},
    csv: [],
    excludeSchemas: [],
  });
  assert.deepEqual((await connections.find("sheet"))?.csv, [["delimiter", ";"], ["header", "false"]]);
  assert.deepEqual(await connections.find("other"), {
    name: "other",
    type: "mysql",
    user: "nobody",
    tls: {},
    csv: [],
    excludeSchemas: [],
  });
  assert.equal(await connections.find("absent"), undefined);
  assert.equal(await connections.find("constructor"), undefined);
  // A file has no password to look up.
  assert.deepEqual(asked, ["analytics_reader", "other_nobody"]);
});

Deno.test("a broken connection is named and leaves the others usable", async () => {
  const { connections, path } = await settings(WRITTEN);
  for (const [name, place] of [["broken", "type"], ["bad port", "port"], ["bad sheet", "schema"]] as const) {
    const { message } = await faultOf(connections.find(name));
    assert.equal(
      message,
      `Cannot use the saved connection "${name}": ${place} is wrong in ${path}. Correct it, or add it again.`,
    );
  }
  assert.equal((await connections.find("local"))?.type, "sqlite");
});

Deno.test("a file that is not in the form is an error, not an empty list", async () => {
  for (const content of ["", "{", "[]", '"x"', "null", '{"connections":[]}', '{"default":5}']) {
    const { connections, path } = await settings(content);
    const { message } = await faultOf(connections.find("x"));
    assert.ok(message.startsWith(`Cannot read the saved connections in ${path}: the file is not`), content);
    await faultOf(connections.defaultName());
  }
});

Deno.test("a missing file has no connections; one that cannot be read is an error", async () => {
  const missing = savedConnections(`${folder}/none.json`, { password: () => Promise.resolve(undefined) });
  assert.equal(await missing.defaultName(), undefined);
  assert.equal(await missing.find("x"), undefined);
  const directory = savedConnections(folder, { password: () => Promise.resolve(undefined) });
  assert.match((await faultOf(directory.find("x"))).message, /can't be read/);
  const { connections, path } = await settings({ default: null });
  assert.equal(await connections.defaultName(), undefined);
  await Deno.writeTextFile(path, JSON.stringify(WRITTEN));
  assert.equal(await connections.defaultName(), "analytics", "a change by another process is seen");
});
