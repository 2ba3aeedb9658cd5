/** The program's own database is made by several processes at the same moment. */
import assert from "node:assert/strict";
import { openSaberDb } from "../../src/store/saber_db.ts";

const MODULE = new URL("../../src/store/saber_db.ts", import.meta.url).href;
/** Opens the database at a given time, in milliseconds since 1970. */
const OPEN = `
  const { openSaberDb } = await import(${JSON.stringify(MODULE)});
  await import("node:sqlite");
  const [folder, time] = JSON.parse(Deno.env.get("AT"));
  while (Date.now() < time);
  (await openSaberDb(folder)).close();
`;
const LEAD_MS = 700;

async function open(folder: string, time: number): Promise<string> {
  const { stderr } = await new Deno.Command("deno", {
    args: ["eval", "-q", "--no-check", OPEN],
    env: { AT: JSON.stringify([folder, time]), NO_COLOR: "1" },
  }).output();
  return new TextDecoder().decode(stderr);
}

Deno.test("processes that make the store at the same moment all have it", async () => {
  for (let round = 0; round < 6; round++) {
    const parent = await Deno.makeTempDir();
    const folder = `${parent}/data`;
    const time = Date.now() + LEAD_MS;
    const failures = await Promise.all(Array.from({ length: 4 }, () => open(folder, time)));
    assert.deepEqual(failures, ["", "", "", ""]);
    const db = await openSaberDb(folder);
    assert.deepEqual({ ...db.prepare("PRAGMA journal_mode").get() }, { journal_mode: "wal" });
    db.close();
    await Deno.remove(parent, { recursive: true });
  }
});
