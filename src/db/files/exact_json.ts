/**
 * Whether JSON text holds numbers that DuckDB's JSON reader would bend: it makes a double of each number with a fraction or an
 * exponent before anybody can ask for its digits.
 */
import { digits, isExact } from "./exact_value.ts";
import { quoteText } from "../sql_text.ts";

/** A double holds any 15 digits, and any exponent of two. */
const SUSPICIOUS = "[0-9][0-9.]{15}|[0-9][eE][-+]?[0-9]{3}";
/** A string, or a number. */
const TOKEN = String.raw`"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*`;

/** A condition on an expression that is JSON as it was written. What costs least comes first; NULL is exact. */
export function isExactJson(json: string): string {
  const text = `CAST(${json} AS VARCHAR)`;
  const parsed = `CAST(json_extract(${json}, '$') AS VARCHAR)`;
  return `CASE WHEN ${json} IS NULL OR NOT regexp_matches(${text}, ${quoteText(SUSPICIOUS)}) THEN true
    WHEN replace(${parsed}, ' ', '') = replace(${text}, ' ', '') THEN true
    ELSE len(${fractions(text, `NOT (${isExact("x", "DOUBLE")})`)}) = 0 END`;
}

/** A condition: the value, a list or an object, has the numbers of the JSON that it comes from. */
export function keepsNumbers(value: string, json: string): string {
  const [text, kept] = [`CAST(${json} AS VARCHAR)`, `CAST(to_json(${value}) AS VARCHAR)`];
  const count = (each: string) => `len(${fractions(each, "TRY_CAST(x AS DOUBLE) % 1 <> 0")})`;
  const numbers = `list_transform(regexp_extract_all(${kept}, ${quoteText(TOKEN)}), lambda y: ${
    digits("y")
  })`;
  const isKept = `contains(${kept}, x) OR (x[1] <> '"' AND list_contains(${numbers}, ${digits("x")}))`;
  const long = `list_filter(regexp_extract_all(${text}, ${quoteText(TOKEN)}),
    lambda x: regexp_matches(x, '[0-9]{16}') AND NOT (${isKept}))`;
  return `CASE WHEN ${json} IS NULL OR NOT regexp_matches(${text}, '[0-9][.]|[0-9][eE]-|[0-9]{16}') THEN true
    ELSE ${count(text)} = ${count(kept)} AND len(${long}) = 0 END`;
}

/** The numbers `x` of the text, those with a point or an exponent, for which the condition holds. */
function fractions(text: string, condition: string): string {
  return `list_filter(regexp_extract_all(${text}, ${quoteText(TOKEN)}),
    lambda x: x[1] <> '"' AND regexp_matches(x, '[.eE]') AND ${condition})`;
}
