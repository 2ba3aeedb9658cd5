import assert from "node:assert/strict";
import { Fault } from "../../src/base/fault.ts";
import { readSystemPrompt } from "../../src/settings/system_prompt.ts";

Deno.test("a system prompt is a text, or what is in a file of that name", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/prompt.md`;
  await Deno.writeFile(path, Uint8Array.of(0x41, 0xff, 0x0a, 0x42));
  assert.equal(await readSystemPrompt(path), "A\ufffd\nB");
  const texts = [
    "Answer in verse.",
    `${path}\n`,
    `${path}x`,
    "in French / English",
    `${path}/beside`,
    "x".repeat(256),
    "x/".repeat(3000),
  ];
  for (const text of texts) assert.equal(await readSystemPrompt(text), text);
  assert.equal(await readSystemPrompt(" \n"), undefined);
  assert.equal(await readSystemPrompt(""), undefined);
  await Deno.writeTextFile(path, " \n");
  assert.equal(await readSystemPrompt(path), undefined);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what is no text file is refused as a system prompt", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(`${folder}/large`, new Uint8Array((1 << 20) + 1));
  for (
    const [path, why] of [[folder, "it is a folder"], [`${folder}/large`, "it has more than 1048576 bytes"]]
  ) {
    await assert.rejects(
      readSystemPrompt(`${path}`),
      (error) =>
        error instanceof Fault && error.code === "usage" &&
        error.message.includes(`as the system prompt: ${why}. `),
    );
  }
  await Deno.remove(folder, { recursive: true });
});
