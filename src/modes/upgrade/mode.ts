/**
 * `saber upgrade --check`: says whether there is a newer release. It replaces nothing, and no other command asks.
 */
import type { App, Io, Mode } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { printJson, printLines } from "../print.ts";
import { waiting } from "../waiting.ts";
import { isNewer, newestRelease, type ReleaseInfo } from "./newest_release.ts";

export const upgrade: Mode = {
  usage: {
    line: "upgrade --check",
    summary: "Say whether there is a newer release.",
    flags: ["check", "json"],
  },
  run,
};

const PATIENCE_MS = 10_000;

async function run(app: App, io: Io): Promise<number> {
  const { version, given } = app;
  if (!given.flags.check) {
    const how = "saber replaces nothing by itself: replace it the way it was installed";
    throw new Fault(
      "usage",
      `Cannot upgrade: ${how}. 'saber upgrade --check' says whether there is a newer release.`,
    );
  }
  const newest = await askForNewest(app, io);
  const newer = isNewer(newest.version, version);
  if (given.flags.json) {
    await printJson(io, { version, newest: newest.version, isNewer: newer, url: newest.url });
  } else {
    const line = newer
      ? `saber ${newest.version} is out; this is ${version}. ${newest.url}`
      : `This is saber ${version}; the newest release is ${newest.version}.`;
    await printLines(io, [line]);
  }
  return 0;
}

async function askForNewest(app: App, io: Io): Promise<ReleaseInfo> {
  using _wait = await waiting(app, { io, label: "asking" });
  const signal = AbortSignal.any([io.stop, AbortSignal.timeout(PATIENCE_MS)]);
  return await newestRelease(app.config.newestReleaseUrl, signal);
}
