import assert from "node:assert/strict";
import * as z from "zod/mini";
import { callOf, hello, request } from "../../support/mcp.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { Program } from "../../support/program.ts";
import { shop } from "../../support/shop.ts";

const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "zed", "codex", "gemini"] as const;

const entrySchema = z.object({
  type: z.optional(z.literal("stdio")),
  source: z.optional(z.literal("custom")),
  command: z.string(),
  args: z.array(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
});
type Entry = z.infer<typeof entrySchema>;

async function print(...args: string[]): Promise<{ text: string; errors: string; code: number }> {
  await using program = new Program({ args: ["mcp", "config", ...args] });
  await program.endInput();
  const lines: string[] = [];
  for (
    let line = await program.line(PATIENCE_MS);
    line !== undefined;
    line = await program.line(PATIENCE_MS)
  ) {
    lines.push(line);
  }
  return { text: lines.join("\n"), errors: await program.errors(), code: (await program.exit).code };
}

/** The one server of a configuration, by the key that its client reads. */
function entryIn(text: string, key: string): Entry {
  const { [key]: servers, ...others } = z.record(z.string(), z.record(z.string(), entrySchema)).parse(
    JSON.parse(text),
  );
  assert.deepEqual([Object.keys(others), Object.keys(servers ?? {})], [[], ["saber"]]);
  assert.ok(servers?.saber);
  return servers.saber;
}

/** The few lines of TOML that an entry needs: tables, and keys whose values are JSON too. */
function entryInToml(text: string): Entry {
  const tables: { [table: string]: { [key: string]: unknown } } = {};
  let table = "";
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const name = /^\[([\w.]+)\]$/.exec(line)?.[1];
    if (name !== undefined) table = name;
    else {
      const [, key = "", value = ""] = /^([A-Za-z_]+) = (.+)$/.exec(line) ?? assert.fail(line);
      tables[table] = { ...tables[table], [key]: JSON.parse(value) };
    }
  }
  const { "mcp_servers.saber": server, "mcp_servers.saber.env": env, ...others } = tables;
  assert.deepEqual(others, {});
  return entrySchema.parse({ ...server, ...(env ? { env } : {}) });
}

const READ: { readonly [client in typeof CLIENTS[number]]: (text: string) => Entry } = {
  "claude-desktop": (text) => entryIn(text, "mcpServers"),
  "claude-code": (text) => entryIn(text, "mcpServers"),
  cursor: (text) => entryIn(text, "mcpServers"),
  vscode: (text) => entryIn(text, "servers"),
  zed: (text) => entryIn(text, "context_servers"),
  codex: entryInToml,
  gemini: (text) => entryIn(text, "mcpServers"),
};

Deno.test("every client's entry says the same in the client's own form", async () => {
  const path = await shop("sqlite");
  const { text, code } = await print("-d", path, "--timeout", "9", "--csv-tool-results");
  assert.equal(code, 0);
  const { command, args, env } = entryIn(text, "mcpServers");
  assert.ok(command.startsWith("/") || Deno.build.os === "windows");
  assert.deepEqual(args.slice(-6), ["mcp", "-d", path, "--timeout", "9", "--csv-tool-results"]);
  for (const client of CLIENTS) {
    const printed = await print(client, "-d", path, "--timeout", "9", "--csv-tool-results");
    const entry = READ[client](printed.text);
    assert.deepEqual([entry.command, entry.args], [command, args], client);
    assert.deepEqual(entry.env ?? {}, env ?? {}, client);
    assert.equal(
      entry.type,
      ["claude-code", "cursor", "vscode"].includes(client) ? "stdio" : undefined,
      client,
    );
    assert.equal(entry.source, client === "zed" ? "custom" : undefined, client);
    assert.match(printed.errors, /^For [^:]+: put this into .+\n$/);
  }
});

Deno.test("what an entry says starts a server, from any folder and with a bare environment", async () => {
  const { text } = await print("-d", await shop("sqlite"));
  const { command, args, env } = entryIn(text, "mcpServers");
  const folder = await Deno.makeTempDir();
  const child = new Deno.Command(command, {
    args,
    cwd: folder,
    clearEnv: true,
    // besides what a client passes on: where this Deno keeps the packages, which the tests' home has not
    env: { HOME: folder, PATH: "/nowhere", DENO_DIR: denoDir(), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const call = request(1, "tools/call", callOf("execute_sql", { query: "SELECT count(*) AS n FROM orders" }));
  const lines = [...hello(), call].map((message) => `${JSON.stringify(message)}\n`).join("");
  await writer.write(new TextEncoder().encode(lines));
  await writer.close();
  const { stdout, code } = await child.output();
  assert.equal(code, 0);
  assert.match(new TextDecoder().decode(stdout), /"results":\[\{"n":21000\}\]/);
  await Deno.remove(folder, { recursive: true });
});

function denoDir(): string {
  const { stdout } = new Deno.Command("deno", { args: ["info", "--json"] }).outputSync();
  return z.object({ denoDir: z.string() }).parse(JSON.parse(new TextDecoder().decode(stdout))).denoDir;
}

Deno.test("no entry is printed for what could not be started, nor with a password in it", async () => {
  const cases: readonly (readonly [args: string[], message: RegExp, code: number])[] = [
    [["emacs", "-d", ":memory:"], /known are claude-desktop, /, 2],
    [["zed", "zed"], /Unexpected argument "zed"/, 2],
    [["zed", "-d", "nowhere.db"], /nowhere\.db/, 1],
    [["zed", "-d", "postgres://u:hidden@localhost/db"], /Save the connection and use its name/, 2],
    [["zed", "-d", "mysql://localhost/db?user=u&password=hidden"], /Save the connection and use its name/, 2],
    [["zed"], /No database connections configured/, 1],
    [["zed", "--allow-dangerous"], /Unknown option '--allow-dangerous'/, 2],
  ];
  for (const [args, message, expected] of cases) {
    const { text, errors, code } = await print(...args);
    assert.equal(text, "");
    assert.match(errors, message);
    assert.ok(!errors.includes("hidden"));
    assert.equal(code, expected, errors);
  }
});
