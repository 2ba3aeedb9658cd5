/**
 * What is refused before anything of a request is read. A web page can make a browser send requests to this machine
 * (with its own Origin, or with a Host that it has pointed here), so both headers are compared as they stand with
 * the names this server goes by, and nothing is ever taken apart.
 */
import { isJsonContentType } from "@modelcontextprotocol/server";

/** The one place where messages are taken. */
export const PATH = "/mcp";
/** JSON-RPC leaves this code to servers; the SDK uses it for requests that do not reach the protocol. */
const REFUSED = -32000;
/** No parser of longer ones is tried. */
const MAX_URL = 2000;

/** An answer of ours in the form of the protocol, without a word of what was sent. */
export function refusal(
  status: number,
  message: string,
  { headers = {} }: { readonly headers?: Record<string, string> } = {},
): Response {
  const code = status === 400 ? -32700 : REFUSED;
  const body = { jsonrpc: "2.0", error: { code, message }, id: null };
  return Response.json(body, { status, headers });
}

/** The answer to a request that may not be read; undefined for one that may. `port` is the server's own. */
export function refusalOf(request: Request, port: number): Response | undefined {
  const { headers, method, url } = request;
  const host = headers.get("host");
  if (host === null || !hostsAt(port).includes(host)) {
    return refusal(403, "Forbidden: the Host header is not this server's address");
  }
  // a request line may hold a whole URL, whose host then counts instead of the header's
  if (!url.startsWith(`http://${host}/`)) {
    return refusal(403, "Forbidden: the address in the request line is not this server's");
  }
  const origin = headers.get("origin");
  if (origin !== null && origin !== `http://${host}`) {
    return refusal(403, "Forbidden: requests of other origins are not taken");
  }
  if (url.length > MAX_URL) return refusal(414, "URI Too Long");
  if (new URL(url).pathname !== PATH) return refusal(404, `Not Found: the endpoint is ${PATH}`);
  if (method !== "POST") return refusal(405, "Method not allowed.", { headers: { Allow: "POST" } });
  if (!isJsonContentType(headers.get("content-type"))) {
    return refusal(415, "Unsupported Media Type: Content-Type must be application/json");
  }
  const accepted = headers.get("accept") ?? "";
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream")) {
    return refusal(406, "Not Acceptable: Accept must name application/json and text/event-stream");
  }
  return undefined;
}

/** How a client on this machine may name the server. */
function hostsAt(port: number): string[] {
  return ["127.0.0.1", "localhost"].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]
  );
}
