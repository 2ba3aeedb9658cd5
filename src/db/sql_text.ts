/**
 * Text and names as they stand in standard SQL, for statements that take no parameters.
 */

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
