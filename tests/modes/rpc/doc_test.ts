import assert from "node:assert/strict";
import { Command } from "../../../src/modes/rpc/contract/commands.ts";
import { examplesIn, recordExamples, withExamples } from "../../support/rpc_examples.ts";

Deno.test("docs/rpc.md shows every command and every event, as the program says them", async () => {
  const document = await Deno.readTextFile(new URL("../../../docs/rpc.md", import.meta.url));
  const examples = await recordExamples();
  assert.deepEqual(examplesIn(document).toSorted(), [...examples.keys()].toSorted());
  const commands = Command.def.options.map((option) => option.shape.type.def.values[0] ?? "");
  assert.deepEqual(commands.filter((name) => !examples.has(name)), []);
  assert.equal(withExamples(document, examples), document, "run tests/write_rpc_doc.ts");
});
