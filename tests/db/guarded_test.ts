import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import type { Access, Cursor, Database, Dialect, Query } from "../../src/db/driver.ts";
import { guard } from "../../src/db/guarded.ts";
import type { Row } from "../../src/db/values.ts";
import { DUCKDB_DIALECT } from "../support/dialects.ts";
import { SOON_MS } from "../support/patience.ts";

const CAPS = { unlimited: 10, limited: 50 };

interface Behaviour {
  /** Rows that the statement has, and how many come at once. */
  readonly rows?: number;
  readonly batch?: number;
  /** Milliseconds before the cursor, and before each batch. */
  readonly startMs?: number;
  readonly batchMs?: number;
  /** An engine that does not obey the signal. */
  readonly isDeaf?: boolean;
  readonly error?: unknown;
  readonly affected?: number;
  readonly dialect?: Dialect;
}

/** A database of numbers: it counts, obeys the signal as an engine should, and tells what happened to it. */
class Numbers implements Database {
  readonly dialect: Dialect;
  readonly log: string[] = [];
  /** Ends what it waits for. */
  wake: () => void = () => {};
  readonly #behaviour: Behaviour;

  constructor(behaviour: Behaviour = {}) {
    this.dialect = behaviour.dialect ?? DUCKDB_DIALECT;
    this.#behaviour = behaviour;
  }

  async run({ sql, signal }: Query): Promise<Cursor> {
    this.log.push(sql);
    const { startMs = 0, error, affected } = this.#behaviour;
    await this.#wait(startMs, signal);
    if (error !== undefined) throw error;
    const isDone = () => this.log.includes("end");
    return {
      columns: [{ name: "n", type: "INTEGER" }],
      batches: this.#count(signal),
      close: () => {
        this.log.push("close");
        return Promise.resolve();
      },
      get affected() {
        return isDone() ? affected : undefined;
      },
    };
  }

  async *#count(signal: AbortSignal): AsyncGenerator<readonly Row[]> {
    const { rows = 3, batch = 4, batchMs = 0 } = this.#behaviour;
    try {
      for (let from = 0; from < rows; from += batch) {
        await this.#wait(batchMs, signal);
        yield Array.from({ length: Math.min(batch, rows - from) }, (_, offset) => [from + offset]);
        this.log.push(`read ${from}`);
      }
      this.log.push("end");
    } finally {
      this.log.push("stopped");
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms === 0) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.wake = resolve;
    const stop = () => reject(new Error("the engine was interrupted"));
    if (!this.#behaviour.isDeaf) signal.addEventListener("abort", stop);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  async tables({ signal }: { signal: AbortSignal }) {
    await this.#wait(this.#behaviour.startMs ?? 0, signal);
    return [{ schema: "main", name: "t", kind: "table" as const }];
  }

  describe() {
    return Promise.reject(new TypeError("a defect with the value s3cret"));
  }

  close() {
    this.log.push("closed");
    return Promise.resolve();
  }
}

function run(
  numbers: Numbers,
  sql: string,
  options: { access?: Access; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Cursor> {
  const { access = "read", timeoutMs = 5000, signal = new AbortController().signal } = options;
  return guard(numbers, { access, timeoutMs }).run({ sql, caps: CAPS, signal });
}

async function readAll(cursor: Cursor): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of cursor.batches) rows.push(...batch.map((row) => row[0]));
  return rows;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(error instanceof Fault, String(error));
  return error;
}

