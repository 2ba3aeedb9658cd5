/** How connections are made and refused. How they are lost and replaced is loss_test.ts's. */
import assert from "node:assert/strict";
import { SOON_MS } from "../../support/patience.ts";
import { openPostgres, type OpenPostgresOptions, runAll } from "../../support/postgres_database.ts";
import { faultOf } from "../../suites/database_fixture.ts";
import {
  ADMIN,
  adminClient,
  CERTIFIED,
  ownPostgres,
  type PostgresServer,
  READER,
  removePostgres,
  sharedPostgres,
  TLS_FILES,
} from "../../support/postgres_server.ts";
import { freePort, until } from "../../support/server_process.ts";

const shared = await sharedPostgres(18);
const own = await ownPostgres(18);

/** How the connection that answers is encrypted, else what its certificate is, else the code of the Fault. */
async function reach(options: OpenPostgresOptions, server: PostgresServer = shared): Promise<string> {
  const database = await openPostgres(server, { timeoutMs: 5000, ...options });
  try {
    const sql = "SELECT ssl, current_user FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    const { rows: [row] } = await runAll(database, sql);
    return `${row?.[1]}, ${row?.[0] ? "encrypted" : "plain"}`;
  } catch (error) {
    const fault = await faultOf(Promise.reject(error));
    for (
      const secret of [
        ADMIN.password,
        READER.password,
        READER.user,
        "127.0.0.1",
        "localhost",
        String(server.port),
      ]
    ) {
      assert.ok(!fault.message.includes(secret), fault.message);
    }
    assert.match(fault.message, /^Cannot [^:]+: .+\.$/);
    return /certificate is ([^.]+)/.exec(fault.message)?.[1] ?? fault.code;
  } finally {
    await database.close();
  }
}

const at = (host: string, port = shared.port) => [{ host, port }];
const file = (name: string) => `${TLS_FILES}${name}`;

const STRANGE = "not vouched for by the given authority";

const MODES: { readonly [name: string]: readonly [options: OpenPostgresOptions, outcome: string] } = {
  "disable": [{ tls: { mode: "disable" } }, "reader, plain"],
  "prefer": [{ tls: { mode: "prefer" } }, "reader, encrypted"],
  "require trusts any certificate": [{ tls: { mode: "require" } }, "reader, encrypted"],
  "require with an authority verifies it": [
    { tls: { mode: "require", ca: file("other_ca.crt") } },
    STRANGE,
  ],
  "verify-ca accepts any name": [{ tls: { mode: "verify-ca", ca: file("ca.crt") } }, "reader, encrypted"],
  "verify-ca refuses another authority": [
    { hosts: at("localhost"), tls: { mode: "verify-ca", ca: file("other_ca.crt") } },
    STRANGE,
  ],
  "verify-full accepts the name": [
    { hosts: at("localhost"), tls: { mode: "verify-full", ca: file("ca.crt") } },
    "reader, encrypted",
  ],
  "verify-full refuses another name": [
    { tls: { mode: "verify-full", ca: file("ca.crt") } },
    "for another name",
  ],
  "verify-full refuses another authority": [
    { hosts: at("localhost"), tls: { mode: "verify-full", ca: file("other_ca.crt") } },
    STRANGE,
  ],
  "verify-full without an authority asks the system's": [
    { hosts: at("localhost"), tls: { mode: "verify-full" } },
    STRANGE,
  ],
  "a missing file": [{ tls: { mode: "verify-ca", ca: file("nothing.crt") } }, "bad_target"],
  "a client certificate": [
    {
      login: { user: CERTIFIED },
      hosts: at("localhost"),
      tls: { mode: "verify-full", ca: file("ca.crt"), cert: file("client.crt"), key: file("client.key") },
    },
    "certified, encrypted",
  ],
  "a user whose certificate is missing": [
    { login: { user: CERTIFIED }, hosts: at("localhost"), tls: { mode: "require" } },
    "auth_failed",
  ],
};

for (const [name, [options, outcome]] of Object.entries(MODES)) {
  Deno.test(`TLS: ${name}`, async () => {
    assert.equal(await reach(options), outcome);
  });
}

Deno.test("TLS on a server that has none: prefer goes on without it, all others do not", async () => {
  const admin = adminClient(own, "postgres");
  await admin.unsafe("ALTER SYSTEM SET ssl = off");
  await admin.unsafe("SELECT pg_reload_conf()");
  await admin.end();
  const reachable = async (mode: "prefer" | "require" | "verify-full") => await reach({ tls: { mode } }, own);
  // the server takes the setting over a little later
  await until(async () => await reachable("prefer") === "reader, plain", "TLS is still on");
  assert.equal(await reachable("require"), "unreachable");
  assert.equal(await reachable("verify-full"), "unreachable");
});

