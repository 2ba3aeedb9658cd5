/**
 * Passwords and keys never leave the program: whatever fails, in every mode, no piece of them is in stdout, stderr or
 * the log file. Each way to fail runs through the modes as a user would start them.
 */
import assert from "node:assert/strict";
import { adminClient, sharedPostgres, TLS_FILES } from "./support/postgres_server.ts";
import { AdminClient, sharedMariadb } from "./support/mariadb_server.ts";
import { callOf, hello, request } from "./support/mcp.ts";
import { type Output, type RunOptions, runProgram } from "./support/run_program.ts";
import { piecesOfSecret, SECRET, SECRET_IN_URL } from "./support/secret.ts";

const postgres = await sharedPostgres(18);
const mariadb = await sharedMariadb();
const HERE = `127.0.0.1:${postgres.port}`;
const MARIADB = `127.0.0.1:${mariadb.port}`;
/** A user of both servers with the secret as password. */
const KEEPER = "secret_keeper";

await (async () => {
  const admin = adminClient(postgres);
  const quoted = SECRET.replaceAll("'", "''");
  await admin.unsafe(`DROP ROLE IF EXISTS ${KEEPER}`);
  await admin.unsafe(`CREATE ROLE ${KEEPER} LOGIN PASSWORD '${quoted}'`);
  await admin.end();
  const client = new AdminClient(mariadb);
  const text = quoted.replaceAll("\\", "\\\\");
  await client.run(`CREATE OR REPLACE USER ${KEEPER}@'%' IDENTIFIED BY '${text}'`);
  client.end();
})();

