/**
 * The names of types. The server's own are those of the SQL standard, which nobody types.
 */

/** `character varying(20)` as people write it: `varchar(20)`. */
export function shortTypeName(formatted: string): string {
  return formatted
    .replace(/^character varying/, "varchar")
    .replace(/^character(?=\(|\[|$)/, "char")
    .replace(/^bit varying/, "varbit")
    .replace(/^(timestamp|time)(\(\d+\))? with time zone/, "$1tz$2")
    .replace(/^(timestamp|time)(\(\d+\))? without time zone/, "$1$2");
}
