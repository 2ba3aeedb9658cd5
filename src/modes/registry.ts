/**
 * The modes and commands by the words that choose them. A file is loaded only when its command is chosen.
 */
import type { Mode } from "../app.ts";

export interface ModeEntry {
  /** For the overview; the flags are the mode's own. */
  readonly summary: string;
  load(): Promise<Mode>;
  /** The JSON Schema of the mode's protocol, for a mode that takes `--schema`. */
  schema?(): Promise<string>;
  /** Commands that begin with the mode's word. */
  readonly commands?: Commands;
}

/** Commands that share their first word. */
export interface ModeGroup {
  readonly summary: string;
  readonly commands: Commands;
}

/** What everything that is no command's word goes to. */
export const ASK: ModeEntry = {
  summary: "Ask a question about your data.",
  load: async () => (await import("./ask/mode.ts")).ask,
};

type Commands = { readonly [word: string]: ModeEntry };

export const MODES: { readonly [word: string]: ModeEntry | ModeGroup } = {
  rpc: {
    summary: "Embed the SQL agent: JSON lines over stdin and stdout.",
    load: async () => (await import("./rpc/mode.ts")).rpc,
    schema: async () => (await import("./rpc/contract/json_schema.ts")).contractSchema(),
  },
  mcp: {
    summary: "Serve databases to an MCP client, read-only and without a model.",
    load: async () => (await import("./mcp/mode.ts")).mcp,
    commands: {
      config: {
        summary: "Print the entry that makes an MCP client start this server.",
        load: async () => (await import("./mcp/config/mode.ts")).mcpConfig,
      },
    },
  },
  sql: {
    summary: "Run one statement and print its rows, without any model.",
    load: async () => (await import("./sql/mode.ts")).sql,
  },
  "--mode": {
    summary: "Stand in for the omp coding agent's RPC mode: saber --mode rpc.",
    commands: {
      rpc: {
        summary: "Stand in for the omp coding agent's RPC mode.",
        load: async () => (await import("./omp/mode.ts")).omp,
      },
    },
  },
  db: {
    summary: "Save, list and test connections to databases.",
    commands: {
      add: { summary: "Save a connection.", load: async () => (await import("./db/add.ts")).add },
      list: { summary: "List the saved connections.", load: async () => (await import("./db/list.ts")).list },
      test: { summary: "Connect to a database.", load: async () => (await import("./db/test.ts")).test },
      remove: {
        summary: "Forget a saved connection.",
        load: async () => (await import("./db/remove.ts")).remove,
      },
      "set-default": {
        summary: "Use a saved connection when none is named.",
        load: async () => (await import("./db/set_default.ts")).setDefault,
      },
      exclude: {
        summary: "Hide schemas from lists of tables.",
        load: async () => (await import("./db/exclude.ts")).exclude,
      },
    },
  },
  models: {
    summary: "List, choose and add models.",
    commands: {
      list: {
        summary: "List models, of all providers or of one.",
        load: async () => (await import("./models/list.ts")).list,
      },
      set: { summary: "Choose a model.", load: async () => (await import("./models/set.ts")).set },
      current: {
        summary: "Show the chosen model.",
        load: async () => (await import("./models/current.ts")).current,
      },
      reset: {
        summary: "Forget which model was chosen.",
        load: async () => (await import("./models/reset.ts")).reset,
      },
      add: {
        summary: "Add a model of a server of your own.",
        load: async () => (await import("./models/add.ts")).add,
      },
    },
  },
  auth: {
    summary: "Keep the API keys of providers.",
    commands: {
      setup: { summary: "Keep an API key.", load: async () => (await import("./auth/setup.ts")).setup },
      status: {
        summary: "Show where each key comes from.",
        load: async () => (await import("./auth/status.ts")).status,
      },
      reset: { summary: "Forget a kept key.", load: async () => (await import("./auth/reset.ts")).reset },
    },
  },
  plugin: {
    summary: "Serve as a database driver of the Tabularis desktop client.",
    load: async () => (await import("./plugin/mode.ts")).plugin,
    commands: {
      install: {
        summary: "Put the drivers where Tabularis finds them.",
        load: async () => (await import("./plugin/install_command.ts")).install,
      },
      manifest: {
        summary: "Print what Tabularis is told of a driver.",
        load: async () => (await import("./plugin/manifest_command.ts")).manifest,
      },
      selftest: {
        summary: "Try a driver's methods, on a database of its own or a given one.",
        load: async () => (await import("./plugin/selftest_command.ts")).selftest,
      },
    },
  },
  threads: {
    summary: "List, show, export and forget saved conversations.",
    commands: {
      list: {
        summary: "List them, the latest first.",
        load: async () => (await import("./threads/list.ts")).list,
      },
      show: { summary: "Show one.", load: async () => (await import("./threads/show.ts")).show },
      resume: { summary: "Go on with one.", load: async () => (await import("./ask/resume.ts")).resume },
      export: {
        summary: "Write one to a file: a web page, Markdown or a notebook.",
        load: async () => (await import("./threads/export.ts")).exportThread,
      },
      import: {
        summary: "Take those of the Python program over.",
        load: async () => (await import("./threads/import.ts")).importThreads,
      },
      prune: { summary: "Forget old ones.", load: async () => (await import("./threads/prune.ts")).prune },
    },
  },
  knowledge: {
    summary: "Write down what the agent should know about a database.",
    commands: {
      add: { summary: "Write something down.", load: async () => (await import("./knowledge/add.ts")).add },
      list: {
        summary: "List what was written down.",
        load: async () => (await import("./knowledge/list.ts")).list,
      },
      show: { summary: "Show an entry.", load: async () => (await import("./knowledge/show.ts")).show },
      search: {
        summary: "Find entries by words.",
        load: async () => (await import("./knowledge/search.ts")).search,
      },
      remove: {
        summary: "Forget an entry.",
        load: async () => (await import("./knowledge/remove.ts")).remove,
      },
      clear: {
        summary: "Forget all about a database.",
        load: async () => (await import("./knowledge/clear.ts")).clear,
      },
    },
  },
  theme: {
    summary: "Choose the colours.",
    commands: {
      list: { summary: "Show the themes.", load: async () => (await import("./theme/list.ts")).list },
      set: { summary: "Use a theme.", load: async () => (await import("./theme/set.ts")).set },
      reset: { summary: "Use the default.", load: async () => (await import("./theme/reset.ts")).reset },
    },
  },
  completions: {
    summary: "Print a script by which a shell completes saber's commands.",
    load: async () => (await import("./completions/mode.ts")).completions,
  },
  upgrade: {
    summary: "Say whether there is a newer release.",
    load: async () => (await import("./upgrade/mode.ts")).upgrade,
  },
  doctor: {
    summary: "Check the set-up, and say what to mend.",
    load: async () => (await import("./doctor/mode.ts")).doctor,
  },
};
