import {
  check,
  drive,
  driveAiSdk,
  drivePython,
  inspectQuery,
  inspectSchemas,
  officialClient,
  stdioServer,
} from "../../support/mcp_clients.ts";
import type { ShopKind } from "../../support/shop.ts";

const ERAS = ["legacy", "auto", "modern"] as const;

for (const era of ERAS) {
  Deno.test(`the official client, ${era} era`, async () => {
    const modules = await officialClient("@modelcontextprotocol/client", "stdio");
    check(await drive({ ...modules, era, server: await stdioServer("sqlite") }));
  });

  Deno.test(`the inspector finds no fault with the schemas, ${era} era`, async () => {
    await inspectSchemas(era, ["--", ...await stdioServer("sqlite")]);
  });
}

for (const era of ERAS) {
  Deno.test(`the official Python client, ${era} era`, async () => {
    check(await drivePython("mcp", { era, server: await stdioServer("sqlite") }));
  });
}

Deno.test("the Python client chuk-mcp", async () => {
  check(await drivePython("chuk", { era: "legacy", server: await stdioServer("sqlite") }));
});

Deno.test("the AI SDK's client", async () => {
  check(await driveAiSdk(await stdioServer("sqlite")));
});

Deno.test("the official client's predecessor", async () => {
  const modules = await officialClient("@modelcontextprotocol/sdk", "stdio");
  check(await drive({ ...modules, era: "legacy", server: await stdioServer("sqlite") }));
});

const INSPECTED: readonly (readonly [ShopKind, era: string])[] = [
  ["sqlite", "legacy"],
  ["duckdb", "modern"],
  ["csv", "auto"],
  ["parquet", "auto"],
];

for (const [kind, era] of INSPECTED) {
  Deno.test(`the inspector runs a query on ${kind}, ${era} era`, async () => {
    await inspectQuery(era, ["--", ...await stdioServer(kind)]);
  });
}
