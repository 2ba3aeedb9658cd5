/**
 * Statements that try to make an engine read /etc/passwd, reach the network or start a program, through every mode: they fail,
 * and the system calls of the program, of its children and of the servers show that nothing of the kind was even tried.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { enginePlaces } from "./support/engine_places.ts";
import { sharedMariadb } from "./support/mariadb_server.ts";
import { adminClient, sharedPostgres } from "./support/postgres_server.ts";
import { PASSWD, reachingStatements } from "./support/reaching_statements.ts";
import { needStrace, readCalls, type SystemCall, traced, watchRunning } from "./support/system_calls.ts";
import { type Attempt, MODES } from "./support/through_modes.ts";

const postgres = await sharedPostgres(18);
const mariadb = await sharedMariadb();
await needStrace();

async function serverPids(): Promise<number[]> {
  const files = [join(postgres.folder, "data", "postmaster.pid"), join(mariadb.folder, "pid")];
  return await Promise.all(files.map(async (file) => parseInt(await Deno.readTextFile(file))));
}

/** The calls that a program of ours has no business to make; `ports` are those it may reach. */
function reaching(calls: readonly SystemCall[], ports: readonly number[]): string[] {
  const beginning = new Set<number>();
  return calls.flatMap(({ pid, name, text }) => {
    if (name.startsWith("exec")) beginning.add(pid);
    else if (/\.ts", O_RDONLY/.test(text)) beginning.delete(pid);
    const line = [`${pid} ${name}(${text}`];
    if (name.startsWith("exec")) return isOwnProgram(text) ? [] : line;
    if (name !== "connect") return text.includes(PASSWD) && !beginning.has(pid) ? line : [];
    const port = /sin6?_port=htons\((\d+)\)/.exec(text)?.[1];
    return port === undefined || ports.includes(Number(port)) ? [] : line;
  });
}

/** The program, its SQLite processes, and the shell that starts commands for a host. */
function isOwnProgram(text: string): boolean {
  return /"sqlite-process"|main\.ts|\/saber"|^"[^"]*\/env"/.test(text) || / = -1 ENOENT/.test(text);
}

/** What every database has to answer. */
const HONEST = "SELECT 42 AS n";

for (const [mode, send] of Object.entries(MODES)) {
  Deno.test(`through ${mode} no statement reaches a file, the network or a program`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "saber-reach-" });
    await Deno.chmod(folder, 0o777); // the servers are another user
    await using _ = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
    using trap = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = trap.addr;
    const marker = join(folder, "marker");
    const statements = reachingStatements({ port, marker });
    const attempts = (await enginePlaces(folder, { format: "csv" })).flatMap((place): Attempt[] =>
      [HONEST, ...statements[place.engine]].map((sql) => ({ place, sql }))
    );
    await using servers = await watchRunning(await serverPids(), join(folder, "servers"));
    const files: string[] = [];
    const wrap = (command: readonly string[]) => {
      const file = join(folder, `calls-${files.length}`);
      files.push(file);
      return traced(["env", "DENO_NO_UPDATE_CHECK=1", ...command], file);
    };
    const ports = [postgres.port, mariadb.port];
    const outcomes = await send(attempts, { wrap, serves: (port) => ports.push(port) });
    assert.equal(outcomes.length, attempts.length);
    for (const { sql, failed, text } of outcomes) {
      const isRefused = failed || (mode === "plugin" && /\[\[null\]\]/.test(text)); // MySQL's way where a right is missing
      assert.equal(isRefused, sql !== HONEST, `${sql}\n${text}`);
      assert.doesNotMatch(text, /root:/);
    }
    const own = (await Promise.all(files.map(readCalls))).flat();
    assert.ok(own.some(({ text }) => text.includes("lite.db")));
    assert.deepEqual(reaching(own, ports), []);
    const theirs = await servers.calls();
    assert.deepEqual(theirs.filter(({ name, text }) => name !== "openat" || text.includes(PASSWD)), []);
    await assert.rejects(Deno.stat(marker), Deno.errors.NotFound);
  });
}

Deno.test("what a server opens is seen: past the program it does read the file", async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-reach-" });
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  await using servers = await watchRunning(await serverPids(), join(folder, "servers"));
  const client = adminClient(postgres);
  await client.unsafe(`SELECT pg_read_file('${PASSWD}')`);
  await client.end();
  assert.ok((await servers.calls()).some(({ text }) => text.includes(PASSWD)));
});
