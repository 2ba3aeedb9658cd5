/** Questions to the person at the host: one at a time, and what silence means. */
import assert from "node:assert/strict";
import { Approvals } from "../../../src/modes/omp/approvals.ts";
import { Dialogs } from "../../../src/modes/omp/dialogs.ts";

type Told = { readonly id: string; readonly method: string; readonly targetId?: string };

function asking(): { dialogs: Dialogs; told: Told[]; next: () => Promise<Told> } {
  const told: Told[] = [];
  let waiting = Promise.withResolvers<void>();
  let read = 0;
  const dialogs = new Dialogs((_type, fields) => {
    told.push({ id: String(fields.id), method: String(fields.method), targetId: String(fields.targetId) });
    waiting.resolve();
    waiting = Promise.withResolvers();
    return Promise.resolve();
  });
  const next = async (): Promise<Told> => {
    while (told[read] === undefined) await waiting.promise;
    return told[read++] ?? assert.fail();
  };
  return { dialogs, told, next };
}

const signal = new AbortController().signal;

Deno.test("report 18 (can1357/oh-my-pi#9643): a question that nobody answers is closed at the host, and the answer is the safe one", async () => {
  const { dialogs, next } = asking();
  const answer = dialogs.confirm("Run UPDATE on shop?", { message: "UPDATE …", signal, timeoutMs: 50 });
  const { id } = await next();
  assert.equal(await answer, "timed out");
  assert.partialDeepStrictEqual(await next(), { method: "cancel", targetId: id });
  dialogs.answer({ id, confirmed: true });
  const late = dialogs.select("Which?", { options: ["a"], signal, timeoutMs: 50 });
  assert.equal(await late, undefined);
});

Deno.test("questions come one after the other, each with its own answer", async () => {
  const { dialogs, told, next } = asking();
  const first = dialogs.confirm("First?", { message: "", signal });
  const second = dialogs.select("Second?", { options: ["a", "b"], signal });
  const third = dialogs.input("Third?", { signal });
  const one = await next();
  assert.deepEqual(told.map(({ method }) => method), ["confirm"]);
  dialogs.answer({ id: "unknown", confirmed: true });
  dialogs.answer({ id: one.id, confirmed: true });
  dialogs.answer({ id: one.id, confirmed: false });
  assert.equal(await first, "yes");
  dialogs.answer({ id: (await next()).id, value: "b" });
  assert.equal(await second, "b");
  dialogs.answer({ id: (await next()).id, cancelled: true });
  assert.equal(await third, undefined);
});

Deno.test("an answer of another kind is no answer", async () => {
  const { dialogs, next } = asking();
  const confirmed = dialogs.confirm("Sure?", { message: "", signal });
  dialogs.answer({ id: (await next()).id, value: "yes" });
  assert.equal(await confirmed, "no");
  const chosen = dialogs.select("Which?", { options: ["a"], signal });
  dialogs.answer({ id: (await next()).id, confirmed: true });
  assert.equal(await chosen, undefined);
});

Deno.test("report 28 (jmfederico/pi-web#109): an abort, and the end of the host, close what is open and what is still to come", async () => {
  const { dialogs, next } = asking();
  const stop = new AbortController();
  const stopped = dialogs.confirm("First?", { message: "", signal: stop.signal });
  await next();
  stop.abort();
  assert.equal(await stopped, "no");
  const open = dialogs.confirm("Second?", { message: "", signal });
  const waiting = dialogs.input("Third?", { signal });
  dialogs.close();
  assert.deepEqual([await open, await waiting], ["no", undefined]);
});

/** The same questions, to a person who has less time. */
class Hasty extends Dialogs {
  override confirm(title: string, asked: Parameters<Dialogs["confirm"]>[1]) {
    return super.confirm(title, { ...asked, timeoutMs: 20 });
  }
}

Deno.test("a change that nobody answers for in time is not approved, and the model is told why", async () => {
  const methods: string[] = [];
  const dialogs = new Hasty((_type, { method }) => Promise.resolve(void methods.push(String(method))));
  const approvals = new Approvals({ mode: "always-ask", dialogs, touches: () => Promise.resolve(undefined) });
  const sql = "UPDATE visits SET day = 'sunday' WHERE day = 'monday'";
  const asked = approvals.require({ sql, database: "shop", signal });
  await assert.rejects(asked, { code: "permission_denied", message: "Not approved (timed out)" });
  assert.deepEqual(methods, ["confirm", "cancel"]);
});
