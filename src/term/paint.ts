/**
 * Colours: what has a role gets the theme's. What is painted is never text from outside with escapes in it (plain_text.ts).
 */

export type Role =
  | "title"
  | "strong"
  | "emphasis"
  | "muted"
  | "keyword"
  | "text"
  | "number"
  | "accent"
  | "error";

/** The text in the colour of its role; the text itself where there are no colours. */
export type Paint = (role: Role, text: string) => string;

export const PLAIN: Paint = (_role, text) => text;

/** SGR parameters by role. */
export type Theme = { readonly [role in Role]: string };

export function painter(theme: Theme): Paint {
  return (role, text) => text === "" ? "" : `\x1b[${theme[role]}m${text}\x1b[0m`;
}
