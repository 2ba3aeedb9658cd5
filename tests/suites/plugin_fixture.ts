/**
 * What the suites of `saber plugin` need to know of an engine: where it is, and how its test tables are made.
 */
import type { PluginHost } from "../support/plugin_host.ts";

export interface PluginFixture {
  readonly driver: string;
  /** The fields of the connection form. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema that requests name. */
  readonly schema: string | null;
  /** Makes the schema, where it must be made first. */
  readonly create: readonly string[];
  /** What every engine has to make: tables `item` (id, name) and `part` (a key of two columns, one to item), a view `seen`. */
  readonly setup: readonly string[];
  /** In the default schema: takes it all away again. */
  readonly cleanup: readonly string[];
  /** Runs for long and is harmless. */
  readonly slowQuery: string;
  /** Every type of the engine, one column each, and a row: what the driver must show, and take back. */
  readonly types: readonly TypeSample[];
  readonly blobType: string;
  /** Where users are from; "" where they are from nowhere. */
  readonly userHost: string;
  /** What makes the trigger `watch` anew; "" where there are none. */
  readonly newTrigger: string;
  readonly has: {
    readonly triggers: boolean;
    readonly routines: boolean;
    readonly foreignKeyNames: boolean;
    /** Two transactions may change things at once. */
    readonly concurrentWriters: boolean;
    /** After an error nothing but ROLLBACK works. */
    readonly errorsEndTransactions: boolean;
  };
  /** How many runs of the slow query the server has, as it says itself; for servers. */
  runningQueries?(): Promise<number>;
  dispose(): PromiseLike<void>;
}

export interface TypeSample {
  readonly type: string;
  /** As the host gets it, and as it sends it back. */
  readonly value: unknown;
  /** As SQL that makes the value. */
  readonly sql: string;
}

/** Runs statements, each by a request of its own. */
export async function runAll(
  host: PluginHost,
  statements: readonly string[],
  schema: string | null,
): Promise<void> {
  for (const query of statements) await host.ask("execute_query", { query, limit: null, page: 1, schema });
}
