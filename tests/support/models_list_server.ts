/** A loopback server that says which models it has, as Ollama, LM Studio and the providers do, and keeps what it was asked. */
export function startModelsListServer(ids: readonly string[]): AsyncDisposable & {
  readonly baseUrl: string;
  readonly asked: { readonly path: string; readonly headers: Headers }[];
} {
  const asked: { path: string; headers: Headers }[] = [];
  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
    (request) => {
      asked.push({ path: new URL(request.url).pathname, headers: new Headers(request.headers) });
      return Response.json({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });
    },
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}
