import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { createLog } from "../../src/base/log.ts";
import { readLogSettings } from "../../src/base/log_settings.ts";

const settings = (variables: { readonly [name: string]: string }) =>
  readLogSettings((name) => variables[name], { folder: "logs" });

Deno.test("the log's variables", () => {
  assert.deepEqual(settings({}), {
    path: "logs/saber.log",
    level: "info",
    toStderr: false,
    rotation: { every: { milliseconds: 86_400_000 }, kept: 14 },
  });
  assert.deepEqual(
    settings({
      SQLSABER_LOG_FILE: "my.log",
      SQLSABER_LOG_LEVEL: "error",
      SQLSABER_LOG_TO_STDERR: "1",
      SQLSABER_LOG_ROTATION: "size",
    }),
    { path: "my.log", level: "error", toStderr: true, rotation: { every: { bytes: 10_485_760 }, kept: 5 } },
  );
  const { rotation } = settings({
    SQLSABER_LOG_WHEN: "h",
    SQLSABER_LOG_INTERVAL: "6",
    SQLSABER_LOG_BACKUP_COUNT: "2",
  });
  assert.deepEqual(rotation, { every: { milliseconds: 6 * 3_600_000 }, kept: 2 });
  for (
    const [name, value] of [["LEVEL", "loud"], ["ROTATION", "never"], ["WHEN", "noon"], ["BACKUP_COUNT", "0"]]
  ) {
    assert.throws(
      () => settings({ [`SQLSABER_LOG_${name}`]: `${value}` }),
      (error) =>
        error instanceof Fault && error.code === "usage" &&
        error.message.startsWith(`SQLSABER_LOG_${name} must be `),
    );
  }
});

Deno.test("entries below the level are dropped", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), "warning");
  log("a", { level: "info" });
  log("b", { level: "warning" });
  log("c", { level: "error" });
  assert.deepEqual(lines.map((line) => JSON.parse(line).message), ["b", "c"]);
});
