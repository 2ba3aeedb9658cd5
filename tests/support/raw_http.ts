/**
 * HTTP/1.1 as bytes on a socket, for requests that no decent client sends. It judges nothing.
 */

export interface RawAnswer {
  /** 0 when the server closed without a word. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** The headers of a request that is in order. */
export function goodHeaders(port: number): Record<string, string> {
  return {
    Host: `127.0.0.1:${port}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Instead of those in order; several of one name are one string each. */
  readonly headers?: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body?: string | Uint8Array;
}

/** Sends one request and reads its answer. */
export async function rawHttp(port: number, request: RawRequest): Promise<RawAnswer> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const text = read(connection);
  await write(connection, bytesOf(port, request)).catch(() => {}); // the server may have answered and gone already
  return parse(await text);
}

/** The request as it goes over the wire; the server is asked to close after it. */
export function bytesOf(
  port: number,
  { method = "POST", target = "/mcp", headers = {}, body = "" }: RawRequest,
): Uint8Array {
  const encoder = new TextEncoder();
  const content = typeof body === "string" ? encoder.encode(body) : body;
  const all = {
    ...goodHeaders(port),
    "Content-Length": String(content.length),
    Connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => each === undefined ? [] : [`${name}: ${each}\r\n`])
  );
  const head = encoder.encode(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

export async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
}

/** Everything until an answer of known length is whole, or the server closes or resets the connection. */
export async function read(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1 << 16);
  let text = "";
  while (true) {
    const size = await connection.read(buffer).catch(() => null);
    if (size === null) return text + decoder.decode();
    text += decoder.decode(buffer.subarray(0, size), { stream: true });
    const { headers, body } = parse(text);
    if (body !== "" && body.length >= Number(headers["content-length"])) return text;
  }
}

function parse(text: string): RawAnswer {
  const [head = "", ...body] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const status = Number(first.split(" ")[1] ?? 0);
  return { status, headers: Object.fromEntries(headers), body: body.join("\r\n\r\n") };
}
