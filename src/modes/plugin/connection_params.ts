/**
 * The connection that a request names: the host's form, as an address. Blank fields count as absent.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import type { Address } from "../../db/workbench.ts";
import { divideUrl } from "./connection_url.ts";

const text = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((value) => value?.trim() === "" ? undefined : value ?? undefined),
);
/** Older hosts send all selected databases; the first is meant. */
const database = z.pipe(
  z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
  z.transform((value) => (typeof value === "object" ? value?.[0] : value) || undefined),
);

/** A number or its digits; 0 and "" stand for none. */
const portNumber = z.pipe(
  z.pipe(z.union([z.number(), z.string()]), z.transform(Number)),
  z.int().check(z.minimum(0), z.maximum(65_535)),
);
const flag = z.optional(z.nullable(z.boolean()));

const schema = z.object({
  driver: text,
  host: text,
  port: z.pipe(z.optional(z.nullable(portNumber)), z.transform((port) => port || undefined)),
  username: text,
  password: text,
  database,
  connection_uri: text,
  connection_string: text,
  ssl_mode: text,
  ssl_ca: text,
  ssl_cert: text,
  ssl_key: text,
  use_iam_auth: flag,
  enable_cleartext_plugin: flag,
  pipes_as_concat: flag,
  startup_script: text,
  connection_id: text,
  extra: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});

export interface ConnectionParams {
  readonly driver: string | undefined;
  readonly address: Address;
  /** SQL that every new connection runs first. */
  readonly startup: readonly string[];
  readonly applicationName: string;
  /** Tells connections apart that the host keeps as two, though they lead to the same place. */
  readonly id: string | undefined;
}

/** Throws Fault `bad_request`. */
export function readConnection(sent: unknown): ConnectionParams {
  const parsed = schema.safeParse(sent ?? {});
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    const wanted = where === "port" ? "Send a number from 1 to 65535" : "Send what the form gives";
    throw new Fault(
      "bad_request",
      `Cannot read the connection: "${where}" is not as it should be. ${wanted}.`,
    );
  }
  const { data } = parsed;
  const extra = (key: string) => {
    const value = data.extra?.[key];
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  };
  const { url, options, applicationName, sessionKind } = divideUrl(
    data.connection_string ?? data.connection_uri,
  );
  return {
    driver: data.driver,
    address: {
      host: data.host,
      port: data.port,
      user: data.username,
      password: data.password,
      database: data.database,
      url,
      tlsServerName: extra("tls_server_name"),
      clearPassword: data.enable_cleartext_plugin === true || data.use_iam_auth === true,
      pipesConcatenate: data.pipes_as_concat === true,
      searchPath: extra("search_path"),
      timeZone: extra("time_zone"),
      options: extra("options") ?? options,
      sessionKind,
      tls: tlsOf(data),
    },
    startup: data.startup_script === undefined ? [] : [data.startup_script],
    applicationName: extra("application_name") ?? applicationName ?? "saber",
    id: data.connection_id,
  };
}

/** A token of the cloud's in the password's place goes over TLS alone. */
function tlsOf(data: z.infer<typeof schema>): Address["tls"] {
  const mode = data.use_iam_auth === true && !/^(?:require|verify)/i.test(data.ssl_mode ?? "")
    ? "require"
    : data.ssl_mode;
  return { mode, ca: data.ssl_ca, cert: data.ssl_cert, key: data.ssl_key };
}
