#!/usr/bin/env node
/**
 * Starts the executable of this system's package as if it had been started itself: the same streams, signals and end.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { isatty } from "node:tty";
import process from "node:process";

const { name, optionalDependencies } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
);
const wanted = `${name}-${process.platform}-${process.arch}`;

function findProgram() {
  try {
    const manifest = import.meta.resolve(`${wanted}/package.json`);
    return fileURLToPath(new URL(process.platform === "win32" ? "saber.exe" : "saber", manifest));
  } catch {
    return undefined;
  }
}

function whyNot() {
  if (Object.hasOwn(optionalDependencies, wanted)) {
    return `the package ${wanted} is not installed. Install ${name} again, with its optional dependencies.`;
  }
  return `there is no package for ${process.platform} on ${process.arch}. Run it from its sources.`;
}

function fail(state) {
  process.stderr.write(`Cannot start saber: ${state}\n`);
  process.exitCode = 1;
}

function start(program) {
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
  // a terminal sends Ctrl+C to both processes, and a second one would mean more than the first
  const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => signal === "SIGINT" && hasTerminal || child.kill(signal));
  }
  child.on("error", ({ message }) => fail(`${message}. Install ${name} again.`));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const program = findProgram();
if (program === undefined) fail(whyNot());
else start(program);
