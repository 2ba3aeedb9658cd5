/** A loopback server with a certificate that no client trusts by itself. */
const FOLDER = new URL("../../fixtures/tls/", import.meta.url);

export function startTlsServer(): AsyncDisposable & { readonly baseUrl: string } {
  const stop = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    cert: Deno.readTextFileSync(new URL("server.crt", FOLDER)),
    key: Deno.readTextFileSync(new URL("server.key", FOLDER)),
    signal: stop.signal,
    onListen: () => {},
  }, () => new Response("never seen"));
  return {
    baseUrl: `https://127.0.0.1:${server.addr.port}/v1`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}