const FAILING = [
  "SELEC 1",
  "SELECT * FROM no_such_table",
  "SELECT pg_sleep(1)",
  "SELECT 1/0",
  "DELETE FROM orders",
];
const lines = (...messages: unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");
const run = (id: number, query: string) => request(id, "tools/call", callOf("execute_sql", { query }));
const KEY = { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: "http://127.0.0.1:1/v1" };

/** Each mode on a database, made to do what reaches it and fails. */
const MODES: { readonly [mode: string]: (database: string) => RunOptions } = {
  mcp: (database) => ({
    args: ["mcp", "-d", database, "--timeout", "3"],
    input: lines(
      ...hello(),
      ...FAILING.map((sql, id) => run(id, sql)),
      request(20, "tools/call", callOf("list_tables", {})),
      request(21, "tools/call", callOf("execute_sql", { query: 7 })),
      request(22, "resources/read", { uri: "saber://db/tables" }),
      request(23, "completion/complete", {
        ref: { type: "ref/prompt", name: "profile_table" },
        argument: { name: "table", value: "" },
      }),
    ) + "junk\n",
  }),
  "mcp config": (database) => ({ args: ["mcp", "config", "zed", "-d", database] }),
  rpc: (database) => ({
    args: ["rpc", "-d", database, "--no-thread", "--model", "openai:m", "--timeout", "3"],
    env: KEY,
    input: lines(
      { id: 1, type: "get_tables" },
      { id: 2, type: "get_state" },
      { id: 3, type: "prompt", message: "How many orders are there?" },
    ) + "junk\n",
  }),
  sql: (database) => ({ args: ["sql", "SELECT * FROM no_such_table", "-d", database, "--timeout", "3"] }),
  question: (database) => ({
    args: [
      "How many orders are there?",
      "-d",
      database,
      "--model",
      "openai:m",
      "--no-thread",
      "--timeout",
      "3",
    ],
    env: KEY,
  }),
};

function check(what: string, { stdout, stderr, log }: Output): void {
  for (const [place, text] of Object.entries({ stdout, stderr, log })) {
    assert.deepEqual(piecesOfSecret(text), [], `${what}: ${place}:\n${text}`);
  }
}

async function inEachMode(
  t: Deno.TestContext,
  databases: { readonly [what: string]: string },
): Promise<void> {
  for (const [what, database] of Object.entries(databases)) {
    await t.step(what, async () => {
      for (const [mode, options] of Object.entries(MODES)) {
        const output = await runProgram(options(database));
        assert.notEqual(output.stdout + output.stderr, "", `${mode} said nothing`);
        check(`${mode}, ${what}`, output);
      }
    });
  }
}

Deno.test("the finder of pieces finds them", () => {
  for (
    const text of [SECRET, SECRET_IN_URL, JSON.stringify(SECRET), btoa(SECRET), `x${SECRET.toUpperCase()}`]
  ) {
    assert.notDeepEqual(piecesOfSecret(text), [], text);
  }
  assert.deepEqual(piecesOfSecret("postgres://user:***@host"), []);
});

Deno.test("addresses that lead nowhere", async (t) => {
  await inEachMode(t, {
    refused: `postgresql://${KEEPER}:${SECRET_IN_URL}@127.0.0.1:1/shop`,
    "refused, as a parameter": `mysql://127.0.0.1:1/shop?user=${KEEPER}&password=${SECRET_IN_URL}`,
    "no such host": `postgres://${KEEPER}:${SECRET_IN_URL}@nowhere.invalid/shop`,
    "two hosts": `postgres://${KEEPER}:${SECRET_IN_URL}@127.0.0.1:1,nowhere.invalid:2/shop`,
    "no such host, MySQL": `mariadb://${KEEPER}:${SECRET_IN_URL}@nowhere.invalid/shop`,
  });
});

Deno.test("addresses that cannot be read", async (t) => {
  await inEachMode(t, {
    "a bad port": `postgres://${KEEPER}:${SECRET_IN_URL}@localhost:99999999/shop`,
    "a password as it is": `postgres://${KEEPER}:${SECRET}@127.0.0.1:1/shop`,
    "a password for a port": `mysql://localhost:${SECRET}/shop`,
    "a password in an option": `postgres://u@127.0.0.1:1/shop?sslmode=${SECRET_IN_URL}`,
    "an unknown option": `mysql://u@127.0.0.1:1/shop?${SECRET_IN_URL}=1`,
    "an unknown scheme": `mssql://${KEEPER}:${SECRET_IN_URL}@localhost/shop`,
    "a missing slash": `postgres:/${KEEPER}:${SECRET}@localhost/shop`,
    "no scheme": `${KEEPER}:${SECRET}@localhost/shop`,
  });
});

Deno.test("servers that refuse, and statements that fail", async (t) => {
  await inEachMode(t, {
    "another password": `postgres://reader:${SECRET_IN_URL}@${HERE}/shop?sslmode=disable`,
    "the right password": `postgres://${KEEPER}:${SECRET_IN_URL}@${HERE}/shop?sslmode=disable`,
    "no such database": `postgres://${KEEPER}:${SECRET_IN_URL}@${HERE}/nowhere?sslmode=disable`,
    "another authority":
      `postgres://${KEEPER}:${SECRET_IN_URL}@localhost:${postgres.port}/shop?sslmode=verify-full&` +
      `sslrootcert=${TLS_FILES}other_ca.crt`,
    "a certificate that is not there":
      `postgres://${KEEPER}:${SECRET_IN_URL}@${HERE}/shop?sslmode=verify-ca&` +
      "sslrootcert=/nowhere/ca.crt",
    "another password, MariaDB": `mysql://reader:${SECRET_IN_URL}@${MARIADB}/shop`,
    "the right password, MariaDB": `mysql://${KEEPER}:${SECRET_IN_URL}@${MARIADB}/shop`,
    "another authority, MariaDB": `mysql://${KEEPER}:${SECRET_IN_URL}@${MARIADB}/shop?ssl-mode=VERIFY_CA&` +
      `ssl-ca=${TLS_FILES}other_ca.crt`,
  });
});

Deno.test("passwords of the environment, of .pgpass, and in a settings file where none belongs", async (t) => {
  const home = await Deno.makeTempDir();
  const folder = `${home}/.config/sqlsaber`;
  await Deno.mkdir(folder, { recursive: true });
  const escaped = SECRET.replace(/[:\\]/g, "\\$&");
  await Deno.writeTextFile(`${home}/.pgpass`, `*:*:*:*:${escaped}\n`, { mode: 0o600 });
  await Deno.writeTextFile(`${home}/open.pgpass`, `*:*:*:*:${escaped}\n`, { mode: 0o644 });
  const saved = (name: string, more: object) => ({
    [name]: {
      type: "postgresql",
      host: "127.0.0.1",
      username: KEEPER,
      database: "shop",
      password: SECRET,
      ...more,
    },
  });
  const connections = {
    ...saved("here", { port: postgres.port }),
    ...saved("away", { port: 1 }),
    ...saved("broken", { port: SECRET }),
    ...saved("odd", { type: SECRET }),
    ...saved("tls", { ssl_mode: SECRET }),
  };
  await Deno.writeTextFile(`${folder}/database_config.json`, JSON.stringify({ connections }));
  const address = `postgres://${KEEPER}@${HERE}/nowhere`;
  const cases: {
    readonly [what: string]: { readonly database: string; readonly env?: Record<string, string> };
  } = {
    PGPASSWORD: { database: address, env: { PGPASSWORD: SECRET } },
    ".pgpass": { database: address },
    "a .pgpass that others may read": { database: address, env: { PGPASSFILE: `${home}/open.pgpass` } },
    ...Object.fromEntries(Object.keys(connections).map((name) => [`saved: ${name}`, { database: name }])),
  };
  for (const [what, { database, env = {} }] of Object.entries(cases)) {
    await t.step(what, async () => {
      for (const [mode, make] of Object.entries(MODES)) {
        const options = make(database);
        const home_ = { HOME: home, XDG_CONFIG_HOME: `${home}/.config` };
        check(
          `${mode}, ${what}`,
          await runProgram({ ...options, env: { ...options.env, ...home_, ...env }, home }),
        );
      }
    });
  }
  await Deno.remove(home, { recursive: true });
});

Deno.test("connections that are saved with their password", async (t) => {
  const home = await Deno.makeTempDir();
  const env = { XDG_CONFIG_HOME: `${home}/.config`, XDG_DATA_HOME: `${home}/.data` };
  const wrong = `postgres://reader:${SECRET_IN_URL}@${HERE}/shop?sslmode=disable`;
  const right = [
    "--username",
    KEEPER,
    "--password-stdin",
    "--host",
    "127.0.0.1",
    "--port",
    String(mariadb.port),
  ];
  const commands: readonly (readonly [args: string[], input?: string])[] = [
    [["db", "add", "wrong", wrong]],
    [["db", "add", "right", "-t", "mysql", ...right, "--database", "shop"], `${SECRET}\n`],
    [["db", "add", "wrong", wrong]],
    [["db", "add", "bad", `postgres://u:${SECRET_IN_URL}@localhost:x/shop`]],
    [["db", "add", "bad", "--port", wrong, "localhost"]],
    [["db", "list"]],
    [["db", "list", "--json"]],
    [["db", "test", "wrong"]],
    [["db", "test", "right"]],
    [["db", "test", wrong]],
    [["db", "remove", wrong]],
  ];
  for (const [args, input = ""] of commands) {
    await t.step(args.slice(0, 3).join(" ").replaceAll(SECRET_IN_URL, "…"), async () => {
      check(args.join(" "), await runProgram({ args, input, env, home }));
    });
  }
  for (const [mode, make] of Object.entries(MODES)) {
    for (const name of ["wrong", "right"]) {
      await t.step(`${mode}, ${name}`, async () => {
        const options = make(name);
        check(mode, await runProgram({ ...options, env: { ...options.env, ...env }, home }));
      });
    }
  }
  await Deno.remove(home, { recursive: true });
});

Deno.test("words that stand in the wrong place", async (t) => {
  const dsn = `postgres://${KEEPER}:${SECRET_IN_URL}@127.0.0.1:1/shop`;
  const commands: readonly string[][] = [
    ["mcp", dsn],
    ["rpc", dsn],
    ["plugin", dsn],
    ["sql", "SELECT 1", dsn],
    ["mcp", "config", dsn],
    ["mcp", "config", "zed", dsn],
    ["mcp", "--timeout", dsn],
    ["mcp", `--database-url=${dsn}`],
    ["sql", "SELECT 1", "-d", "sqlite:", "--output", dsn],
    ["sql", "-f", dsn, "-d", "sqlite:"],
    ["plugin", "--driver", dsn],
    ["rpc", "--model", dsn, "-d", "sqlite:"],
    ["rpc", "--thread", dsn, "-d", "sqlite:"],
    ["rpc", "--system-prompt", `/nowhere/${dsn}`, "-d", "sqlite:"],
    ["nothing", dsn],
    [dsn],
    [`${KEEPER}:${SECRET_IN_URL}`],
  ];
  for (const args of commands) {
    await t.step(args.join(" ").replaceAll(SECRET_IN_URL, "…").replaceAll(SECRET, "…"), async () => {
      check(args[0] ?? "", await runProgram({ args }));
    });
  }
});

/** A server that takes connections and says nothing. */
function silentServer(): { readonly port: number; close(): void } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken: Deno.Conn[] = [];
  const accept = async () => {
    for await (const connection of listener) taken.push(connection);
  };
  accept().catch(() => {}); // the listener was closed
  const close = () => {
    listener.close();
    for (const connection of taken) connection.close();
  };
  return { port: listener.addr.transport === "tcp" ? listener.addr.port : 0, close };
}

