import { HttpProgram } from "../../../support/http_program.ts";
import {
  check,
  drive,
  driveAiSdk,
  drivePython,
  inspectQuery,
  inspectSchemas,
  officialClient,
} from "../../../support/mcp_clients.ts";
import { shop } from "../../../support/shop.ts";

const ERAS = ["legacy", "auto", "modern"] as const;

/** Runs a client against saber on the shop. */
async function withServer(use: (url: string) => Promise<void>): Promise<void> {
  await using program = new HttpProgram(await shop("sqlite"), "--port", "0");
  await use((await program.url()).href);
}

for (const era of ERAS) {
  Deno.test(`the official client over HTTP, ${era} era`, async () => {
    const modules = await officialClient("@modelcontextprotocol/client", "http");
    await withServer(async (server) => check(await drive({ ...modules, era, server })));
  });

  Deno.test(`the inspector over HTTP, ${era} era`, async () => {
    await withServer(async (url) => {
      const server = ["--server-url", url, "--transport", "http"];
      await inspectSchemas(era, server);
      await inspectQuery(era, server);
    });
  });
}

for (const era of ERAS) {
  Deno.test(`the official Python client over HTTP, ${era} era`, async () => {
    await withServer(async (server) => check(await drivePython("mcp", { era, server })));
  });
}

Deno.test("the Python client chuk-mcp over HTTP", async () => {
  await withServer(async (server) => check(await drivePython("chuk", { era: "legacy", server })));
});

Deno.test("the AI SDK's client over HTTP", async () => {
  await withServer(async (server) => check(await driveAiSdk(server)));
});

Deno.test("the official client's predecessor over HTTP", async () => {
  const modules = await officialClient("@modelcontextprotocol/sdk", "http");
  await withServer(async (server) => check(await drive({ ...modules, era: "legacy", server })));
});
