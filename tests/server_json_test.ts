/**
 * server.json, which describes `saber mcp` to the MCP registry, against what that registry accepts (its schema of
 * 2025-12-11 and its rules for publishing) and against the program itself.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { mcp } from "../src/modes/mcp/mode.ts";

const RELEASE = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const short = z.string().check(z.minLength(1), z.maxLength(100));
const version = z.string().check(z.regex(RELEASE), z.maxLength(255));
const input = {
  description: z.optional(z.string()),
  placeholder: z.optional(z.string()),
  default: z.optional(z.string()),
  format: z.optional(z.enum(["string", "number", "boolean", "filepath"])),
  isRequired: z.optional(z.boolean()),
  isRepeated: z.optional(z.boolean()),
};
const argument = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("positional"), value: z.string(), ...input }),
  z.strictObject({ type: z.literal("named"), name: z.string(), ...input }),
]);
const schema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().check(z.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/), z.maxLength(200)),
  title: short,
  description: short,
  version,
  packages: z.array(z.strictObject({
    registryType: z.enum(["npm", "pypi", "cargo", "oci", "nuget", "mcpb"]),
    identifier: z.string(),
    version,
    runtimeHint: z.string(),
    transport: z.strictObject({ type: z.literal("stdio") }),
    packageArguments: z.array(argument),
  })),
});

Deno.test("server.json is what the registry accepts, and what the program takes", async () => {
  const server = schema.parse(
    JSON.parse(await Deno.readTextFile(new URL("../server.json", import.meta.url))),
  );
  const main = await Deno.readTextFile(new URL("../main.ts", import.meta.url));
  assert.ok(main.includes(`const VERSION = "${server.version}";`), "the program has another version");
  for (const { version, packageArguments } of server.packages) {
    assert.equal(version, server.version);
    const [first, ...flags] = packageArguments;
    assert.ok(first?.type === "positional" && first.value === "mcp");
    for (const flag of flags) {
      assert.ok(flag.type === "named");
      assert.ok(
        mcp.usage.flags.some((name) => `--${name}` === flag.name),
        `${flag.name} is no flag of saber mcp`,
      );
    }
  }
});