Deno.test({
  name: "signals while a connection is made",
  ignore: Deno.build.os === "windows", // has no such signals
  fn: async (t) => {
    const server = silentServer();
    for (
      const [mode, scheme, name] of [
        ["mcp", "postgres", "SIGTERM"],
        ["mcp", "mysql", "SIGINT"],
        ["rpc", "postgres", "SIGINT"],
        ["rpc", "mysql", "SIGHUP"],
        ["sql", "postgres", "SIGTERM"],
        ["sql", "mysql", "SIGINT"],
      ] as const
    ) {
      await t.step(`${name}, ${mode}, ${scheme}`, async () => {
        const options = MODES[mode]?.(`${scheme}://${KEEPER}:${SECRET_IN_URL}@127.0.0.1:${server.port}/shop`);
        assert.ok(options);
        check(`${name}, ${mode}`, await runProgram({ ...options, signal: { name, afterMs: 700 } }));
      });
    }
    server.close();
  },
});

Deno.test("a key that the model's server sends back", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (asked) => {
    const message = `Incorrect API key provided: ${asked.headers.get("authorization")}`;
    return Response.json({ error: { message, type: "invalid_request_error", code: SECRET } }, {
      status: 401,
    });
  });
  const key = SECRET.replaceAll(/[^a-z]/g, "-");
  const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `http://127.0.0.1:${server.addr.port}/v1` };
  for (const mode of ["rpc", "question"]) {
    const options = MODES[mode]?.(`postgres://reader@${HERE}/shop`);
    assert.ok(options);
    check(mode, await runProgram({ ...options, env }));
  }
  await server.shutdown();
});

