/**
 * The settings that the host offers for each driver; what they mean is ../settings.ts's.
 */
import type { Json } from "../../../base/json.ts";

const number = (
  key: string,
  label: string,
  options: { readonly usual: number; readonly description: string },
): Json => ({
  key,
  label,
  type: "number",
  default: options.usual,
  description: options.description,
});

export const SETTINGS: readonly Json[] = [
  number("poolMaxSize", "Connections", {
    usual: 10,
    description: "Connections at once of one saved connection, from 1 to 64.",
  }),
  number("connectTimeoutSeconds", "Connect timeout (s)", {
    usual: 10,
    description: "How long connecting may take, in seconds.",
  }),
  number("statementTimeoutSeconds", "Statement timeout (s)", {
    usual: 0,
    description: "How long a statement may run, in seconds, kept by the server; 0 leaves the server's own.",
  }),
  number("maxCellBytes", "Binary preview (bytes)", {
    usual: 4096,
    description: "Bytes of a binary value that a result shows.",
  }),
  number("maxResponseMiB", "Result size (MiB)", {
    usual: 64,
    description: "How much one result may hold; what is beyond is left out, and said to be.",
  }),
  number("sessionIdleMinutes", "Idle transactions (min)", {
    usual: 30,
    description: "After so many minutes without a run, a tab's open transaction is rolled back.",
  }),
  {
    key: "readOnly",
    label: "Read-only",
    type: "boolean",
    default: false,
    description: "Open every connection so that the server refuses changes.",
  },
  {
    key: "timestamptzZone",
    label: "Zone of moments",
    type: "select",
    options: ["utc", "session"],
    default: "utc",
    description: "Show timestamps with time zone in UTC, or in the zone that the server gives the session.",
  },
  {
    key: "logLevel",
    label: "Log",
    type: "select",
    options: ["info", "warning", "error"],
    default: "info",
    description: "The least weighty entries that saber's log keeps.",
  },
];
