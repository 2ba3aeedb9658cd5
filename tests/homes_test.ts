/**
 * A home that cannot be written, and none at all: each command works there, or says what to do.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { stage } from "./support/ask_stage.ts";
import { startModelServer } from "./support/model_server.ts";
import { NO_KEYRING, saberCommand } from "./support/program.ts";
import { runProgram } from "./support/run_program.ts";
import { shop } from "./support/shop.ts";
import { repository } from "./support/sources.ts";

const ignore = Deno.build.os !== "linux"; // a home that even root cannot write is a file system of its own there
const ANSWER = { stream: "openai/text.sse" };
const CANNOT_SAVE = /cannot be written\. Check that its folder can be\.$/m;

type Expected = readonly [code: number, says: RegExp];

/** What happens where nothing can be written, and where all is well but HOME is missing. */
const COMMANDS: {
  readonly [line: string]: { readonly input?: string; readOnly: Expected; homeless: Expected };
} = {
  "sql -d DATA SELECT 1 AS one": { readOnly: [0, /one/], homeless: [0, /one/] },
  "-d DATA --output markdown Wie viele?": {
    readOnly: [0, /Es gibt 63[\s\S]*the conversation could not be saved/],
    homeless: [0, /Es gibt 63/],
  },
  "threads list": {
    readOnly: [1, /its folder can be written/],
    homeless: [0, /Es gibt 63|Wie viele|No conversations/],
  },
  "db add orders DATA": { readOnly: [1, CANNOT_SAVE], homeless: [0, /Saved orders/] },
  "db list": { readOnly: [0, /No connections are saved/], homeless: [0, /orders/] },
  "auth setup openai": { input: "sk-1", readOnly: [1, CANNOT_SAVE], homeless: [0, /Kept the key/] },
  "models set openai:gpt-5": { readOnly: [1, CANNOT_SAVE], homeless: [0, /The model is now/] },
  "theme set dark": { readOnly: [1, CANNOT_SAVE], homeless: [0, /The theme is now/] },
  "knowledge add a b -d orders": { readOnly: [1, /saber db list/], homeless: [0, /Added/] },
  "doctor -d DATA --model openai:test": {
    readOnly: [1, /settings: .+ cannot be written\n +Make it writable/],
    homeless: [0, /ok {3}settings/],
  },
};

async function tryAll(
  kind: "readOnly" | "homeless",
  home: { readonly [name: string]: string },
): Promise<void> {
  await using models = startModelServer(() => ANSWER);
  const env = {
    ...NO_KEYRING,
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: models.baseUrl,
    SQLSABER_LOG_TO_STDERR: "0",
  };
  const model = { SQLSABER_MODEL: "openai:test" };
  const database = await shop("sqlite");
  for (const [line, { input, ...expected }] of Object.entries(COMMANDS)) {
    const args = wordsOf(line).map((word) => word === "DATA" ? database : word);
    const { code, stdout, stderr } = await runProgram({
      args,
      ...input === undefined ? {} : { input },
      env: { ...env, ...model, ...home },
    });
    const [wanted, says] = expected[kind];
    assert.match(`${stdout}${stderr}`, says, line);
    assert.equal(code, wanted, `${line}: ${stderr}`);
  }
}

/** The last words of a statement or question are one argument. */
function wordsOf(line: string): string[] {
  const [, words = "", text] = /^(.*?)(?: (SELECT .*|Wie .*))?$/.exec(line) ?? [];
  return [...words.split(" "), ...text === undefined ? [] : [text]];
}

Deno.test({ name: "a home that cannot be written", ignore }, async (t) => {
  await using home = await readOnlyFolder();
  await t.step("commands", () => tryAll("readOnly", { HOME: home.path }));
  await t.step("a conversation", async () => {
    await using at = await stage([ANSWER], { env: { HOME: home.path } });
    await at.ask("");
    await at.terminal.until(/❯$/);
    await at.terminal.type("Wie viele?");
    await at.terminal.key("Enter");
    await at.terminal.until(/Es gibt 63[\s\S]*the conversation could not be saved[\s\S]*❯$/);
    await at.terminal.key("C-d");
    await at.terminal.until(/\n\$$/);
  });
});

Deno.test({ name: "no home in the environment", ignore }, async () => {
  const folder = await Deno.makeTempDir({ prefix: "saber-homeless-" });
  // the system would name the home of whoever runs the tests, which is not to be touched
  const places = {
    XDG_CONFIG_HOME: join(folder, "a"),
    XDG_DATA_HOME: join(folder, "b"),
    XDG_STATE_HOME: join(folder, "c"),
  };
  await tryAll("homeless", { HOME: "", USERPROFILE: "", ...places });
  await Deno.remove(folder, { recursive: true });
});

/** Modes do not stop root: for root it is a file system that was mounted so. */
async function readOnlyFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "saber-read-only-" });
  const isRoot = Deno.uid() === 0;
  if (isRoot) await system("mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", path);
  else await Deno.chmod(path, 0o500);
  return {
    path,
    async [Symbol.asyncDispose]() {
      if (isRoot) await system("umount", path);
      await Deno.remove(path);
    },
  };
}

async function system(command: string, ...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

Deno.test({
  name: "output that a full disk does not take is a failure, a reader that has left is none",
  ignore,
}, async () => {
  const database = await shop("sqlite");
  const run = async (line: string) => {
    const args = ["-c", `${saberCommand().join(" ")} ${line}`, "sh", database];
    const { code, stderr } = await new Deno.Command("sh", { args, cwd: repository }).output();
    return { code, error: new TextDecoder().decode(stderr) };
  };
  for (
    const line of ['sql -d "$1" "SELECT 1"', 'sql -d "$1" --output csv "SELECT * FROM orders"', "theme list"]
  ) {
    const { code, error } = await run(`${line} > /dev/full`);
    assert.equal(code, 1, line);
    assert.match(error, /^saber: Cannot print: stdout cannot be written\. See that its disk has room\.\n$/);
  }
  assert.deepEqual(await run('sql -d "$1" --output csv "SELECT * FROM orders" | head -1'), {
    code: 0,
    error: "",
  });
});
