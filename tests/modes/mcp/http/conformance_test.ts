import assert from "node:assert/strict";
import { startConformanceServer } from "../../../support/conformance/server.ts";
import { HttpProgram } from "../../../support/http_program.ts";
import { runPeer } from "../../../support/peer_program.ts";
import { peer } from "../../../support/peers.ts";
import { shop } from "../../../support/shop.ts";

/** How many scenarios each revision requires of a server. */
const REQUIRED = { "2025-11-25": 30, "2026-07-28": 37 } as const;
type Revision = keyof typeof REQUIRED;

/** The suite's report on a server; fails unless exactly the required scenarios of the baseline fail. */
async function conformance(url: URL, revision: Revision, baseline: string): Promise<string> {
  const suite = new URL("dist/index.js", await peer("@modelcontextprotocol/conformance"));
  const results = await Deno.makeTempDir();
  const args = ["run", "-q", "-A", suite.pathname, "server", "--url", url.href, "-o", results];
  const expected = new URL(`../../../conformance/${baseline}.yml`, import.meta.url).pathname;
  try {
    return await runPeer({
      command: "deno",
      args: [...args, "--requirements", revision, "--expected-failures", expected],
    });
  } finally {
    await Deno.remove(results, { recursive: true });
  }
}

/** Scenarios that passed, warnings not counted. */
function passed(report: string): string[] {
  return Array.from(report.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed$/gm), ([, name = ""]) => name);
}

for (const revision of ["2025-11-25", "2026-07-28"] as const) {
  Deno.test(`the conformance suite of ${revision} on saber itself`, async () => {
    await using program = new HttpProgram(await shop("sqlite"), "--port", "0");
    const report = await conformance(await program.url(), revision, `product-${revision}`);
    for (const scenario of ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"]) {
      assert.ok(passed(report).includes(scenario), scenario);
    }
  });

  Deno.test(`the conformance suite of ${revision} on its example server, over saber's HTTP`, async () => {
    const server = startConformanceServer();
    const url = new URL(`http://127.0.0.1:${server.port}/mcp`);
    const report = await conformance(url, revision, "example");
    assert.ok(passed(report).length >= REQUIRED[revision], report);
    await server.close();
  });
}
