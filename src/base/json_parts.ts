/**
 * The parts of JSON text that is known to be valid, as texts in their order: nothing is rounded and no key is moved.
 */

/** The members of an object. */
export function membersOf(json: string): [name: string, json: string][] {
  return partsOf(json).map((part): [string, string] => {
    const end = endOfString(part, 0) + 1;
    return [textOf(part.slice(0, end)), part.slice(part.indexOf(":", end) + 1).trim()];
  });
}

/** The elements of an array. */
export function elementsOf(json: string): string[] {
  return partsOf(json);
}

/** The text that a JSON string stands for. */
export function textOf(json: string): string {
  if (!json.includes("\\")) return json.slice(1, -1);
  const text: unknown = JSON.parse(json);
  return typeof text === "string" ? text : json;
}

/** What stands between the outermost brackets, split at the commas of that level. */
function partsOf(json: string): string[] {
  const parts: string[] = [];
  const last = json.lastIndexOf(json.trimStart().startsWith("{") ? "}" : "]");
  let depth = 0;
  let start = json.search(/[[{]/) + 1;
  for (let at = start; at < last; at++) {
    const mark = json[at];
    if (mark === '"') at = endOfString(json, at);
    else if (mark === "{" || mark === "[") depth++;
    else if (mark === "}" || mark === "]") depth--;
    else if (mark === "," && depth === 0) {
      parts.push(json.slice(start, at).trim());
      start = at + 1;
    }
  }
  const rest = json.slice(start, last).trim();
  return rest === "" ? parts : [...parts, rest];
}

/** Where the string that begins here has its closing quote. */
export function endOfString(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}
