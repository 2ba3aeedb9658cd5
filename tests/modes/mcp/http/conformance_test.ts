import assert from "node:assert/strict";
import { HttpProgram } from "../../../support/http_program.ts";
import { runPeer } from "../../../support/peer_program.ts";
import { peer } from "../../../support/peers.ts";
import { shop } from "../../../support/shop.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** The suite's report on a server; fails unless exactly the scenarios of the baseline fail. */
async function conformance(url: URL, revision: string, baseline: string): Promise<string> {
  const suite = new URL("dist/index.js", await peer("@modelcontextprotocol/conformance"));
  const results = await Deno.makeTempDir();
  const args = ["run", "-q", "-A", suite.pathname, "server", "--url", url.href, "-o", results];
  const expected = new URL(`../../../conformance/${baseline}-${revision}.yml`, import.meta.url).pathname;
  try {
    return await runPeer({
      command: "deno",
      args: [...args, "--requirements", revision, "--expected-failures", expected],
    });
  } finally {
    await Deno.remove(results, { recursive: true });
  }
}

for (const revision of REVISIONS) {
  Deno.test(`the conformance suite of ${revision} on saber itself`, async () => {
    await using program = new HttpProgram(await shop("sqlite"), "--port", "0");
    const report = await conformance(await program.url(), revision, "product");
    for (const scenario of ["tools-list", "resources-list", "prompts-list", "dns-rebinding-protection"]) {
      assert.match(report, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    }
  });
}
