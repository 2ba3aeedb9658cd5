/**
 * `saber db add` at a real terminal: what is missing is asked for, and a password is not seen.
 */
import assert from "node:assert/strict";
import { Terminal } from "../../support/tmux.ts";

const ignore = Deno.build.os === "windows"; // it has no tmux

Deno.test({ name: "an address and its password are asked for", ignore }, async () => {
  await using terminal = await Terminal.open();
  await terminal.saber('db add pg; echo "ended with $?"');
  await terminal.until(/File, or address/);
  await terminal.type("postgresql://joe@db.example.com/sales");
  await terminal.key("Enter");
  await terminal.until(/Password of joe/);
  await terminal.type("se cretX");
  await terminal.key("BSpace");
  await terminal.key("Enter");
  const screen = await terminal.until(/ended with 0/);
  assert.match(screen, /Saved pg \(postgresql\), the default\./);
  assert.ok(!screen.includes("cret"), screen);
  const kept = await Deno.readTextFile(`${terminal.folder}/home/.config/sqlsaber/database_passwords.json`);
  assert.deepEqual(JSON.parse(kept), { pg_joe: "se cret" });
});

Deno.test(
  { name: "Ctrl+C at the password saves nothing, and the terminal echoes again", ignore },
  async () => {
    await using terminal = await Terminal.open();
    await terminal.saber('db add pg postgresql://joe@db.example.com/sales; echo "ended with $?"');
    await terminal.until(/Password of joe/);
    await terminal.key("C-c");
    await terminal.until(/ended with 1/);
    await terminal.type("echo seen again");
    await terminal.until(/^\$ echo seen again$/m);
  },
);
