/**
 * Who may import whom. The table below is the architecture; a change to it is a decision of its own.
 * It checks imports only; the form of files is shape_test.ts's.
 */
import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { readSources, type Source } from "./support/sources.ts";
import { type Import, readSyntax } from "./support/syntax.ts";

interface Layer {
  /** Places whose code and types may be imported: a folder of src, or one file or subfolder of it. */
  readonly code: readonly string[];
  /** Places of which only types may be imported. */
  readonly types: readonly string[];
}

/** Each folder of src, and each file directly in it. Imports within a folder are free, but for leaves. */
const LAYERS: { readonly [name: string]: Layer } = {
  base: { code: [], types: [] },
  wire: { code: ["base"], types: [] },
  db: { code: ["base"], types: [] },
  llm: { code: ["base"], types: [] },
  store: { code: ["base", "db/values"], types: ["db", "llm"] },
  tools: { code: ["base"], types: ["db", "store"] },
  agent: { code: ["base", "tools"], types: ["llm", "store"] },
  term: { code: ["base"], types: [] },
  modes: {
    code: ["base", "wire", "agent", "tools", "db/values", "settings", "term"],
    types: ["app", "args", "db", "store"],
  },
  settings: { code: ["base"], types: ["db", "llm"] },
  client: { code: ["modes/rpc/contract"], types: [] },
  build: { code: ["base"], types: [] },
  app: { code: [], types: ["args", "base", "config", "db", "llm", "store", "tools", "agent", "wire"] },
  args: { code: ["base"], types: [] },
  command_list: { code: ["args", "modes/registry"], types: ["app"] },
  config: { code: ["base"], types: ["args", "db", "llm"] },
};

/** The file that wires the parts together: it may import everything. */
const ROOT = "main.ts";
/** Where a compiled program starts: it runs the file above. */
const ENTRY = "src/build/entry.ts";
/** Leaves that one other leaf may use. */
const SHARED_LEAVES: { readonly [leaf: string]: string } = { "src/db/duckdb": "src/db/files" };

/** An import of one of our files, its target resolved to a path in the repository. */
interface Edge extends Import {
  readonly from: string;
  readonly to: string;
}

/** Every import that breaks a rule, one sentence each. */
function violations(sources: readonly Source[], packages: readonly string[]): string[] {
  const paths = new Set(sources.map((source) => source.path));
  const found: string[] = [];
  const edges: Edge[] = [];
  for (const source of sources) {
    if (source.path !== ROOT && !(layerOf(source.path) in LAYERS)) {
      found.push(`${source.path}: no layer is named ${layerOf(source.path)}`);
    }
    for (const each of readSyntax(source).imports) {
      const to = resolve(source.path, each.specifier, packages);
      if (to === undefined) found.push(`${source.path}:${each.line}: unknown import ${each.specifier}`);
      else if (to !== "package" && !paths.has(to)) {
        found.push(`${source.path}:${each.line}: no such file ${to}`);
      } else if (to !== "package") edges.push({ ...each, from: source.path, to });
    }
  }
  return [...found, ...layerViolations(edges), ...leafViolations(edges)];
}

