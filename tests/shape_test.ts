/**
 * The form of the program's files: their size, their names, and what may not stand in them.
 * Who may import whom is layers_test.ts's.
 */
import assert from "node:assert/strict";
import { readSources, type Source } from "./support/sources.ts";
import { type FunctionShape, readSyntax } from "./support/syntax.ts";

const FILE_LINES = { median: 80, max: 400 };
const FUNCTION_LINES = { p95: 40, max: 80 };
/** More are a third one that is an options object. */
const POSITIONAL = 2;
/** Files that may touch the process they run in. */
const PROCESS_FILES = new Set([
  "main.ts",
  "src/config.ts",
  "src/build/compile.ts",
  "src/build/entry.ts",
  "src/build/package.ts",
  "src/db/sqlite_child/entry.ts",
]);

/** Each breach of a rule that one file can commit, one sentence each. */
function fileViolations(source: Source): string[] {
  const { path, text } = source;
  const syntax = readSyntax(source);
  const mayTouchProcess = PROCESS_FILES.has(path);
  return [
    ...nameViolations(path),
    ...(text.startsWith("/**\n") ? [] : ["no header comment"]),
    ...(countLines(text) > FILE_LINES.max ? [`${countLines(text)} lines`] : []),
    ...(/deno-lint-ignore|@ts-(ignore|nocheck|expect-error)/.test(text) ? ["a check is switched off"] : []),
    ...syntax.findings
      .filter(({ what }) => !mayTouchProcess || !/^Deno\.|^import side effect$/.test(what))
      .map(({ what, line }) => `line ${line}: ${what}`),
    ...syntax.functions.flatMap(functionViolations),
  ].map((what) => `${path}: ${what}`);
}

function nameViolations(path: string): string[] {
  const isSnake = /^([a-z0-9]+(_[a-z0-9]+)*\/)*[a-z0-9]+(_[a-z0-9]+)*\.ts$/.test(path);
  const saysNothing = /(^|\/)(utils?|index|helpers?|common|misc)\.ts$/.test(path);
  return [...isSnake ? [] : ["not snake_case"], ...saysNothing ? ["a name that says nothing"] : []];
}

function functionViolations({ name, line, lines, ...shape }: FunctionShape): string[] {
  const found: string[] = [];
  if (lines > FUNCTION_LINES.max) found.push(`line ${line}: ${name} has ${lines} lines`);
  const allowed = POSITIONAL + (shape.endsInOptions ? 1 : 0);
  if (!shape.isCallback && shape.parameters > allowed) {
    found.push(`line ${line}: ${name} has ${shape.parameters} parameters`);
  }
  return found;
}

/** Breaches of the rules about all files together. */
function sizeViolations(sources: readonly Source[]): string[] {
  const found: string[] = [];
  const median = quantile(sources.map((source) => countLines(source.text)), 0.5);
  if (median > FILE_LINES.median) found.push(`the median file has ${median} lines`);
  const lengths = sources.flatMap((source) => readSyntax(source).functions.map(({ lines }) => lines));
  const p95 = quantile(lengths.filter((lines) => lines > 0), 0.95);
  if (p95 > FUNCTION_LINES.p95) found.push(`one function in twenty has ${p95} lines or more`);
  return found;
}

