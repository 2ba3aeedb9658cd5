/**
 * How a client starts saber, in the formats of the clients that are known. It reads and writes no file.
 */

/** A server of an MCP client's configuration. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

export interface Client {
  /** The program's own name. */
  readonly title: string;
  /** Where the entry belongs. */
  readonly file: string;
  format(entry: Entry): string;
}

/** What the server is called in each configuration. */
const NAME = "saber";

/** The form that most clients share. */
export const ANY: Client = {
  title: "most MCP clients",
  file: "the client's configuration file",
  format: (entry) => json({ mcpServers: { [NAME]: entry } }),
};

const STDIO = { type: "stdio" } as const;

/** By the words that choose them. */
export const CLIENTS: { readonly [word: string]: Client } = {
  "claude-desktop": {
    ...ANY,
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
  },
  "claude-code": {
    title: "Claude Code",
    file: ".mcp.json in the project's folder",
    format: (entry) => json({ mcpServers: { [NAME]: { ...STDIO, ...entry } } }),
  },
  cursor: {
    title: "Cursor",
    file: "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder",
    format: (entry) => json({ mcpServers: { [NAME]: { ...STDIO, ...entry } } }),
  },
  vscode: {
    title: "VS Code",
    file: ".vscode/mcp.json in the workspace, or the one that 'MCP: Open User Configuration' opens",
    format: (entry) => json({ servers: { [NAME]: { ...STDIO, ...entry } } }),
  },
  zed: {
    title: "Zed",
    file: "Zed's settings.json ('zed: open settings')",
    format: (entry) =>
      json({ context_servers: { [NAME]: { source: "custom", ...entry, env: entry.env ?? {} } } }),
  },
  codex: { title: "Codex", file: "~/.codex/config.toml", format: toml },
  gemini: {
    ...ANY,
    title: "Gemini CLI",
    file: "~/.gemini/settings.json, or .gemini/settings.json in the project's folder",
  },
};

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toml({ command, args, env = {} }: Entry): string {
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${tomlText(value)}`);
  return [
    `[mcp_servers.${NAME}]`,
    `command = ${tomlText(command)}`,
    `args = [${args.map(tomlText).join(", ")}]`,
    ...(variables.length > 0 ? ["", `[mcp_servers.${NAME}.env]`, ...variables] : []),
    "",
  ].join("\n");
}

/** A TOML basic string: JSON's, but that DEL must be escaped too. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\x7f", "\\u007f");
}
