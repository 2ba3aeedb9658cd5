/**
 * What the checks of shape and layers want to know of a TypeScript file, read from the syntax tree of Deno's own linter.
 * It collects facts; the rules are in the tests.
 */
import type { Source } from "./sources.ts";

export interface Import {
  /** Undefined where it is not a literal. */
  readonly specifier: string | undefined;
  /** `type`: gone after compilation; `lazy`: `import()`. */
  readonly kind: "code" | "type" | "lazy";
  readonly line: number;
}

export interface FunctionShape {
  readonly name: string;
  readonly line: number;
  /** Lines from the first to the last of a function with a body; 0 for a signature or a lone expression. */
  readonly lines: number;
  readonly parameters: number;
  /** The last parameter may be an options object, by its form or its name. */
  readonly endsInOptions: boolean;
  /** It is handed to a call, which then decides how many parameters it gets. */
  readonly isCallback: boolean;
}

/** A construct that a rule may forbid, in the words of the rule. */
export interface Finding {
  readonly what: string;
  readonly line: number;
}

export interface Syntax {
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionShape[];
  readonly findings: readonly Finding[];
}

/** Throws when the file does not parse. */
export function readSyntax({ path, text }: Source): Syntax {
  const imports: Import[] = [];
  const functions: FunctionShape[] = [];
  const findings: Finding[] = [];
  const lineOf = (node: Deno.lint.Node) => text.slice(0, node.range[0]).split("\n").length;
  const rule: Deno.lint.Rule = {
    create: () => ({
      ...importVisitor((node, entry) => imports.push({ ...entry, line: lineOf(node) })),
      ...functionVisitor(text, (node, shape) => functions.push({ ...shape, line: lineOf(node) })),
      ...findingVisitor((node, what) => findings.push({ what, line: lineOf(node) })),
    }),
  };
  Deno.lint.runPlugin({ name: "facts", rules: { facts: rule } }, path, text);
  return { imports, functions, findings };
}

type Visitor = Deno.lint.LintVisitor;
type Add<Fact> = (node: Deno.lint.Node, fact: Fact) => void;

function importVisitor(add: Add<Omit<Import, "line">>): Visitor {
  const reexport = (node: Deno.lint.ExportNamedDeclaration | Deno.lint.ExportAllDeclaration) => {
    if (node.source) add(node, { specifier: node.source.value, kind: kindOf(node.exportKind) });
  };
  return {
    ImportDeclaration(node) {
      const onlyTypes = node.specifiers.length > 0 &&
        node.specifiers.every((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      add(node, { specifier: node.source.value, kind: onlyTypes ? "type" : kindOf(node.importKind) });
    },
    ExportNamedDeclaration: reexport,
    ExportAllDeclaration: reexport,
    ImportExpression(node) {
      add(node, { specifier: literal(node.source), kind: "lazy" });
    },
    TSImportType(node) {
      add(node, { specifier: literal(node.argument), kind: "type" });
    },
  };
}

function kindOf(kind: "type" | "value"): "type" | "code" {
  return kind === "type" ? "type" : "code";
}

function literal(node: Deno.lint.Node): string | undefined {
  if (node.type === "TSLiteralType") return literal(node.literal);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function functionVisitor(text: string, add: Add<Omit<FunctionShape, "line">>): Visitor {
  const visit = (
    node:
      | Deno.lint.FunctionDeclaration
      | Deno.lint.FunctionExpression
      | Deno.lint.ArrowFunctionExpression
      | Deno.lint.TSMethodSignature
      | Deno.lint.TSFunctionType,
  ) => {
    const positional = node.params.filter((each) => !(each.type === "Identifier" && each.name === "this"));
    const last = positional.at(-1);
    add(node, {
      name: nameOf(node),
      lines: "body" in node && node.body?.type === "BlockStatement" ? countLines(text, node) : 0,
      parameters: positional.length,
      endsInOptions: last !== undefined && isOptions(last),
      isCallback: node.parent.type === "CallExpression" || node.parent.type === "NewExpression",
    });
  };
  return {
    FunctionDeclaration: visit,
    FunctionExpression: visit,
    ArrowFunctionExpression: visit,
    TSMethodSignature: visit,
    TSFunctionType: visit,
  };
}

function countLines(text: string, node: Deno.lint.Node): number {
  return text.slice(...node.range).split("\n").length;
}

function nameOf(node: Deno.lint.Node): string {
  if (node.type === "FunctionDeclaration" && node.id) return node.id.name;
  const owner = node.type !== "TSMethodSignature" && "parent" in node ? node.parent : node;
  if (owner.type === "VariableDeclarator" && owner.id.type === "Identifier") return owner.id.name;
  // the linter's nodes answer "in" for members that they lack
  const key: Deno.lint.Node | undefined = "key" in owner ? owner.key : undefined;
  return key?.type === "Identifier" || key?.type === "PrivateIdentifier" ? key.name : "(anonymous)";
}

function isOptions(node: Deno.lint.Parameter): boolean {
  if (node.type === "AssignmentPattern") return isOptions(node.left);
  if (node.type === "TSParameterProperty") return isOptions(node.parameter);
  return node.type === "ObjectPattern" || (node.type === "Identifier" && /options$/i.test(node.name));
}

/** Calls that make an empty collection, which only makes sense where it is filled later. */
const COLLECTIONS = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);
const PROCESS_GLOBALS = new Set(["env", "stdin", "stdout", "args"]);

function findingVisitor(add: Add<string>): Visitor {
  return {
    TSAnyKeyword: (node) => add(node, "any"),
    TSAsExpression(node) {
      const { expression } = node;
      const cast = expression.type === "TSAsExpression";
      const parsed = expression.type === "CallExpression" && expression.callee.type === "MemberExpression" &&
        isNamed(expression.callee.object, "JSON");
      if (cast || parsed) add(node, "unchecked cast");
    },
    MemberExpression(node) {
      if (!isNamed(node.object, "Deno") || node.property.type !== "Identifier") return;
      if (PROCESS_GLOBALS.has(node.property.name)) add(node, `Deno.${node.property.name}`);
    },
    Program(node) {
      for (const statement of node.body) findTopLevel(statement, add);
    },
  };
}

function isNamed(node: Deno.lint.Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

function findTopLevel(statement: Deno.lint.Node, add: Add<string>): void {
  if (statement.type === "ExpressionStatement") return add(statement, "import side effect");
  const inner = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (inner?.type !== "VariableDeclaration") return;
  if (inner.kind !== "const") add(inner, `module-level ${inner.kind}`);
  for (const { init } of inner.declarations) {
    const isEmpty = init?.type === "ArrayExpression"
      ? init.elements.length === 0
      : init?.type === "NewExpression" && init.callee.type === "Identifier" &&
        COLLECTIONS.has(init.callee.name) && init.arguments.length === 0;
    if (isEmpty) add(inner, "module-level collection");
  }
}
