/**
 * How the MySQL engine finds, enters and sets up a server, and what it says when it can't.
 */
import assert from "node:assert/strict";
import { Fault } from "../../../src/base/fault.ts";
import type { Server, Tls } from "../../../src/db/driver.ts";
import {
  ADMIN,
  AdminClient,
  ownMariadb,
  READER,
  removeMariadb,
  sharedMariadb,
  TLS_FILES,
  TLS_ONLY,
} from "../../support/mariadb_server.ts";
import { SOON_MS } from "../../support/patience.ts";
import { ask, type Opening, openMysql, withMysql } from "../../support/mysql_database.ts";

const server = await sharedMariadb();
const CA = `${TLS_FILES}ca.crt`;
const OTHER_CA = `${TLS_FILES}other_ca.crt`;

/** Connects and asks once; a Fault as its code and message. */
async function attempt(opening: Omit<Opening, "server">, query = "SELECT 1"): Promise<unknown> {
  const database = await openMysql({ server, ...opening });
  try {
    return (await ask(database, query)).rows[0]?.[0];
  } catch (error) {
    assert(error instanceof Fault, String(error));
    for (
      const secret of [ADMIN.user, ADMIN.password, READER.user, "127.0.0.1", "localhost", String(server.port)]
    ) {
      assert(!error.message.includes(secret), `${error.message} holds ${secret}`);
    }
    assert.match(error.message, /^Cannot [^:]+: .+\.$/);
    return `${error.code}: ${error.message}`;
  } finally {
    await database.close();
  }
}

function overTls(tls: Tls, host = "localhost"): Partial<Server> {
  return { tls, hosts: [{ host, port: server.port }] };
}

const CIPHER =
  "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'";

Deno.test("it connects over TCP and through a socket, with passwords full of odd characters", async () => {
  const socket = { hosts: [{ host: server.socket, port: 0 }] };
  assert.equal(await attempt({ login: READER }, "SELECT CURRENT_USER()"), "reader@%");
  assert.equal(await attempt({ login: READER, target: socket }, "SELECT CURRENT_USER()"), "reader@%");
  assert.equal(await attempt({}, "SELECT DATABASE()"), "shop");
});

Deno.test("it tries hosts in order until one answers", async () => {
  const dead = { host: "127.0.0.1", port: 1 };
  const missing = { host: `${server.socket}.gone`, port: 0 };
  const alive = { host: "127.0.0.1", port: server.port };
  assert.equal(await attempt({ target: { hosts: [missing, dead, alive, dead] } }), 1);
  assert.equal(
    await attempt({ target: { hosts: [dead, missing] } }),
    "unreachable: Cannot connect to the database: there is no such socket. Check that the server runs and where its socket is.",
  );
  assert.equal(
    await attempt({ target: { hosts: [missing, dead] } }),
    "unreachable: Cannot connect to the database: nothing accepts connections at that host and port. Check that the server runs.",
  );
  assert.equal(
    await attempt({ target: { hosts: [{ host: "no-such-host.invalid", port: 1 }] } }),
    "unreachable: Cannot connect to the database: the host name is unknown. Check its spelling.",
  );
});

Deno.test("a refused login is not tried on other hosts, and tells no secret", async () => {
  const refused =
    "auth_failed: Cannot connect to the database: the server refused the user or the password. Check both.";
  assert.equal(await attempt({ login: { ...READER, password: "wrong" } }), refused);
  assert.equal(await attempt({ login: { user: "nobody_there", password: "" } }), refused);
  assert.equal(
    await attempt({ target: { database: "gone" } }),
    "bad_target: Cannot connect to the database: the server has no database of that name. Check the name.",
  );
  assert.equal(
    await attempt({ login: READER, target: { database: "mysql" } }),
    "auth_failed: Cannot connect to the database: the user may not use a database of that name. Check both.",
  );
});

Deno.test("TLS: prefer, require and both kinds of verification do what they say", async () => {
  assert.equal(await attempt({ target: overTls({ mode: "disable" }) }, CIPHER), 0);
  assert.equal(await attempt({ target: overTls({ mode: "prefer" }) }, CIPHER), 1);
  assert.equal(await attempt({ target: overTls({ mode: "require" }) }, CIPHER), 1);
  assert.equal(await attempt({ target: overTls({ mode: "require" }), login: TLS_ONLY }, CIPHER), 1);
  assert.equal(await attempt({ target: overTls({ mode: "require", ca: CA }) }, CIPHER), 1);
  assert.equal(await attempt({ target: overTls({ mode: "verify-ca", ca: CA }, "127.0.0.1") }, CIPHER), 1);
  assert.equal(await attempt({ target: overTls({ mode: "verify-full", ca: CA }) }, CIPHER), 1);
  assert.match(
    String(await attempt({ target: overTls({ mode: "disable" }), login: TLS_ONLY })),
    /^auth_failed/,
  );
});