Deno.test("the form of the Tabularis client", async (t) => {
  const params = {
    driver: "saber-postgres",
    username: KEEPER,
    password: SECRET,
    database: "shop",
    ssl_mode: "disable",
  };
  const form = (more: object) => ({ params: { ...params, ...more } });
  const forms: { readonly [what: string]: object } = {
    refused: form({ host: "127.0.0.1", port: 1 }),
    "another user": form({ host: "127.0.0.1", port: postgres.port, username: "reader" }),
    "the right password": form({ host: "127.0.0.1", port: postgres.port }),
    "a bad port": form({ host: "127.0.0.1", port: SECRET }),
    "a bad mode": form({ host: "127.0.0.1", port: 1, ssl_mode: SECRET }),
    "a bad address": form({ connection_string: `postgres://${KEEPER}:${SECRET}@127.0.0.1:1/shop` }),
    MariaDB: form({ driver: "saber-mysql", host: "127.0.0.1", port: mariadb.port, username: "reader" }),
  };
  for (const [what, given] of Object.entries(forms)) {
    await t.step(what, async () => {
      const input = lines(
        request(1, "test_connection", given),
        request(2, "get_tables", { ...given, schema: "public" }),
        request(3, "execute_query", { ...given, query: "SELEC 1" }),
      );
      check(what, await runProgram({ args: ["plugin"], input }));
    });
  }
});
