/**
 * Texts and names as they stand in MySQL's SQL, in the modes that setup.ts leaves a session in.
 */

export function quoteText(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

export function quoteName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