Deno.test("TLS: a certificate that does not pass is refused", async () => {
  for (const mode of ["require", "verify-ca", "verify-full"] as const) {
    assert.match(String(await attempt({ target: overTls({ mode, ca: OTHER_CA }) })), /^unreachable: /, mode);
  }
  for (const mode of ["verify-ca", "verify-full"] as const) {
    assert.match(
      String(await attempt({ target: overTls({ mode }) })),
      /^unreachable: /,
      `${mode} without ca`,
    );
  }
  assert.match(
    String(await attempt({ target: overTls({ mode: "verify-full", ca: CA }, "127.0.0.1") })),
    /^bad_target: Cannot verify the server's identity: the host is an address/,
  );
  assert.match(
    String(await attempt({ target: overTls({ mode: "verify-ca", ca: `${CA}.gone` }) })),
    /^bad_target: Cannot read the TLS file/,
  );
});

Deno.test("a server without TLS: prefer does without, require does not", async () => {
  const plain = await ownMariadb(["--skip-ssl"]);
  try {
    const target = { hosts: [{ host: "localhost", port: plain.port }] };
    assert.equal(await attempt({ target: { ...target, tls: { mode: "prefer" } } }), 1);
    assert.equal(
      await attempt({ target: { ...target, tls: { mode: "require" } } }),
      "unreachable: Cannot connect to the database: the server does not offer TLS. Check the TLS mode.",
    );
  } finally {
    await removeMariadb(plain);
  }
});

Deno.test("the session reads quotes and text as the guard does, whatever the server's defaults are", async () => {
  const odd = await ownMariadb();
  const admin = new AdminClient(odd);
  await admin.run(
    "SET GLOBAL init_connect = 'SET NAMES latin1, autocommit = 0, time_zone = \"+05:00\"'",
    "SET GLOBAL sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,ORACLE,PIPES_AS_CONCAT,STRICT_ALL_TABLES'",
  );
  admin.end();
  try {
    await withMysql(
      { server: odd, login: READER, target: { hosts: [{ host: odd.socket, port: 0 }] } },
      async (database) => {
        const { rows: [row] } = await ask(
          database,
          `SELECT "text", 'a\\'b', 'ü', 'a' || 'b', @@autocommit, @@time_zone, @@character_set_results, @@sql_mode`,
        );
        assert.deepEqual(row?.slice(0, -1), ["text", "a'b", "ü", "ab", 1, "+00:00", "utf8mb4"]);
        assert.match(String(row?.at(-1)), /PIPES_AS_CONCAT.*STRICT_ALL_TABLES/);
        assert.doesNotMatch(String(row?.at(-1)), /ANSI|NO_BACKSLASH|ORACLE/);
      },
    );
  } finally {
    await removeMariadb(odd);
  }
});

Deno.test("a session only reads, has the server's own bounds, and may read no files of ours", async () => {
  await withMysql({ server, timeoutMs: 5000 }, async (database) => {
    const { rows: [row] } = await ask(
      database,
      "SELECT @@tx_read_only, @@max_statement_time, @@net_write_timeout, @@group_concat_max_len >= 1048576, @@in_transaction",
    );
    assert.deepEqual(row, [1, 605, 605, 1, 1]);
  });
  await withMysql({ server, access: "write" }, async (database) => {
    const { rows: [row] } = await ask(database, "SELECT @@tx_read_only, @@in_transaction, @@autocommit");
    assert.deepEqual(row, [0, 0, 1]);
    await assert.rejects(ask(database, "LOAD DATA LOCAL INFILE 'x' INTO TABLE orders"), { name: "Fault" });
  });
});

Deno.test("connections are opened when needed, shared, bounded, and left behind by nobody", async () => {
  const admin = new AdminClient(server);
  const count = async () =>
    Number(
      (await admin.rows("SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'reader'"))[0]?.[0],
    );
  try {
    const database = await openMysql({ server, login: READER });
    assert.equal(await count(), 0);
    for (let i = 0; i < 5; i++) await ask(database, "SELECT 1");
    assert.equal(await count(), 1);
    await Promise.all(Array.from({ length: 30 }, () => ask(database, "SELECT SLEEP(0.02)")));
    assert.equal(await count(), 8);
    await database.close();
    await database.close();
    const end = Date.now() + SOON_MS;
    while (await count() > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await count(), 0);
    await assert.rejects(ask(database, "SELECT 1"), { code: "closed" });
  } finally {
    admin.end();
  }
});
