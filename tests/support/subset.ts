/**
 * Whether a JSON value contains what was expected of it. Objects may have more members; arrays may not.
 * In the expected value some texts stand for more than themselves: `${any}`, `${string}`, `${number}`, `${absent}`,
 * `${/pattern/}`, and `${=name}`, which keeps the value under that name.
 */

interface Place {
  /** Where a match keeps values. */
  readonly names: Map<string, unknown>;
  /** How to get to the value: `$.rows[0]`. */
  readonly path: string;
}

/** Each difference as one sentence that begins with its path; none when the value contains what was expected. */
export function differences(actual: unknown, expected: unknown, place: Place): string[] {
  const special = typeof expected === "string" ? /^\$\{(.*)\}$/s.exec(expected)?.[1] : undefined;
  if (special !== undefined) return specialDifferences(actual, special, place);
  if (Array.isArray(expected)) return arrayDifferences(actual, expected, place);
  if (typeof expected === "object" && expected !== null) return objectDifferences(actual, expected, place);
  return Object.is(actual, expected) ? [] : [`${place.path} is ${show(actual)}, not ${show(expected)}`];
}

function arrayDifferences(actual: unknown, expected: readonly unknown[], { names, path }: Place): string[] {
  if (!Array.isArray(actual)) return [`${path} is ${show(actual)}, no array`];
  if (actual.length !== expected.length) {
    return [`${path} has ${actual.length} members, not ${expected.length}: ${show(actual)}`];
  }
  return expected.flatMap((each, at) => differences(actual[at], each, { names, path: `${path}[${at}]` }));
}

function objectDifferences(actual: unknown, expected: object, { names, path }: Place): string[] {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) {
    return [`${path} is ${show(actual)}, no object`];
  }
  const members = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(expected).flatMap(([key, each]) =>
    differences(members.get(key), each, { names, path: `${path}.${key}` })
  );
}

function specialDifferences(actual: unknown, special: string, { names, path }: Place): string[] {
  const pattern = /^\/(.*)\/$/s.exec(special)?.[1];
  const name = /^=(\w+)$/.exec(special)?.[1];
  if (name !== undefined) names.set(name, actual);
  const fits = pattern === undefined
    ? KINDS[name === undefined ? special : "any"]?.(actual)
    : typeof actual === "string" && new RegExp(pattern, "u").test(actual);
  return fits ? [] : [`${path} is ${show(actual)}, not \${${special}}`];
}

const KINDS: { readonly [name: string]: (value: unknown) => boolean } = {
  any: (value) => value !== undefined,
  absent: (value) => value === undefined,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
};

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
