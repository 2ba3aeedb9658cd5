/**
 * What becomes of sessions when servers die, restart, go silent, are full, or are none at all. Nothing may hang.
 */
import assert from "node:assert/strict";
import { eventually, faultOf, run, within } from "../../suites/database_fixture.ts";
import {
  AdminClient,
  killMariadb,
  ownMariadb,
  READER,
  removeMariadb,
  runningStatements,
  sharedMariadb,
  startMariadb,
} from "../../support/mariadb_server.ts";
import { ask, openMysql, withMysql } from "../../support/mysql_database.ts";
import { SOON_MS } from "../../support/patience.ts";

const server = await sharedMariadb();
const ENDLESS = "SELECT COUNT(*) FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b";

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("a server that is killed and restarted in the middle of a session", async () => {
  const own = await ownMariadb();
  try {
    await withMysql({ server: own }, async (database) => {
      const streaming = await run(database, "SELECT a.seq FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b");
      const running = faultOf(run(database, ENDLESS));
      await ask(database, "SELECT 1");
      await eventually(
        SOON_MS,
        async () => (await runningStatements(own)).some((sql) => sql.includes("COUNT")),
      );
      await killMariadb(own);
      const lost = "Cannot run the statement: the connection to the server was lost. Run it again.";
      assert.deepEqual(await within(SOON_MS, running.then(({ code, message }) => ({ code, message }))), {
        code: "unreachable",
        message: lost,
      });
      assert.equal((await within(SOON_MS, faultOf(Array.fromAsync(streaming.batches)))).message, lost);
      const down = await within(SOON_MS, faultOf(ask(database, "SELECT 1")));
      assert.match(down.message, /^Cannot connect to the database: nothing accepts connections/);
      await startMariadb(own);
      assert.deepEqual((await within(SOON_MS, ask(database, "SELECT 2"))).rows, [[2]]);
      // and between two statements it is not noticed
      await killMariadb(own);
      await startMariadb(own);
      assert.deepEqual((await within(SOON_MS, ask(database, "SELECT 3"))).rows, [[3]]);
    });
  } finally {
    await removeMariadb(own);
  }
});

Deno.test("closing does not wait for a dead server that a reader has left unread", async () => {
  const own = await ownMariadb();
  try {
    const database = await openMysql({ server: own });
    await run(database, "SELECT a.seq FROM seq_1_to_1000000000 a, seq_1_to_1000000000 b");
    await ask(database, "SELECT 1");
    await killMariadb(own);
    await sleep(100);
    await within(SOON_MS, database.close());
  } finally {
    await removeMariadb(own);
  }
});

Deno.test("connections that died while nobody used them are replaced unseen", async () => {
  const admin = new AdminClient(server);
  try {
    await withMysql({ server, login: READER }, async (database) => {
      for (let round = 0; round < 3; round++) {
        await Promise.all(Array.from({ length: 4 }, () => ask(database, "SELECT SLEEP(0.05)")));
        const ids = await admin.rows("SELECT id FROM information_schema.processlist WHERE user = 'reader'");
        assert(ids.length >= 4);
        for (const [id] of ids) await admin.run(`KILL CONNECTION ${id}`);
        assert.deepEqual((await ask(database, `SELECT ${round}`)).rows, [[round]]);
      }
      await Promise.all(Array.from({ length: 8 }, () => ask(database, "SELECT 1")));
    });
  } finally {
    admin.end();
  }
});

Deno.test("a server that has no connection left says so, and is asked again by the next statement", async () => {
  const admin = new AdminClient(server);
  try {
    await admin.run("GRANT USAGE ON *.* TO reader@'%' WITH MAX_USER_CONNECTIONS 2");
    await withMysql({ server, login: READER }, async (database) => {
      const running = Array.from({ length: 2 }, () => ask(database, "SELECT SLEEP(5)"));
      const sleeping = async () =>
        (await runningStatements(server)).filter((sql) => sql.includes("SLEEP(5)"));
      await eventually(SOON_MS, async () => (await sleeping()).length === 2);
      const fault = await faultOf(ask(database, "SELECT 1"));
      assert.equal(fault.code, "busy");
      await Promise.all(running);
      await ask(database, "SELECT 1");
    });
  } finally {
    await admin.run("GRANT USAGE ON *.* TO reader@'%' WITH MAX_USER_CONNECTIONS 0");
    admin.end();
  }
});

