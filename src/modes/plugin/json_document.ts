/**
 * Whether a JSON document of the database may travel as JSON: the host reads numbers as doubles and sorts keys, so what would
 * come back changed travels as text.
 */

/** The host reads at most 128 levels of a whole line. */
const MAX_DEPTH = 100;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*|[a-z]+/g;

interface Level {
  /** Of an object: its keys so far. */
  readonly keys: string[] | undefined;
}

/** `sorted`: the order of keys means something, so only sorted ones survive. */
export function survives(text: string, { sorted }: { readonly sorted: boolean }): boolean {
  // a text that comes back is taken for a document's text, and null for no document
  if (/^\s*(?:"|null\s*$)/.test(text)) return false;
  const levels: Level[] = [];
  const tokens = text.match(TOKEN) ?? [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === "{" || token === "[") levels.push({ keys: token === "{" ? [] : undefined });
    else if (token === "}" || token === "]") {
      const keys = levels.pop()?.keys;
      if (keys && !isPlain(keys, sorted)) return false;
    } else if (token.startsWith('"')) {
      const text: string = JSON.parse(token);
      if (!text.isWellFormed()) return false;
      if (tokens[at + 1] === ":") levels.at(-1)?.keys?.push(text);
    } else if (/^[-\d]/.test(token) && !isExact(token)) return false;
    if (levels.length > MAX_DEPTH) return false;
  }
  return true;
}

function isPlain(keys: readonly string[], sorted: boolean): boolean {
  if (new Set(keys).size < keys.length) return false;
  return !sorted || keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") <= key);
}

/** Whether a double, written again, is the same number. */
function isExact(numeral: string): boolean {
  const value = Number(numeral);
  if (!/[.eE]/.test(numeral)) return Number.isSafeInteger(value) && numeral !== "-0";
  if (!Number.isFinite(value)) return false;
  return digits(numeral) === digits(String(value));
}

/** Significant digits, so that 1.50 and 15e-1 are the same. */
function digits(numeral: string): string {
  const [mantissa = "", exponent = "0"] = numeral.toLowerCase().replace("+", "").split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  const kept = all.replace(/0+$/, "");
  const scale = Number(exponent) - fraction.length + (all.length - kept.length);
  return kept === "" ? "0" : `${mantissa.startsWith("-") ? "-" : ""}${kept}e${scale}`;
}
