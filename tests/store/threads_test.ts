import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { openSaberDb } from "../../src/store/saber_db.ts";
import { type Added, ThreadStore } from "../../src/store/threads.ts";
import type { StoredMessage } from "../../src/store/transcript.ts";

const ABOUT = { databases: ["shop"], selectors: null, model: "openai:recorded" };

function turn(text: string): StoredMessage[] {
  return [
    { role: "user", content: text, timestamp: 1 },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s1g" },
        { type: "text", text: `about ${text}` },
        {
          type: "toolCall",
          id: "c1",
          name: "execute_sql",
          argumentsText: '{"query":"SELECT 9007199254740993"}',
        },
      ],
      model: "recorded",
      usage: { inputTokens: 3 },
      stopReason: "toolUse",
      timestamp: 2,
    },
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "execute_sql",
      content: "{}",
      isError: false,
      timestamp: 3,
    },
  ];
}

const added = (text: string, before: StoredMessage[] = []): Added => ({
  before,
  turn: turn(text),
  about: ABOUT,
});

async function withFolder(
  test: (open: () => Promise<ThreadStore>, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const opened: ThreadStore[] = [];
  try {
    await test(async () => {
      const store = new ThreadStore(await openSaberDb(`${folder}/data`));
      opened.push(store);
      return store;
    }, `${folder}/data`);
  } finally {
    for (const store of opened) store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a thread comes back as it was committed, in another process's eyes too", async () => {
  await withFolder(async (open) => {
    const store = await open();
    const first = await store.commit(null, added("one"));
    const second = await store.commit(first.place, added("two", turn("one")));
    assert.deepEqual(second, { place: { id: first.place.id, turns: 2 }, forked: false });
    const other = await open();
    assert.deepEqual(other.messages(first.place.id), [...turn("one"), ...turn("two")]);
    const info = other.find(first.place.id);
    assert.equal(info?.title, "one");
    assert.deepEqual([info?.databases, info?.selectors, info?.turns], [["shop"], null, 2]);
  });
});

Deno.test("two who go on with one thread both keep all their turns", async () => {
  await withFolder(async (open) => {
    const [ours, theirs] = [await open(), await open()];
    const { place } = await ours.commit(null, added("one"));
    await theirs.commit(place, added("theirs", turn("one")));
    const fork = await ours.commit(place, added("ours", turn("one")));
    assert.equal(fork.forked, true);
    assert.notEqual(fork.place.id, place.id);
    assert.deepEqual(ours.messages(place.id), [...turn("one"), ...turn("theirs")]);
    assert.deepEqual(ours.messages(fork.place.id), [...turn("one"), ...turn("ours")]);
    const next = await ours.commit(fork.place, added("more"));
    assert.deepEqual(next, { place: { id: fork.place.id, turns: 3 }, forked: false });
  });
});

Deno.test("a thread that was removed in the meantime is kept again, whole", async () => {
  await withFolder(async (open) => {
    const store = await open();
    const { place } = await store.commit(null, added("one"));
    assert.equal(await store.remove(place.id), true);
    assert.equal(await store.remove(place.id), false);
    const again = await store.commit(place, added("two", turn("one")));
    assert.deepEqual(store.messages(again.place.id), [...turn("one"), ...turn("two")]);
  });
});

Deno.test("threads are listed latest first and pruned by age", async () => {
  await withFolder(async (open) => {
    const store = await open();
    for (const text of ["a", "b", "c"]) await store.commit(null, added(text));
    assert.deepEqual(store.list(10).map(({ title }) => title).sort(), ["a", "b", "c"]);
    assert.equal(store.list(2).length, 2);
    assert.equal(await store.prune(0), 0);
    assert.equal(await store.prune(Date.now() + 1), 3);
    assert.deepEqual([...store.texts()], []);
  });
});

Deno.test("only the user may read what is kept", async () => {
  if (Deno.build.os === "windows") return; // it has no such modes
  await withFolder(async (open, folder) => {
    await (await open()).commit(null, added("one"));
    assert.equal(((await Deno.stat(folder)).mode ?? 0) & 0o777, 0o700);
    for await (const { name } of Deno.readDir(folder)) {
      assert.equal(((await Deno.stat(`${folder}/${name}`)).mode ?? 0) & 0o777, 0o600, name);
    }
  });
});

Deno.test("a database of a newer version is refused and left alone", async () => {
  await withFolder(async (open, folder) => {
    await open();
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(`${folder}/saber.db`);
    db.exec("PRAGMA user_version = 99");
    db.close();
    await assert.rejects(openSaberDb(folder), /newer version/);
  });
});

Deno.test("a turn that cannot be written is refused with the reason, and can be written later", async () => {
  const folder = await Deno.makeTempDir();
  const db = await openSaberDb(folder);
  const other = await openSaberDb(folder);
  const store = new ThreadStore(db);
  const { place } = await store.commit(null, added("one"));
  const refused = (says: RegExp, more: Pick<Added, "signal"> = {}) =>
    assert.rejects(
      store.commit(place, { ...added("x".repeat(1 << 20)), ...more }),
      (error) => error instanceof Fault && error.code === "unavailable" && says.test(error.message),
    );
  other.exec("BEGIN IMMEDIATE");
  const held = /^Cannot write to the program's own database: another program holds it\. Try again when/;
  await refused(held);
  const stop = new AbortController();
  let turns = 0; // of the event loop, which is not held up
  const ticks = setInterval(() => ++turns === 3 && stop.abort(), 10);
  await refused(held, stop);
  clearInterval(ticks);
  assert.equal(stop.signal.aborted, true);
  other.exec("COMMIT");
  db.exec("PRAGMA max_page_count = 20");
  await refused(/^Cannot write to the program's own database: the disk is full\. Free some space\.$/);
  db.exec("PRAGMA max_page_count = 1000000");
  assert.equal((await store.commit(place, added("two"))).place.turns, 2);
  for (const each of [db, other]) each.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a damaged row does not hide the others, and a damaged file is told apart from a folder without room", async () => {
  await withFolder(async (open, folder) => {
    const store = await open();
    await store.commit(null, added("whole"));
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(`${folder}/saber.db`);
    db.exec("UPDATE threads SET databases = 'no JSON', selectors = '{'");
    db.close();
    assert.deepEqual(store.list(10).map(({ title, databases, selectors }) => [title, databases, selectors]), [
      ["whole", [], null],
    ]);
  });
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/saber.db`,
    "this is no database, but a text that is longer than a header".repeat(9),
  );
  await assert.rejects(openSaberDb(folder), /damaged, or no SQLite database\. Move it away/);
  await assert.rejects(openSaberDb(`${folder}/saber.db`), /its folder can be written/);
  await Deno.remove(folder, { recursive: true });
});