Deno.test("rows pass up to the cap, and one more row is known but not handed out", async () => {
  const cases: [string, number, number, boolean, boolean][] = [
    // statement, rows of the engine, rows handed out, added, truncated
    ["SELECT n FROM t", 3, 3, true, false],
    ["SELECT n FROM t", 10, 10, true, false],
    ["SELECT n FROM t", 11, 10, true, true],
    ["SELECT n FROM t", 1000, 10, true, true],
    ["SELECT n FROM t LIMIT 50", 50, 50, false, false],
    ["SELECT n FROM t LIMIT 5000", 50, 50, false, false],
    ["SELECT n FROM t LIMIT 5000", 51, 50, false, true],
    ["EXPLAIN SELECT n FROM t", 12, 10, false, true],
    ["VALUES (1)", 12, 10, false, true],
    ["SELECT n FROM t", 0, 0, true, false],
  ];
  for (const [sql, rows, handed, added, truncated] of cases) {
    for (const batch of [1, 4, 10, 2000]) {
      const numbers = new Numbers({ rows, batch });
      const cursor = await run(numbers, sql);
      assert.deepEqual(await readAll(cursor), upTo(handed), `${sql} ${rows} ${batch}`);
      assert.deepEqual({ ...cursor.limit }, { added, truncated }, `${sql} ${rows} ${batch}`);
      assert.equal(numbers.log.at(-1), "stopped");
    }
  }
});

Deno.test("the engine runs the edited text, and never sees what is refused", async () => {
  const numbers = new Numbers();
  await readAll(await run(numbers, "SELECT n FROM t LIMIT 5000 -- x"));
  assert.equal(numbers.log[0], "SELECT n FROM t LIMIT 51 -- x");
  for (const sql of ["DELETE FROM t", "SELECT 1; SELECT 2", "SELECT n FROM t LIMIT ALL", "SELECT 'a"]) {
    const refused = new Numbers();
    await faultOf(run(refused, sql));
    assert.deepEqual(refused.log, []);
  }
});

Deno.test("the dialect's own parser judges what will run, and its refusal stops it", async () => {
  const judged: unknown[] = [];
  const dialect: Dialect = {
    ...DUCKDB_DIALECT,
    judge: (sql, access) => {
      judged.push([sql, access]);
      return sql.includes("pg_sleep")
        ? Promise.reject(
          new Fault("forbidden_function", "Cannot run the statement: pg_sleep waits. Leave it out."),
        )
        : Promise.resolve();
    },
  };
  const numbers = new Numbers({ dialect });
  await readAll(await run(numbers, "SELECT 1"));
  assert.equal((await faultOf(run(numbers, "SELECT pg_sleep(5)"))).code, "forbidden_function");
  assert.deepEqual(judged, [["SELECT 1 LIMIT 11", "read"], ["SELECT pg_sleep(5) LIMIT 11", "read"]]);
  assert.deepEqual(numbers.log.filter((line) => line.startsWith("SELECT")), ["SELECT 1 LIMIT 11"]);
});

Deno.test("a statement that takes too long is stopped in the engine, before its first row and between rows", async () => {
  for (const behaviour of [{ startMs: 600_000 }, { batchMs: 600_000 }]) {
    const numbers = new Numbers(behaviour);
    const start = performance.now();
    const fault = await faultOf(run(numbers, "SELECT n FROM t", { timeoutMs: 100 }).then(readAll));
    assert.equal(fault.code, "timeout");
    assert.match(fault.message, /^Cannot finish the statement: it took more than 0\.1 s and was stopped\./);
    assert.ok(performance.now() - start < SOON_MS);
  }
});

Deno.test("the timeout counts until the first row only", async () => {
  const numbers = new Numbers({ rows: 40, batch: 10, batchMs: 700 });
  const cursor = await run(numbers, "SELECT n FROM t LIMIT 40", { timeoutMs: 2500 });
  assert.deepEqual(await readAll(cursor), upTo(40));
});

Deno.test("the caller's abort reaches the engine: before, during the start, between rows", async () => {
  const early = new Numbers();
  const aborted = AbortSignal.abort();
  assert.equal((await faultOf(run(early, "SELECT 1", { signal: aborted }))).code, "cancelled");
  assert.deepEqual(early.log, []);
  for (const behaviour of [{ startMs: 600_000 }, { batchMs: 600_000 }]) {
    const controller = new AbortController();
    const running = run(new Numbers(behaviour), "SELECT 1", { signal: controller.signal }).then(readAll);
    setTimeout(() => controller.abort(), 50);
    const start = performance.now();
    assert.equal((await faultOf(running)).code, "cancelled");
    assert.ok(performance.now() - start < SOON_MS);
  }
});