/** The smallest member that at least this share of the members do not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** What may stand in no file at all: places of one machine, and package sources other than npm. */
const FOREIGN: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /(^|[\s"'`(=:])\/(tmp|work|root|home)\/[\w.-]/m, what: "a path of one machine" },
  { pattern: new RegExp("\\bjs" + "r:"), what: "a package source other than npm" },
  {
    pattern: /\bregistry[.-][\w-]+\.\w|\/\/[\w.-]*(npm|mirror|artifactory|nexus)[\w-]*\.[\w.-]+[/:]/i,
    what: "a registry's host",
  },
  { pattern: new RegExp("_auth" + "Token|\\bnpm_[A-Za-z0-9]{20,}"), what: "a registry's credential" },
];

function foreignViolations({ path, text }: Source): string[] {
  return FOREIGN.filter(({ pattern }) => pattern.test(text)).map(({ what }) => `${path}: ${what}`);
}

async function program(): Promise<Source[]> {
  const sources = await readSources("src", (path) => path.endsWith(".ts"));
  return [...sources, ...await readSources("", (path) => path === "main.ts")];
}

Deno.test("the program's files and functions are small", async () => {
  assert.deepEqual(sizeViolations(await program()), []);
});

Deno.test("each of the program's files keeps to the rules of form", async () => {
  const sources = await program();
  assert.ok(sources.length > 10, "the sources were not found");
  assert.deepEqual(sources.flatMap(fileViolations), []);
});

Deno.test("no file names a place of one machine or a package source other than npm", async () => {
  const isText = (path: string) => /\.(ts|json|jsonc|lock|md|yml|txt|sh)$|\/run$/.test(path);
  const files = await readSources("", isText);
  assert.ok(files.some(({ path }) => path === "deno.lock"));
  assert.deepEqual(files.flatMap(foreignViolations), []);
});

const HEADER = "/**\n * A sample.\n */\n";
const body = (lines: number) => "{\n" + "  0;\n".repeat(lines - 2) + "}";

const SAMPLES: { readonly [name: string]: { path?: string; text: string; expect: string[] } } = {
  "a file without a fault": {
    text: `${HEADER}export const LIMITS = new Map([["a", 1]]) as ReadonlyMap<string, number>;
export function f(a: string, b: string, options: object = {}): number { return [a, b].reduce((n, x, i) => n + i, 0); }
export class A { constructor(readonly a: string, readonly b: string, { c }: { c: string }) {} m(this: A, a: 1, b: 2) {} }\n`,
    expect: [],
  },
  "no header": { text: "// A sample.\n", expect: ["no header comment"] },
  "a long file": { text: HEADER + "\n".repeat(398), expect: ["401 lines"] },
  "a long function": {
    text: `${HEADER}export const f = () => ${body(81)};\n`,
    expect: ["line 4: f has 81 lines"],
  },
  "a long method": {
    text: `${HEADER}export class A {\n  #m() ${body(81)}\n}\n`,
    expect: ["line 5: m has 81 lines"],
  },
  "three positional parameters": {
    text: `${HEADER}export function f(a: 1, b: 2, c: 3) {}
export class A { constructor(a: 1, b: 2, c: 3) {} }
export interface B { m(a: 1, b: 2, c: 3): void; p: (a: 1, b: 2, c: 3) => void }
export const g = (a: 1, b: 2, { c }: { c: 3 }, d: 4) => a;\n`,
    expect: [
      "line 4: f has 3 parameters",
      "line 5: constructor has 3 parameters",
      "line 6: m has 3 parameters",
      "line 6: (anonymous) has 3 parameters",
      "line 7: g has 4 parameters",
    ],
  },
  "any": { text: `${HEADER}export type A = Array<any>;\n`, expect: ["line 4: any"] },
  "casts that check nothing": {
    text: `${HEADER}export const a = JSON.parse("1") as number;\nexport const b = a as unknown as string;\n`,
    expect: ["line 4: unchecked cast", "line 5: unchecked cast"],
  },
  "a switched-off check": {
    text: `${HEADER}// deno-lint` + `-ignore no-eval\n`,
    expect: ["a check is switched off"],
  },
  "module-level state": {
    text:
      `${HEADER}let a = 1;\nexport var b = 2;\nconst c = new Map<string, string>();\nexport const d: string[] = [];\n`,
    expect: [
      "line 4: module-level let",
      "line 5: module-level var",
      "line 6: module-level collection",
      "line 7: module-level collection",
    ],
  },
  "an import with side effects": {
    text: `${HEADER}register("a");\n`,
    expect: ["line 4: import side effect"],
  },
  "the process touched": {
    text: `${HEADER}export const f = () => [Deno.env.get("A"), Deno.stdout, Deno.stdin, Deno.args];\n`,
    expect: ["line 4: Deno.env", "line 4: Deno.stdout", "line 4: Deno.stdin", "line 4: Deno.args"],
  },
  "the process touched where that is allowed": {
    path: "src/config.ts",
    text: `${HEADER}export const f = () => Deno.env.get("A");\n`,
    expect: [],
  },
  "a camelCase name": { path: "src/base/lineReader.ts", text: HEADER, expect: ["not snake_case"] },
  "a name that says nothing": {
    path: "src/base/utils.ts",
    text: HEADER,
    expect: ["a name that says nothing"],
  },
};

for (const [name, { path = "src/base/sample.ts", text, expect }] of Object.entries(SAMPLES)) {
  Deno.test(`the rules of form on a sample: ${name}`, () => {
    assert.deepEqual(fileViolations({ path, text }), expect.map((what) => `${path}: ${what}`));
  });
}

Deno.test("the rules of size on samples", () => {
  const file = (lines: number) => ({ path: "src/a.ts", text: "\n".repeat(lines) });
  assert.deepEqual(sizeViolations([file(80), file(80), file(400)]), []);
  assert.deepEqual(sizeViolations([file(1), file(81), file(81)]), ["the median file has 81 lines"]);
  const functions = (lengths: number[]) =>
    lengths.map((lines, i) => `function f${i}() ${body(lines)}\n`).join("");
  const small = Array(19).fill(3);
  assert.deepEqual(sizeViolations([file(1), file(1), { path: "a.ts", text: functions([...small, 80]) }]), []);
  assert.deepEqual(
    sizeViolations([file(1), file(1), { path: "a.ts", text: functions([...small, 41, 41]) }]),
    [
      "one function in twenty has 41 lines or more",
    ],
  );
});

Deno.test("the rules about machines and registries on samples", () => {
  const violations = (text: string) => foreignViolations({ path: "a", text });
  assert.deepEqual(violations("see https://example.com/ and ../shared, npm:zod@4 and npx deno"), []);
  for (const folder of ["tmp", "work", "root", "home"]) {
    assert.deepEqual(violations(`cat "/${folder}/x"`), ["a: a path of one machine"]);
  }
  assert.deepEqual(violations(`import x from "js${"r:"}@std/a";`), ["a: a package source other than npm"]);
  assert.deepEqual(violations(`"resolved": "https://${"registry"}.example.org/a.tgz"`), [
    "a: a registry's host",
  ]);
  assert.deepEqual(violations(`https://${"npm"}.example.org:8080/a`), ["a: a registry's host"]);
  assert.deepEqual(violations(`//x/:_auth${"Token"}=1`), ["a: a registry's credential"]);
});
