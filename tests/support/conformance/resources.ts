/**
 * The resources of the conformance suite's example server.
 */
import { type ReadResourceResult, ResourceNotFoundError, type Server } from "@modelcontextprotocol/server";
import { PNG } from "./content.ts";

const TEXTS: { readonly [uri: string]: string } = {
  "test://static-text": "This is the content of the static text resource.",
  "test://watched-resource": "watched",
  "test://example-resource": "example",
};
const BINARY = "test://static-binary";

export function addResources(server: Server, { modern }: { modern: boolean }): void {
  server.setRequestHandler("resources/list", () => ({
    resources: [...Object.keys(TEXTS), BINARY].map((uri) => ({
      uri,
      name: uri.slice("test://".length),
      description: "A resource of the conformance suite",
      mimeType: uri === BINARY ? "image/png" : "text/plain",
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{
      uriTemplate: "test://template/{id}/data",
      name: "template",
      mimeType: "application/json",
    }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => read(uri));
  if (modern) return;
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function read(uri: string): ReadResourceResult {
  if (uri === BINARY) return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
  const text = TEXTS[uri];
  if (text !== undefined) return { contents: [{ uri, mimeType: "text/plain", text }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }] };
}
