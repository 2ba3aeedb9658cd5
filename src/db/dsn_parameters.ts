/**
 * The parameters of a server's URL (`?sslmode=require&…`), in the words of libpq and of MySQL's clients.
 */
import { decode, type Dialing, malformed, splitOnce } from "./dsn_text.ts";

/** Parameters with a meaning here, by their name without dashes, underscores and case. */
const KNOWN = [
  "host",
  "port",
  "user",
  "password",
  "dbname",
  "socket",
  "unixsocket",
  "sslmode",
  "sslrootcert",
  "sslca",
  "sslcert",
  "sslkey",
  "channelbinding",
] as const;
/** Parameters that change neither what is read nor how safely, so they may be left unused. */
const UNUSED = [
  "applicationname",
  "fallbackapplicationname",
  "connecttimeout",
  "clientencoding",
  "charset",
  "keepalives",
  "keepalivesidle",
  "keepalivesinterval",
  "keepalivescount",
  "gssencmode",
];

export type Parameters = { [name in typeof KNOWN[number]]?: string };

/** Throws Fault `bad_target` for a parameter that would change what is read, or how safely, and is not supported. */
export function parseParameters(query: string, dialing: Dialing): Parameters {
  const parameters: Parameters = {};
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [key = "", value = ""] = splitOnce(pair, "=").map((text) => decode(text, dialing));
    const plain = key.toLowerCase().replaceAll(/[-_]/g, "");
    const known = KNOWN.find((name) => name === plain);
    if (known !== undefined) parameters[known] = value;
    else if (!UNUSED.includes(plain)) {
      throw malformed(
        dialing,
        `it has a parameter that is not supported (supported are ${KNOWN.join(", ")})`,
      );
    }
  }
  return parameters;
}
