/**
 * The settings of the host: any value is read, and what they say of the log holds.
 */
import assert from "node:assert/strict";
import { Plugin } from "../../../src/modes/plugin/plugin.ts";
import { readSettings } from "../../../src/modes/plugin/settings.ts";

Deno.test("settings of any type are read, and bounded", () => {
  const usual = readSettings(undefined);
  for (
    const sent of [null, 7, "x", [], {}, {
      poolMaxSize: null,
      logLevel: 3,
      timestamptzZone: {},
      readOnly: "no",
    }]
  ) {
    assert.deepEqual(readSettings(sent), usual);
  }
  const texts = { poolMaxSize: "4", statementTimeoutSeconds: "1.5", readOnly: "true" };
  const read = readSettings(texts);
  assert.deepEqual([read.poolMaxSize, read.statementTimeoutMs, read.access], [4, 1500, "read"]);
  const wild = { poolMaxSize: 1e9, connectTimeoutSeconds: -1, maxCellBytes: NaN, maxResponseMiB: "1e9" };
  const bounded = readSettings(wild);
  assert.deepEqual(
    [bounded.poolMaxSize, bounded.connectTimeoutMs, bounded.maxCellBytes, bounded.maxResponseBytes],
    [64, 1000, 4096, 256 << 20],
  );
  assert.equal(usual.timeZone, "UTC");
  assert.equal(readSettings({ timestamptzZone: "session" }).timeZone, undefined);
});

Deno.test("the log keeps what the settings let through", async () => {
  const kept: string[] = [];
  const refuse = () => Promise.reject(new Error("nothing is opened"));
  const log = (message: string) => void kept.push(message);
  const plugin = new Plugin({ workbench: refuse, openWork: refuse, home: "", log }, undefined);
  for (const logLevel of [undefined, "warning", "error", "silent"]) {
    plugin.configure({ logLevel });
    for (const level of ["info", "warning", "error"] as const) plugin.log(`${logLevel} ${level}`, { level });
  }
  assert.deepEqual(kept, [
    "undefined info",
    "undefined warning",
    "undefined error",
    "warning warning",
    "warning error",
    "error error",
    "silent info",
    "silent warning",
    "silent error",
  ]);
  await plugin.close();
});
