/** `saber upgrade --check` against a server that answers as GitHub's API does, and that nothing else asks it. */
import assert from "node:assert/strict";
import { isNewer } from "../../../src/modes/upgrade/newest_release.ts";
import { Program } from "../../support/program.ts";
import { runProgram } from "../../support/run_program.ts";
import { shop } from "../../support/shop.ts";

interface Releases extends AsyncDisposable {
  readonly url: string;
  readonly asked: string[];
}

function startReleases(answer: () => Response): Releases {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return answer();
  });
  const url = `http://127.0.0.1:${server.addr.port}/releases/latest`;
  return { url, asked, [Symbol.asyncDispose]: async () => await server.shutdown() };
}

const release = (tag: string) => () =>
  Response.json({ tag_name: tag, html_url: "https://example.com/saber/releases/new", assets: [] });

async function check(answer: () => Response, ...args: readonly string[]) {
  await using server = startReleases(answer);
  const env = { SQLSABER_RELEASE_URL: server.url, SQLSABER_LOG_TO_STDERR: "" };
  const output = await runProgram({ args: ["upgrade", "--check", ...args], env });
  assert.deepEqual(server.asked, ["/releases/latest"]);
  return output;
}

Deno.test("it says that there is a newer release, that there is none, and both as JSON", async () => {
  const { stdout: version } = await runProgram({ args: ["--version"] });
  const own = version.trim().replace("saber ", "");
  const newer = await check(release("v99.0.0"));
  assert.equal(newer.code, 0);
  assert.equal(
    newer.stdout.trim(),
    `saber 99.0.0 is out; this is ${own}. https://example.com/saber/releases/new`,
  );
  const same = await check(release(`v${own}`));
  assert.equal(same.stdout.trim(), `This is saber ${own}; the newest release is ${own}.`);
  const json = await check(release("v99.0.0"), "--json");
  assert.deepEqual(JSON.parse(json.stdout), {
    version: own,
    newest: "99.0.0",
    isNewer: true,
    url: "https://example.com/saber/releases/new",
  });
});

const ANSWERS: { readonly [name: string]: { answer: () => Response; says: RegExp } } = {
  "no release": { answer: () => new Response("{}", { status: 404 }), says: /nothing has been released/ },
  "too many questions": { answer: () => new Response("{}", { status: 403 }), says: /no more questions now/ },
  "a page of another kind": { answer: () => new Response("<html>"), says: /does not say \(HTTP 200\)/ },
  "a tag that would paint": { answer: release("v1.0.0\x1b[31m"), says: /does not say/ },
  "an answer without an end": {
    answer: () =>
      new Response(
        new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(new Uint8Array(1 << 20)) }),
      ),
    says: /says too much/,
  },
};

for (const [name, { answer, says }] of Object.entries(ANSWERS)) {
  Deno.test(`what it says to ${name}`, async () => {
    const { code, stdout, stderr } = await check(answer);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, says);
    assert.match(stderr, /^saber: Cannot look for a newer release: [^\n]+\.\n$/);
  });
}

Deno.test("it says what is missing without --check, and when there is no server", async () => {
  const without = await runProgram({ args: ["upgrade"] });
  assert.equal(without.code, 2);
  assert.match(without.stderr, /saber upgrade --check/);
  const env = { SQLSABER_RELEASE_URL: "http://127.0.0.1:9/" };
  const { code, stderr } = await runProgram({ args: ["upgrade", "--check"], env });
  assert.equal(code, 1);
  assert.match(stderr, /the server cannot be reached\. Check the network/);
});

Deno.test("Ctrl+C ends the wait", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = startReleases(() => {
    asked.resolve();
    return new Response(new ReadableStream());
  });
  await using program = new Program({
    args: ["upgrade", "--check"],
    env: { SQLSABER_RELEASE_URL: server.url },
  });
  await asked.promise;
  program.signal("SIGINT");
  assert.equal((await program.exit).code, 130);
  assert.equal(await program.errors(), "Stopped.\n");
});

Deno.test("rpc, mcp, plugin and sql never ask", async () => {
  await using server = startReleases(release("v99.0.0"));
  const env = { SQLSABER_RELEASE_URL: server.url, OPENAI_API_KEY: "key" };
  const database = await shop("sqlite");
  const runs: [input: string, ...args: string[]][] = [
    ['{"type":"get_state"}\n', "rpc", "-d", database, "--no-thread", "--model", "openai:m"],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}\n', "mcp", "-d", database],
    ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n', "plugin"],
    ["", "sql", "-d", database, "SELECT 1"],
  ];
  for (const [input, ...args] of runs) {
    const { code, stdout } = await runProgram({ args, input, env });
    assert.ok(code === 0 && stdout !== "", `${args[0]}: ${stdout}`);
  }
  assert.deepEqual(server.asked, []);
});

Deno.test("versions are ordered as semver.org says", () => {
  const order = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"];
  order.push("1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0-x-y", "2.0.0");
  for (const [i, a] of order.entries()) {
    for (const [j, b] of order.entries()) assert.equal(isNewer(a, b), i > j, `${a} ${b}`);
  }
});