/** Passes everything on to the server until it is told to go silent. */
class Wire implements AsyncDisposable {
  readonly port: number;
  isSilent = false;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #connections = new Set<Deno.Conn>();
  readonly #serving: Promise<void>;

  constructor() {
    this.port = this.#listener.addr.port;
    this.#serving = this.#serve();
  }

  async #serve(): Promise<void> {
    const piping: Promise<void>[] = [];
    for await (const client of this.#listener) {
      const upstream = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      this.#connections.add(client).add(upstream);
      piping.push(this.#pipe(client, upstream), this.#pipe(upstream, client));
    }
    await Promise.all(piping);
  }

  async #pipe(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        if (!this.isSilent) await to.write(buffer.slice(0, count));
      }
      to.close();
    } catch {
      // one of the two has been closed
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#connections) {
      try {
        connection.close();
      } catch {
        // already closed
      }
    }
    await this.#serving;
  }
}

Deno.test("a network that goes silent ends in a timeout, and a second later at most", async () => {
  await using wire = new Wire();
  const hosts = [{ host: "127.0.0.1", port: wire.port }];
  await withMysql({ server, target: { hosts }, timeoutMs: 5000 }, async (database) => {
    await ask(database, "SELECT 1");
    wire.isSilent = true;
    const fault = await within(SOON_MS, faultOf(ask(database, "SELECT 2")));
    assert.equal(fault.code, "timeout");
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const aborted = await within(SOON_MS, faultOf(ask(database, "SELECT 3", { signal: abort.signal })));
    assert.equal(aborted.code, "cancelled");
    wire.isSilent = false;
    assert.deepEqual((await ask(database, "SELECT 4")).rows, [[4]]);
  });
});

Deno.test("a network that goes silent while rows come: an abort ends the reading", async () => {
  await using wire = new Wire();
  const hosts = [{ host: "127.0.0.1", port: wire.port }];
  await withMysql({ server, target: { hosts } }, async (database) => {
    const abort = new AbortController();
    const sql = "SELECT seq, REPEAT('x', 1000) FROM seq_1_to_10000000";
    const { batches } = await run(database, sql, abort.signal);
    const reading = faultOf(Array.fromAsync(batches, (rows) => rows.length));
    await sleep(100);
    wire.isSilent = true;
    abort.abort();
    assert.equal((await within(SOON_MS, reading)).code, "cancelled");
  });
});

Deno.test("closing takes at most a second, also when the network is silent", async () => {
  await using wire = new Wire();
  const hosts = [{ host: "127.0.0.1", port: wire.port }];
  const database = await openMysql({ server, target: { hosts } });
  const running = faultOf(run(database, ENDLESS));
  await ask(database, "SELECT 1");
  wire.isSilent = true;
  await within(SOON_MS, database.close());
  assert.equal((await running).code, "closed");
  // nobody could tell the server
  const admin = new AdminClient(server);
  const left = "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT COUNT(*) FROM seq%'";
  for (const [id] of await admin.rows(left)) await admin.run(`KILL ${id}`);
  admin.end();
});

/** A server of something else, or of nothing at all. */
function listen(answer: string): Deno.TcpListener & AsyncDisposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      connections.push(connection);
      await connection.write(new TextEncoder().encode(answer)).catch(() => {});
    }
  })();
  return Object.assign(listener, {
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of connections) connection.close();
      await serving;
    },
  });
}

Deno.test("a port that accepts and says nothing, or speaks another language, is no server", async () => {
  for (const answer of ["", "HTTP/1.1 400 Bad Request\r\n\r\n", "\u0000".repeat(100), "x".repeat(100_000)]) {
    await using other = listen(answer);
    const hosts = [{ host: "127.0.0.1", port: other.addr.port }];
    await withMysql({ server, target: { hosts } }, async (database) => {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), 300);
      const fault = await within(SOON_MS, faultOf(ask(database, "SELECT 1", { signal: abort.signal })));
      clearTimeout(timer);
      assert.match(
        fault.code,
        /^(?:unreachable|cancelled|database_error)$/,
        `${JSON.stringify(answer.slice(0, 20))}: ${fault.code}`,
      );
    });
  }
});

Deno.test("a host that never answers is left for the next one", async () => {
  await using silent = listen("");
  const hosts = [{ host: "127.0.0.1", port: silent.addr.port }, { host: "127.0.0.1", port: server.port }];
  await withMysql({ server, target: { hosts }, timeoutMs: 8000 }, async (database) => {
    assert.deepEqual((await ask(database, "SELECT 5")).rows, [[5]]); // the timeout would be a failure
  });
});