Deno.test("a socket is reached by its folder, whatever TLS says", async () => {
  assert.equal(await reach({ hosts: at(shared.folder), tls: { mode: "verify-full" } }), "reader, plain");
  assert.equal(await reach({ hosts: at(shared.folder + "/none") }), "unreachable");
});

Deno.test("wrong passwords, users and databases are told apart", async () => {
  assert.equal(await reach({ login: { user: READER.user, password: "wrong" } }), "auth_failed");
  assert.equal(await reach({ login: { user: READER.user } }), "auth_failed");
  assert.equal(await reach({ login: { user: "nobody at all", password: "x" } }), "auth_failed");
  assert.equal(await reach({ database: "no such database" }), "bad_target");
});

Deno.test("hosts are tried in order, a refused password is not", async () => {
  const dead = freePort();
  const [here] = at("127.0.0.1");
  assert.ok(here);
  assert.equal(await reach({ hosts: [{ host: "127.0.0.1", port: dead }, here] }), "reader, plain");
  assert.equal(await reach({ hosts: [...at("no-such-host.invalid"), here] }), "reader, plain");
  assert.equal(
    await reach({ hosts: [{ host: "127.0.0.1", port: dead }, ...at("127.0.0.1", dead)] }),
    "unreachable",
  );
  assert.equal(await reach({ hosts: [here, here], login: { user: "x", password: "y" } }), "auth_failed");
});

Deno.test("cancelling reaches the host in use", async () => {
  const [here] = at("127.0.0.1");
  assert.ok(here);
  const hosts = [{ host: "127.0.0.1", port: freePort() }, here];
  const database = await openPostgres(shared, { hosts });
  const sql = "SELECT count(*) FROM (SELECT generate_series(1, 9000000000000000)) AS at_the_host_in_use";
  const stop = new AbortController();
  const running = faultOf(runAll(database, sql, stop));
  const admin = adminClient(shared);
  const isRunning = async () => {
    const [row] =
      await admin`SELECT count(*)::int AS n FROM pg_stat_activity WHERE query = ${sql} AND state = 'active'`;
    return row?.n === 1;
  };
  await until(isRunning, "the statement does not run");
  stop.abort();
  assert.equal((await running).code, "cancelled");
  // a connection that is only cut leaves the statement running
  await until(async () => !await isRunning(), "the statement runs on");
  await admin.end();
  await database.close();
});

/** Listens, and does with each connection what it is told to. */
async function withListener(
  handle: (connection: Deno.Conn) => void | Promise<void>,
  use: (port: number) => Promise<void>,
): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      await handle(connection);
    }
  })();
  await use(listener.addr.port);
  listener.close();
  await accepting;
  for (const connection of connections) {
    try {
      connection.close();
    } catch { /* closed by the handler */ }
  }
}

Deno.test("a server that says nothing is given up within the timeout", async () => {
  await withListener(() => {}, async (port) => {
    const begun = Date.now();
    for (const mode of ["disable", "prefer"] as const) {
      const options = { hosts: at("127.0.0.1", port), timeoutMs: 500, tls: { mode } };
      assert.match(await reach(options), /timeout|unreachable/);
    }
    assert.ok(Date.now() - begun < SOON_MS);
  });
});

Deno.test("a server that hangs up, or is none, is unreachable", async () => {
  await withListener((connection) => connection.close(), async (port) => {
    for (const mode of ["disable", "prefer", "verify-full"] as const) {
      assert.equal(await reach({ hosts: at("127.0.0.1", port), tls: { mode } }), "unreachable");
    }
  });
  const speakHttp = async (connection: Deno.Conn) => {
    await connection.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
  };
  await withListener(speakHttp, async (port) => {
    assert.equal(await reach({ hosts: at("127.0.0.1", port), tls: { mode: "prefer" } }), "unreachable");
  });
});

Deno.test("no free connection is told as such", async () => {
  const admin = adminClient(shared);
  await admin.unsafe("CREATE ROLE lonely LOGIN CONNECTION LIMIT 0 PASSWORD 'x'");
  assert.equal(await reach({ login: { user: "lonely", password: "x" } }), "busy");
  await admin.unsafe("DROP ROLE lonely");
  await admin.end();
});

Deno.test("the server of these tests is removed", async () => {
  await removePostgres(own);
});
