/**
 * The modes by the word that chooses them. A mode's file is loaded only when it is chosen.
 */
import type { Mode } from "../app.ts";

export interface ModeEntry {
  /** For the overview; the flags are the mode's own. */
  readonly summary: string;
  load(): Promise<Mode>;
  /** The JSON Schema of the mode's protocol, for a mode that takes `--schema`. */
  schema?(): Promise<string>;
}

export const MODES: { readonly [word: string]: ModeEntry } = {
  rpc: {
    summary: "Embed the SQL agent: JSON lines over stdin and stdout.",
    load: async () => (await import("./rpc/mode.ts")).rpc,
    schema: async () => (await import("./rpc/contract/json_schema.ts")).contractSchema(),
  },
  mcp: {
    summary: "Serve databases to an MCP client, read-only and without a model.",
    load: async () => (await import("./mcp/mode.ts")).mcp,
  },
};