Deno.test("an engine that does not stop is not waited for longer than a moment", async () => {
  for (const behaviour of ["startMs", "batchMs"] as const) {
    const controller = new AbortController();
    const numbers = new Numbers({ [behaviour]: 3_600_000, isDeaf: true });
    const running = run(numbers, "SELECT 1", { signal: controller.signal }).then(readAll);
    setTimeout(() => controller.abort(), 20);
    const start = performance.now();
    assert.equal((await faultOf(running)).code, "cancelled");
    const took = performance.now() - start;
    assert.ok(took > 500 && took < SOON_MS, `${took} ms`);
    numbers.wake();
  }
});

Deno.test("leaving the loop early stops the statement, and so does closing a cursor that nobody reads", async () => {
  const left = new Numbers({ rows: 1000 });
  for await (const batch of (await run(left, "SELECT n FROM t LIMIT 50")).batches) {
    assert.equal(batch.length, 4);
    break;
  }
  assert.deepEqual(left.log.slice(1), ["stopped"]);
  const over = new Numbers({ rows: 1000 });
  const controller = new AbortController();
  const stopped = await run(over, "SELECT n FROM t", { signal: controller.signal });
  controller.abort();
  await stopped.close();
  assert.deepEqual(
    over.log.slice(1),
    ["close"],
    "closing after an abort reaches the engine and throws nothing",
  );
  const unread = new Numbers({ rows: 1000 });
  await (await run(unread, "SELECT n FROM t")).close();
  assert.deepEqual(unread.log.slice(1), ["close"]);
});

Deno.test("a statement that writes is read to its end, so that stopping it does not undo it", async () => {
  const numbers = new Numbers({ rows: 30, affected: 30 });
  const cursor = await run(numbers, "INSERT INTO t SELECT 1 RETURNING n", { access: "write" });
  assert.equal(cursor.affected, undefined);
  assert.deepEqual(await readAll(cursor), upTo(10));
  assert.ok(numbers.log.includes("end"));
  assert.equal(cursor.affected, 30);
  assert.equal(cursor.limit?.truncated, true);
  assert.equal(numbers.log[0], "INSERT INTO t SELECT 1 RETURNING n");
});

Deno.test("faults of the engine pass, anything else becomes an internal fault that shows nothing", async () => {
  const syntax = new Fault("syntax_error", "Cannot run the statement: the database does not understand it.");
  assert.equal(await faultOf(run(new Numbers({ error: syntax }), "SELECT 1")), syntax);
  const defect = await faultOf(run(new Numbers({ error: new Error("s3cret") }), "SELECT 1"));
  assert.equal(defect.code, "internal");
  assert.ok(!defect.message.includes("s3cret"));
});

Deno.test("reading the catalog has the same clock, signal and faults", async () => {
  const signal = new AbortController().signal;
  const quick = guard(new Numbers(), { access: "read", timeoutMs: 1000 });
  assert.equal((await quick.tables({ signal })).length, 1);
  const defect = await faultOf(quick.describe({ signal }));
  assert.deepEqual([defect.code, defect.message.includes("s3cret")], ["internal", false]);
  const slow = guard(new Numbers({ startMs: 10_000 }), { access: "read", timeoutMs: 50 });
  assert.match(
    (await faultOf(slow.tables({ signal }))).message,
    /^Cannot finish reading the catalog: .*0\.05 s/,
  );
  const cancelled = await faultOf(slow.tables({ signal: AbortSignal.abort() }));
  assert.equal(cancelled.code, "cancelled");
  const numbers = new Numbers();
  await guard(numbers, { access: "read", timeoutMs: 1000 }).close();
  assert.deepEqual(numbers.log, ["closed"]);
});
