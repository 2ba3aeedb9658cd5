import assert from "node:assert/strict";
import { readUserProviders } from "../../src/settings/providers.ts";
import { changeProviders } from "../../src/settings/providers_file.ts";
import { faultOf } from "../support/asking.ts";

const WRITTEN = `// What I use at home.
{
  "editor": "vi", // not ours
  "providers": {
    /* the big one */
    "acme": {
      "adapter": "chat",
      "baseUrl": "http://gpu.local:8000/v1",
      "keyVariable": "ACME_KEY",
      "headers": { "x-tenant": "home" },
      "models": {
        "llama3": {
          "contextTokens": 8192,
          "price": { "input": 0, "output": 0 },
          "thinking": { "high": { "think": true } },
        },
      },
    },
  },
}
`;

async function folderWith(text: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/config.jsonc`, text);
  return folder;
}

Deno.test("config.jsonc is read with its comments and trailing commas", async () => {
  assert.deepEqual(await readUserProviders("/nowhere"), {});
  const folder = await folderWith(WRITTEN);
  assert.deepEqual(await readUserProviders(folder), {
    acme: {
      adapter: "chat",
      baseUrl: "http://gpu.local:8000/v1",
      keyVariable: "ACME_KEY",
      headers: { "x-tenant": "home" },
      models: {
        llama3: {
          contextTokens: 8192,
          price: { input: 0, output: 0 },
          thinking: { high: { think: true } },
        },
      },
    },
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a change keeps every other byte of the file", async () => {
  const folder = await folderWith(WRITTEN);
  await changeProviders(folder, [{ path: ["acme", "models", "llama3", "contextTokens"], value: 4096 }]);
  const path = `${folder}/config.jsonc`;
  assert.equal(await Deno.readTextFile(path), WRITTEN.replace("8192", "4096"));
  await changeProviders(folder, [{ path: ["next", "baseUrl"], value: "https://next.example/v1" }]);
  const text = await Deno.readTextFile(path);
  for (const comment of ["// What I use at home.", "// not ours", "/* the big one */"]) {
    assert.ok(text.includes(comment), comment);
  }
  assert.equal((await readUserProviders(folder)).next?.baseUrl, "https://next.example/v1");
  await Deno.remove(folder, { recursive: true });
});

const BROKEN: readonly (readonly [string, RegExp])[] = [
  ['{\n"providers": {', /config\.jsonc: line 2 is not JSON \(CloseBraceExpected\)\. Correct it/],
  ['{"providers": {"a": {"adapter": "soap"}}}', /providers\.a\.adapter is wrong\./],
  ['{"providers": {"a": {"baseURL": "http://x"}}}', /providers\.a is wrong: baseURL is not known there\./],
  ['{"providers": {"a": {"baseUrl": "x"}}}', /providers\.a\.baseUrl is wrong\./],
  ['{"providers": {"a": {"baseUrl": "http://["}}}', /providers\.a\.baseUrl is wrong\./],
  ['{"providers": {"a": {"headers": {"x-key": "k\\ney"}}}}', /providers\.a\.headers\.x-key is wrong\./],
  ['{"providers": {"a": {"headers": {"x key": "k"}}}}', /providers\.a\.headers\.x key is wrong\./],
  ['{"providers": {"a": {"models": {"m": {"price": {"input": -1, "output": 1}}}}}}', /price\.input is wrong/],
  ["[]", /its form is wrong/],
];

for (const [text, says] of BROKEN) {
  Deno.test(`config.jsonc that cannot be understood: ${text.replaceAll("\n", " ")}`, async () => {
    const folder = await folderWith(text);
    const fault = await faultOf(readUserProviders(folder));
    assert.equal(fault.code, "no_model");
    assert.match(fault.message, says);
    await assert.rejects(changeProviders(folder, [{ path: ["b", "baseUrl"], value: "http://x" }]));
    assert.equal(await Deno.readTextFile(`${folder}/config.jsonc`), text);
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("a change that would break the file is refused", async () => {
  const folder = await folderWith(WRITTEN);
  const fault = await faultOf(changeProviders(folder, [{ path: ["acme", "adapter"], value: "soap" }]));
  assert.equal(fault.code, "usage");
  assert.match(fault.message, /providers\.acme\.adapter is wrong\. Nothing was changed\.$/);
  assert.equal(await Deno.readTextFile(`${folder}/config.jsonc`), WRITTEN);
  await Deno.remove(folder, { recursive: true });
});
