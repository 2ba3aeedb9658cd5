/** docs/embedding.md: it shows the files of fixtures/embedding, and these work as far as this machine can tell. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ModelServer, startModelServer } from "./support/model_server.ts";
import { runInstallScript } from "./support/install_script.ts";
import { bun } from "./support/peers.ts";
import { saberCommand } from "./support/program.ts";
import { shop } from "./support/shop.ts";
import { embeddingFile, filesShown, withFiles } from "./support/shown_files.ts";
import { readSources, repository } from "./support/sources.ts";

Deno.test("docs/embedding.md shows every example as it is", async () => {
  const document = await Deno.readTextFile(new URL("docs/embedding.md", repository));
  const files = await readSources("fixtures/embedding", (path) => !path.endsWith("/apps.json"));
  const names = files.map(({ path }) => path.replace("fixtures/embedding/", ""));
  assert.deepEqual(filesShown(document).toSorted(), names.toSorted());
  assert.equal(await withFiles(document), document, "run tests/write_embedding_doc.ts");
});

Deno.test("the examples of Electron, Tauri and VS Code use these hosts as their types say", async () => {
  const folder = fileURLToPath(new URL("fixtures/embedding/", repository));
  const files = ["electron/main.ts", "tauri/saber.ts", "vscode/extension.ts"].map((name) => folder + name);
  const { success, stderr } = await new Deno.Command("deno", {
    args: ["check", "-q", "--no-lock", "--config", `${folder}apps.json`, ...files],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
});

interface Example {
  readonly file: string;
  readonly command: () => Promise<readonly [string, ...string[]]>;
}

const CONFIG = fileURLToPath(new URL("deno.json", repository));
const CLIENT = '"../../src/client/client.ts"';
const EXAMPLES: { readonly [runtime: string]: Example } = {
  Python: { file: "ask.py", command: () => Promise.resolve(["python3"]) },
  Node: { file: "node/ask.mjs", command: () => Promise.resolve(["node"]) },
  Bun: { file: "node/ask.mjs", command: async () => [await bun()] },
  Deno: {
    file: "ask.ts",
    command: () => Promise.resolve(["deno", "run", "-q", "--config", CONFIG, "-RE", "--allow-run"]),
  },
};

/** Lays the example into the folder, with this program in the place of `saber`, and what it imports. */
async function prepare(file: string, folder: string): Promise<string> {
  const source = await embeddingFile(file);
  assert.ok(source.includes('["saber"]'));
  const text = source.replace('["saber"]', JSON.stringify(saberCommand()))
    .replace(CLIENT, JSON.stringify(new URL("src/client/client.ts", repository)));
  const path = join(folder, file.replace(/^.*\//, ""));
  await Deno.writeTextFile(path, text);
  if (!file.endsWith(".mjs")) return path;
  await Deno.writeTextFile(join(folder, "package.json"), '{"type":"module"}');
  const { success, stderr } = await new Deno.Command("deno", {
    args: ["bundle", "-q", "-o", join(folder, "saber_client.js"), "src/client/client.ts"],
    cwd: repository,
    stdout: "null",
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return path;
}

async function ask(
  { file, command }: Example,
  { database, server }: { database: string; server: ModelServer },
) {
  const folder = await Deno.makeTempDir();
  const [program, ...words] = await command();
  const output = await new Deno.Command(program, {
    args: [...words, await prepare(file, folder), database, "Who are our top customers by revenue?"],
    cwd: repository,
    env: {
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: "key",
      SQLSABER_MODEL: "openai:m",
      PYTHONIOENCODING: "utf-8",
    },
  }).output();
  await Deno.remove(folder, { recursive: true });
  const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code: output.code, stdout, stderr };
}

for (const [runtime, example] of Object.entries(EXAMPLES)) {
  Deno.test(`the example for ${runtime} asks and answers`, async () => {
    await using server = startModelServer(
      [1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse` })),
    );
    const { code, stdout, stderr } = await ask(example, { database: await shop("sqlite"), server });
    assert.equal(stderr, "");
    assert.equal(code, 0);
    assert.match(stdout ?? "", /^\[sql\] SELECT c\.name AS customer[^]*Müller & Sons/);
    assert.equal(server.asked.length, 3);
  });

  Deno.test(`the example for ${runtime} says why there is no answer`, async () => {
    await using server = startModelServer(() => ({
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided.","code":"invalid_api_key"}}',
    }));
    const failed = await ask(example, { database: await shop("sqlite"), server });
    assert.equal(failed.code, 1);
    assert.match(failed.stderr ?? "", /API key/);
    const refused = await ask(example, { database: "absent.sqlite", server });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr ?? "", /absent\.sqlite/);
  });
}

Deno.test("the example for Tauri starts, asks and ends the process, in Rust", async () => {
  await runInstallScript("install_rust.sh");
  await using server = startModelServer(
    [1, 2, 3].map((n) => ({ stream: `openai/top_customers_${n}.sse` })),
  );
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "saber.rs"), await embeddingFile("tauri/saber.rs"));
  await Deno.copyFile(new URL("tests/support/drive_saber.rs", repository), join(folder, "drive.rs"));
  const compiled = await new Deno.Command("rustc", {
    args: ["--edition", "2021", "-D", "warnings", "drive.rs"],
    cwd: folder,
  }).output();
  assert.ok(compiled.success, new TextDecoder().decode(compiled.stderr));
  const [program = "", ...words] = saberCommand();
  const { code, stdout, stderr } = await new Deno.Command(join(folder, "drive"), {
    args: [program, ...words, "rpc", "-d", await shop("sqlite"), "--no-thread", "--model", "openai:m"],
    cwd: repository,
    env: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "key" },
  }).output();
  await Deno.remove(folder, { recursive: true });
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.match(new TextDecoder().decode(stdout), /^{"type":"ready"[^]*Müller & Sons[^]*"status":"completed"/);
});
