/**
 * The modes and commands by the words that choose them. A file is loaded only when its command is chosen.
 */
import type { Mode } from "../app.ts";
import type { Permission } from "../base/permissions.ts";

export interface ModeEntry {
  /** For the overview; the flags are the mode's own. */
  readonly summary: string;
  load(): Promise<Mode>;
  /** All that it may need of Deno; modes that serve give up more once they know their databases. */
  readonly needs: readonly Permission[];
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

/** The user's files, and the log. */
const FILES: readonly Permission[] = ["read", "write"];
/** The system's keyring is a native library, whose loader looks at the environment. */
const KEYS: readonly Permission[] = [...FILES, "ffi", "env"];
/** Databases and models of any kind. */
const ALL: readonly Permission[] = [...KEYS, "net", "run", "sys"];

/** What everything that is no command's word goes to. */
export const ASK: ModeEntry = {
  summary: "Ask a question about your data.",
  load: async () => (await import("./ask/mode.ts")).ask,
  needs: ALL,
};

type Commands = { readonly [word: string]: ModeEntry };

export const MODES: { readonly [word: string]: ModeEntry | ModeGroup } = {
  rpc: {
    summary: "Embed the SQL agent: JSON lines over stdin and stdout.",
    load: async () => (await import("./rpc/mode.ts")).rpc,
    needs: ALL,
    schema: async () => (await import("./rpc/contract/json_schema.ts")).contractSchema(),
  },
  mcp: {
    summary: "Serve databases to an MCP client, read-only and without a model.",
    load: async () => (await import("./mcp/mode.ts")).mcp,
    needs: ALL,
    commands: {
      config: {
        summary: "Print the entry that makes an MCP client start this server.",
        load: async () => (await import("./mcp/config/mode.ts")).mcpConfig,
        needs: KEYS,
      },
    },
  },
  sql: {
    summary: "Run one statement and print its rows, without any model.",
    load: async () => (await import("./sql/mode.ts")).sql,
    needs: ALL,
  },
  "--mode": {
    summary: "Stand in for the omp coding agent's RPC mode: saber --mode rpc.",
    commands: {
      rpc: {
        summary: "Stand in for the omp coding agent's RPC mode.",
        load: async () => (await import("./omp/mode.ts")).omp,
        needs: ALL,
      },
    },
  },
  db: {
    summary: "Save, list and test connections to databases.",
    commands: {
      add: {
        summary: "Save a connection.",
        load: async () => (await import("./db/add.ts")).add,
        needs: KEYS,
      },
      list: {
        summary: "List the saved connections.",
        load: async () => (await import("./db/list.ts")).list,
        needs: KEYS,
      },
      test: {
        summary: "Connect to a database.",
        load: async () => (await import("./db/test.ts")).test,
        needs: ALL,
      },
      remove: {
        summary: "Forget a saved connection.",
        load: async () => (await import("./db/remove.ts")).remove,
        needs: KEYS,
      },
      "set-default": {
        summary: "Use a saved connection when none is named.",
        load: async () => (await import("./db/set_default.ts")).setDefault,
        needs: KEYS,
      },
      exclude: {
        summary: "Hide schemas from lists of tables.",
        load: async () => (await import("./db/exclude.ts")).exclude,
        needs: KEYS,
      },
    },
  },
  models: {
    summary: "List, choose and add models.",
    commands: {
      list: {
        summary: "List models, of all providers or of one.",
        load: async () => (await import("./models/list.ts")).list,
        needs: [...KEYS, "net"],
      },
      set: {
        summary: "Choose a model.",
        load: async () => (await import("./models/set.ts")).set,
        needs: KEYS,
      },
      current: {
        summary: "Show the chosen model.",
        load: async () => (await import("./models/current.ts")).current,
        needs: ALL,
      },
      reset: {
        summary: "Forget which model was chosen.",
        load: async () => (await import("./models/reset.ts")).reset,
        needs: KEYS,
      },
      add: {
        summary: "Add a model of a server of your own.",
        load: async () => (await import("./models/add.ts")).add,
        needs: KEYS,
      },
    },
  },
  auth: {
    summary: "Keep the API keys of providers.",
    commands: {
      setup: {
        summary: "Keep an API key.",
        load: async () => (await import("./auth/setup.ts")).setup,
        needs: KEYS,
      },
      status: {
        summary: "Show where each key comes from.",
        load: async () => (await import("./auth/status.ts")).status,
        needs: KEYS,
      },
      reset: {
        summary: "Forget a kept key.",
        load: async () => (await import("./auth/reset.ts")).reset,
        needs: KEYS,
      },
    },
  },
  plugin: {
    summary: "Serve as a database driver of the Tabularis desktop client.",
    load: async () => (await import("./plugin/mode.ts")).plugin,
    needs: ALL,
    commands: {
      install: {
        summary: "Put the drivers where Tabularis finds them.",
        load: async () => (await import("./plugin/install_command.ts")).install,
        needs: FILES,
      },
      manifest: {
        summary: "Print what Tabularis is told of a driver.",
        load: async () => (await import("./plugin/manifest_command.ts")).manifest,
        needs: FILES,
      },
      selftest: {
        summary: "Try a driver's methods, on a database of its own or a given one.",
        load: async () => (await import("./plugin/selftest_command.ts")).selftest,
        needs: ALL,
      },
    },
  },
  threads: {
    summary: "List, show, export and forget saved conversations.",
    commands: {
      list: {
        summary: "List them, the latest first.",
        load: async () => (await import("./threads/list.ts")).list,
        needs: FILES,
      },
      show: {
        summary: "Show one.",
        load: async () => (await import("./threads/show.ts")).show,
        needs: FILES,
      },
      resume: {
        summary: "Go on with one.",
        load: async () => (await import("./ask/resume.ts")).resume,
        needs: ALL,
      },
      export: {
        summary: "Write one to a file: a web page, Markdown or a notebook.",
        load: async () => (await import("./threads/export.ts")).exportThread,
        needs: FILES,
      },
      import: {
        summary: "Take those of the Python program over.",
        load: async () => (await import("./threads/import.ts")).importThreads,
        needs: FILES,
      },
      prune: {
        summary: "Forget old ones.",
        load: async () => (await import("./threads/prune.ts")).prune,
        needs: FILES,
      },
    },
  },
  knowledge: {
    summary: "Write down what the agent should know about a database.",
    commands: {
      add: {
        summary: "Write something down.",
        load: async () => (await import("./knowledge/add.ts")).add,
        needs: KEYS,
      },
      list: {
        summary: "List what was written down.",
        load: async () => (await import("./knowledge/list.ts")).list,
        needs: KEYS,
      },
      show: {
        summary: "Show an entry.",
        load: async () => (await import("./knowledge/show.ts")).show,
        needs: KEYS,
      },
      search: {
        summary: "Find entries by words.",
        load: async () => (await import("./knowledge/search.ts")).search,
        needs: KEYS,
      },
      remove: {
        summary: "Forget an entry.",
        load: async () => (await import("./knowledge/remove.ts")).remove,
        needs: KEYS,
      },
      clear: {
        summary: "Forget all about a database.",
        load: async () => (await import("./knowledge/clear.ts")).clear,
        needs: KEYS,
      },
    },
  },
  theme: {
    summary: "Choose the colours.",
    commands: {
      list: {
        summary: "Show the themes.",
        load: async () => (await import("./theme/list.ts")).list,
        needs: FILES,
      },
      set: { summary: "Use a theme.", load: async () => (await import("./theme/set.ts")).set, needs: FILES },
      reset: {
        summary: "Use the default.",
        load: async () => (await import("./theme/reset.ts")).reset,
        needs: FILES,
      },
    },
  },
  completions: {
    summary: "Print a script by which a shell completes saber's commands.",
    load: async () => (await import("./completions/mode.ts")).completions,
    needs: FILES,
  },
  upgrade: {
    summary: "Say whether there is a newer release.",
    load: async () => (await import("./upgrade/mode.ts")).upgrade,
    needs: [...FILES, "net"],
  },
  doctor: {
    summary: "Check the set-up, and say what to mend.",
    load: async () => (await import("./doctor/mode.ts")).doctor,
    needs: ALL,
  },
};