/** The file an import means; "package" for a library; undefined for what is neither. */
function resolve(
  from: string,
  specifier: string | undefined,
  packages: readonly string[],
): string | undefined {
  if (specifier === undefined) return undefined;
  if (/^\.\.?\//.test(specifier)) return new URL(specifier, `file:///${from}`).pathname.slice(1);
  return specifier.startsWith("node:") || packages.includes(specifier) ? "package" : undefined;
}

/** "src/db/values.ts" is in "db", "src/app.ts" in "app". */
function layerOf(path: string): string {
  return (path.startsWith("src/") ? path.slice(4) : path).replace(/\/.*|\.ts$/, "");
}

function layerViolations(edges: readonly Edge[]): string[] {
  const isAllowed = ({ from, to, kind }: Edge) => {
    if (from === ROOT || layerOf(from) === layerOf(to) || (from === ENTRY && to === ROOT)) return true;
    const layer = LAYERS[layerOf(from)];
    const places = [...layer?.code ?? [], ...kind === "type" ? layer?.types ?? [] : []];
    return to !== ROOT && places.some((place) => isIn(to, `src/${place}`));
  };
  return edges.filter((edge) => !isAllowed(edge)).map((edge) =>
    `${edge.from}:${edge.line}: may not import ${edge.kind} of ${edge.to}`
  );
}

function isIn(path: string, place: string): boolean {
  return path === `${place}.ts` || path.startsWith(`${place}/`);
}

/** Leaves are what a registry loads: a file, or a folder of the registry's own folder. */
function leafViolations(edges: readonly Edge[]): string[] {
  const isRegistry = (path: string) => path.endsWith("/registry.ts");
  const leaves = new Set(
    edges.filter((edge) => isRegistry(edge.from) && edge.kind === "lazy").map((edge) => leafOf(edge.to)),
  );
  return edges.flatMap((edge) => {
    const at = `${edge.from}:${edge.line}:`;
    const [from, to] = [leafOf(edge.from), leafOf(edge.to)];
    const isOwnPart = from === to || to.startsWith(`${from}_`); // in its folder, or a file named after it
    if (
      edge.kind === "lazy" && !isRegistry(edge.from) && edge.from !== ROOT && edge.from !== ENTRY &&
      !isOwnPart
    ) {
      return [`${at} only a registry may import ${edge.to} lazily`];
    }
    if (!leaves.has(to) || from === to || SHARED_LEAVES[to] === from) return [];
    if (isNamedPart(edge, to)) return [];
    if (isRegistry(edge.from) && edge.kind === "lazy") return [];
    return [`${at} only the registry may import the leaf ${edge.to}`];
  });
}

/** A part of a leaf that the table itself names for the importer's layer. */
function isNamedPart({ from, to }: Edge, leaf: string): boolean {
  const named = (LAYERS[layerOf(from)]?.code ?? []).map((place) => `src/${place}`);
  return named.some((place) => place.startsWith(`${leaf}/`) && isIn(to, place));
}

function leafOf(path: string): string {
  return path.split("/").slice(0, 3).join("/").replace(/\.ts$/, "");
}

Deno.test("every import of the program follows the table of layers", async () => {
  const isSource = (path: string) => path.endsWith(".ts");
  const sources = [
    ...await readSources("src", isSource),
    ...await readSources("", (path) => path === ROOT),
  ];
  assert.ok(sources.length > 10, "the sources were not found");
  assert.deepEqual(violations(sources, Object.keys(config.imports)), []);
});

const SAMPLES: { readonly [name: string]: { files: Record<string, string>; expect: string[] } } = {
  "what the table allows": {
    files: {
      "main.ts": 'import "./src/modes/rpc.ts"; import { z } from "zod/mini"; import "node:fs";',
      "src/modes/rpc.ts": 'import { Fault } from "../base/fault.ts"; import type { App } from "../app.ts";',
      "src/base/fault.ts": "export class Fault {}",
      "src/app.ts": "export interface App {}",
      "src/db/registry.ts": 'export const engines = { duckdb: () => import("./duckdb.ts") };',
      "src/db/duckdb.ts": "",
      "src/db/files.ts": 'import { open } from "./duckdb.ts"; await import("./files_sniffed.ts");',
      "src/db/files_sniffed.ts": "",
    },
    expect: [],
  },
  "an unknown folder": {
    files: { "src/helpers/text.ts": "" },
    expect: ["src/helpers/text.ts: no layer is named helpers"],
  },
  "a package outside deno.json": {
    files: { "src/base/a.ts": 'import x from "npm:left-pad@1";' },
    expect: ["src/base/a.ts:1: unknown import npm:left-pad@1"],
  },
  "a file that is not there": {
    files: { "src/base/a.ts": '\nexport { b } from "./b.ts";' },
    expect: ["src/base/a.ts:2: no such file src/base/b.ts"],
  },
  "a layer that may not be seen": {
    files: { "src/wire/a.ts": 'import type { B } from "../db/b.ts";', "src/db/b.ts": "" },
    expect: ["src/wire/a.ts:1: may not import type of src/db/b.ts"],
  },
  "code where only types are allowed": {
    files: {
      "src/store/a.ts": 'import { type B, c } from "../llm/b.ts";',
      "src/agent/a.ts": 'import { type B } from "../llm/b.ts"; type C = import("../llm/b.ts").C;',
      "src/llm/b.ts": "",
    },
    expect: ["src/store/a.ts:1: may not import code of src/llm/b.ts"],
  },
  "one file of a folder": {
    files: {
      "src/store/a.ts": 'import "../db/values.ts"; import "../db/driver.ts";',
      "src/db/values.ts": "",
      "src/db/driver.ts": "",
    },
    expect: ["src/store/a.ts:1: may not import code of src/db/driver.ts"],
  },
  "a part that imports the root": {
    files: { "src/modes/a.ts": 'import "../../main.ts";', "main.ts": "" },
    expect: ["src/modes/a.ts:1: may not import code of main.ts"],
  },
  "a leaf imported by a neighbour, by another leaf and by its registry at once": {
    files: {
      "src/db/registry.ts":
        'import "./a/mod_a.ts"; export const all = [() => import("./a/mod_a.ts"), () => import("./b.ts")];',
      "src/db/a/mod_a.ts": 'import "./part.ts"; import type { B } from "../b.ts";',
      "src/db/a/part.ts": "",
      "src/db/b.ts": "",
      "src/db/c.ts": 'import "./a/part.ts";',
    },
    expect: [
      "src/db/registry.ts:1: only the registry may import the leaf src/db/a/mod_a.ts",
      "src/db/a/mod_a.ts:1: only the registry may import the leaf src/db/b.ts",
      "src/db/c.ts:1: only the registry may import the leaf src/db/a/part.ts",
    ],
  },
  "a lazy import outside a registry, and one without a literal path": {
    files: {
      "src/db/a.ts": 'export const b = () => import("./b.ts"); export const c = (p: string) => import(p);',
      "src/db/b.ts": "",
    },
    expect: [
      "src/db/a.ts:1: unknown import undefined",
      "src/db/a.ts:1: only a registry may import src/db/b.ts lazily",
    ],
  },
};

for (const [name, { files, expect }] of Object.entries(SAMPLES)) {
  Deno.test(`the layer rules on a sample: ${name}`, () => {
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    assert.deepEqual(violations(sources, ["zod/mini"]), expect);
  });
}
