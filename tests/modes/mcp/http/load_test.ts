import assert from "node:assert/strict";
import { HttpProgram } from "../../../support/http_program.ts";
import { callOf, modernRequest, request } from "../../../support/mcp.ts";
import { residentMiB } from "../../../support/memory.ts";
import { goodHeaders } from "../../../support/raw_http.ts";
import { shop } from "../../../support/shop.ts";

const CLIENTS = 50;
const CALLS = 10_000;
/** From then on memory must stay. */
const SETTLED = 1000;
const GROWTH = 1.1;
/** How many calls one client may be ahead of another. */
const LEAD = 25;

/** One call, of the older revisions or the newest; the answer must be its own. */
async function call(url: URL, id: number): Promise<void> {
  const params = callOf("execute_sql", { query: `SELECT ${id} AS n` });
  const isModern = id % 2 === 0;
  const modern = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "execute_sql",
  };
  const response = await fetch(url, {
    method: "POST",
    headers: { ...goodHeaders(Number(url.port)), ...isModern ? modern : {} },
    body: JSON.stringify(
      isModern ? modernRequest(id, "tools/call", params) : request(id, "tools/call", params),
    ),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.ok(
    text.includes(`"structuredContent":{"db_name":"shop","columns":["n"],"results":[{"n":${id}}]`),
    text,
  );
}

/** One that as many are above as below: a single one tells when the garbage was collected last. */
function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? assert.fail();
}

Deno.test({
  name: "10,000 calls of 50 clients: no error, no client left behind, memory that stays",
  ignore: Deno.build.os !== "linux", // which alone tells the memory of a process
  fn: async () => {
    await using program = new HttpProgram(await shop("sqlite"), "--port", "0");
    const url = await program.url();
    const done: number[] = Array(CLIENTS).fill(0);
    const memory: number[] = [];
    let next = 0;
    let lead = 0;
    await Promise.all(done.map(async (_, client) => {
      while (next < CALLS) {
        const id = next++;
        if (id >= SETTLED && id % 500 === 0) memory.push(await residentMiB(program.pid));
        await call(url, id);
        done[client] = (done[client] ?? 0) + 1;
        lead = Math.max(lead, Math.max(...done) - Math.min(...done));
      }
    }));
    assert.ok(lead <= LEAD, `one client is ${lead} calls ahead of another`);
    const third = Math.floor(memory.length / 3);
    const [early, late] = [middle(memory.slice(0, third)), middle(memory.slice(-third))];
    assert.ok(late <= GROWTH * early, `MiB: ${memory.join(", ")}`);
  },
});
