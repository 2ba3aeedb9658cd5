/**
 * Completion asked of the shells themselves. PowerShell is not to be had here: its script is only looked at.
 */
import assert from "node:assert/strict";
import { runInstallScript } from "../../support/install_script.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";

const ignore = Deno.build.os !== "linux"; // the shells are Debian's

/** The script for a shell in a file. */
async function withScript(shell: string, test: (path: string, text: string) => Promise<void>): Promise<void> {
  await using program = new Program({ args: ["completions", shell] });
  const lines: string[] = [];
  for (
    let line = await program.line(PATIENCE_MS);
    line !== undefined;
    line = await program.line(PATIENCE_MS)
  ) {
    lines.push(line);
  }
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, lines.join("\n"));
    await test(path, lines.join("\n"));
  } finally {
    await Deno.remove(path);
  }
}

async function ask(shell: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, success } = await new Deno.Command(shell, { args, stdin: "null" }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test({ name: "bash completes commands and flags", ignore }, async () => {
  await withScript("bash", async (path) => {
    const complete = async (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(" ");
      const script =
        `source ${path}; COMP_WORDS=(saber ${typed}); COMP_CWORD=${words.length}; _saber; echo "\${COMPREPLY[@]}"`;
      return (await ask("bash", "-c", script))[0];
    };
    assert.equal(await complete("thr"), "threads");
    assert.equal(await complete("threads", "e"), "export");
    assert.equal(await complete("threads", "export", "some-id", "--fo"), "--format");
    assert.equal(await complete("db", "add", "x", "--h"), "--host --help");
    assert.equal(await complete("--mod"), "--mode --model");
  });
});

Deno.test({ name: "fish completes commands and flags, with their help", ignore }, async () => {
  await runInstallScript("install_shells.sh");
  await withScript("fish", async (path) => {
    const complete = async (typed: string) =>
      await ask("fish", "-c", `source ${path}; complete -C "${typed}"`);
    assert.deepEqual(await complete("saber thr"), [
      "threads\tList, show, export and forget saved conversations.",
    ]);
    assert.deepEqual(await complete("saber threads e"), [
      "export\tWrite one to a file: a web page, Markdown or a notebook.",
    ]);
    assert.deepEqual(await complete("saber db add x --usern"), ["--username\tThe user at the server."]);
  });
});

Deno.test({ name: "zsh takes the script and knows its function", ignore }, async () => {
  await runInstallScript("install_shells.sh");
  await withScript("zsh", async (path) => {
    const script = `autoload -Uz compinit && compinit -D -u && source ${path} && print -r -- $_comps[saber]`;
    assert.deepEqual(await ask("zsh", "-f", "-c", script), ["_saber"]);
    const describe = `_describe() { print -rl -- $options }; compdef() { }; source ${path}; ` +
      `words=(saber threads e); CURRENT=3; _saber`;
    assert.ok(
      (await ask("zsh", "-f", "-c", describe)).includes(
        "export:Write one to a file: a web page, Markdown or a notebook.",
      ),
    );
  });
});

Deno.test("PowerShell gets the same words", async () => {
  await withScript("powershell", (_path, text) => {
    assert.match(text, /^ {2}'threads' = @\(\n[\s\S]*@\('export', 'Write one to a file/m);
    assert.match(text, /Register-ArgumentCompleter -Native -CommandName saber/);
    return Promise.resolve();
  });
});
