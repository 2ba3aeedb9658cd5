/**
 * Exported conversations in the programs that open them: a page in a browser, a notebook in the validator of its format.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cachedFolder } from "../../support/cached_folder.ts";
import { runInstallScript } from "../../support/install_script.ts";
import { startModelServer } from "../../support/model_server.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";
import { textStream } from "../../support/text_stream.ts";
import { toolCallStream } from "../../support/tool_call_stream.ts";

const ignore = Deno.build.os !== "linux"; // the browser is Debian's

/** Saves a conversation full of markup that wants `address`, and exports it in this format. */
async function exported(
  format: string,
  { address, folder }: { address: string; folder: string },
): Promise<string> {
  const script = `<script>document.title="run";fetch("${address}cell")</script>`;
  const image = `<img src="${address}image" onerror="document.title='run'">`;
  const sql =
    `SELECT '${script.replaceAll("'", "''")}' AS "${"<b>x</b>"}", '${image.replaceAll("'", "''")}' AS y, ` +
    "9007199254740993 AS big, NULL AS z LIMIT 1";
  await using models = startModelServer([
    { stream: { text: toolCallStream("execute_sql", { query: sql }) } },
    {
      stream: {
        text: textStream(
          `# Heading\n\n**bold** ${script} ![p](${address}picture) [go](javascript:alert(1)) [web](https://example.com/a?b&c)\n\n` +
            `${image}\n\n\`${script}\`\n\n| a |\n| --- |\n| ${script} |`,
        ),
      },
    },
  ]);
  const env = { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: "key", SQLSABER_MODEL: "openai:test" };
  const home = join(folder, "home");
  const question = `Who? ${script}`;
  await run(["-d", await shop("sqlite"), question], { env, home });
  const [thread] = JSON.parse(await run(["threads", "list", "--json"], { env, home }));
  const path = join(folder, `thread.${format}`);
  assert.equal(
    await run(["threads", "export", thread.id, "--format", format, "-o", path], { env, home }),
    `Wrote ${path}.`,
  );
  return path;
}

async function run(args: string[], options: { env: Record<string, string>; home: string }): Promise<string> {
  await using program = new Program({ args, ...options });
  const lines: string[] = [];
  for (
    let line = await program.line(PATIENCE_MS);
    line !== undefined;
    line = await program.line(PATIENCE_MS)
  ) {
    lines.push(line);
  }
  assert.equal((await program.exit).code, 0, await program.errors());
  return lines.join("\n");
}

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test(
  { name: "a page shows everything, runs nothing and asks nobody for anything", ignore },
  async () => {
    await runInstallScript("install_chromium.sh");
    const asked: string[] = [];
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
      asked.push(url);
      return new Response();
    });
    const address = `http://127.0.0.1:${server.addr.port}/`;
    await withFolder(async (folder) => {
      const path = await exported("html", { address, folder });
      const dom = await open(path, folder);
      assert.match(dom, /<title>Who\? &lt;script&gt;/);
      assert.doesNotMatch(dom, /<script|<img|javascript:/);
      assert.match(dom, /<td class="number">9007199254740993<\/td><td class="null">NULL<\/td>/);
      assert.match(dom, /<th>&lt;b&gt;x&lt;\/b&gt;<\/th>/);
      assert.match(dom, /<h1>Heading<\/h1>\s*<p><strong>bold<\/strong> &lt;script&gt;/);
      assert.match(dom, /<a href="https:\/\/example.com\/a\?b&amp;c" rel="noopener noreferrer">web<\/a>/);
      assert.deepEqual(asked, []);
      // The same browser does ask where a page lets it, so that silence above says something.
      const other = join(folder, "other.html");
      await Deno.writeTextFile(other, `<img src="${address}control">`);
      await open(other, folder);
      assert.deepEqual(asked, [`${address}control`]);
    });
  },
);

const NBFORMAT = "5.10.4";
const VALIDATE = `import json, sys, nbformat
nb = nbformat.read(sys.argv[1], as_version=nbformat.NO_CONVERT)
nbformat.validate(nb)
print(json.dumps([[c.cell_type, len(c.get("outputs", []))] for c in nb.cells]))`;

/** Opens the file in a browser; the document as it is then. */
async function open(path: string, folder: string): Promise<string> {
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const { stdout } = await new Deno.Command("chromium", {
    args: [
      ...args,
      `--user-data-dir=${folder}/profile`,
      "--virtual-time-budget=3000",
      "--dump-dom",
      `file://${path}`,
    ],
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test({ name: "a notebook is valid and holds the statement with its rows", ignore }, async () => {
  const library = await cachedFolder(`nbformat-${NBFORMAT}`, async (staging) => {
    const args = ["-m", "pip", "install", "-q", "--target", staging, `nbformat==${NBFORMAT}`];
    const { success, stderr } = await new Deno.Command("python3", { args }).output();
    if (!success) throw new Error(`Test setup: pip failed: ${new TextDecoder().decode(stderr)}`);
  });
  await withFolder(async (folder) => {
    const path = await exported("ipynb", { address: "http://127.0.0.1:1/", folder });
    const { stdout, stderr } = await new Deno.Command("python3", {
      args: ["-W", "error", "-c", VALIDATE, path],
      env: { PYTHONPATH: library },
    }).output();
    const cells: unknown = JSON.parse(new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr));
    assert.deepEqual(cells, [["markdown", 0], ["markdown", 0], ["code", 1], ["markdown", 0]]);
    assert.match(await Deno.readTextFile(path), /9007199254740993/);
  });
});

Deno.test("a Markdown document holds rows as tables, with their markup as text", async () => {
  await withFolder(async (folder) => {
    const text = await Deno.readTextFile(await exported("md", { address: "http://127.0.0.1:1/", folder }));
    assert.match(text, /^# Who\? \\<script>/);
    assert.match(text, /^\| \\<script>.*\\<img .*\| 9007199254740993 \| {2}\|$/m);
    assert.match(text, /^1 row\.$/m);
  });
});
