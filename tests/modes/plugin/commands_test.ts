/**
 * The command table before and after its commands are loaded.
 */
import assert from "node:assert/strict";
import { allCommands } from "../../../src/modes/plugin/all_commands.ts";
import { commandsOf } from "../../../src/modes/plugin/commands.ts";
import { Plugin } from "../../../src/modes/plugin/plugin.ts";

Deno.test("every command is in the table that is there before they are loaded", async () => {
  const refuse = () => Promise.reject(new Error("nothing is opened"));
  const plugin = new Plugin({ workbench: refuse, openWork: refuse, home: "", log: () => {} }, undefined);
  const line = { cancel: () => {}, close: () => {} };
  const loaded = ["initialize", ...Object.keys(allCommands(plugin, line))];
  assert.deepEqual(Object.keys(commandsOf(plugin, line)).sort(), loaded.sort());
  await plugin.close();
});
