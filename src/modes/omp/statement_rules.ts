/**
 * Statements that are refused whatever the mode, as their first words show: told early, while the model still writes
 * them, or instead of a question to the person. In doubt nothing is said; what may run is the guard's matter alone.
 */

export interface StatementRule {
  readonly name: "no-drop" | "no-truncate" | "one-statement" | "where";
  /** What the model, and the person, are told. */
  readonly text: string;
}

const NO_DROP: StatementRule = { name: "no-drop", text: "DROP is never run here." };
const NO_TRUNCATE: StatementRule = { name: "no-truncate", text: "TRUNCATE is never run here." };
const ONE_STATEMENT: StatementRule = {
  name: "one-statement",
  text: "Several statements at once are never run here: send them one by one.",
};
const WHERE: StatementRule = {
  name: "where",
  text: "UPDATE and DELETE are never run here without WHERE.",
};

/** Comments, strings and quoted names, also those that have no end yet. */
const OPAQUE =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)/g;
/** Statements in which a semicolon need not be their end are not looked into. */
const PLAIN = /^[\s(]*(?:select|with|values|from|table|insert|update|delete|explain|show|describe)\b/i;

/** The rule that a statement breaks for certain; `sql` may be only its beginning. */
export function brokenRule(sql: string): StatementRule | undefined {
  const bare = bareOf(sql);
  if (/^\s*drop\s/i.test(bare)) return NO_DROP;
  if (/^\s*truncate\s/i.test(bare)) return NO_TRUNCATE;
  const isCertain = PLAIN.test(bare) && !/[#\\]/.test(sql);
  return isCertain && /;\s*[a-z(]/i.test(bare) ? ONE_STATEMENT : undefined;
}

/** The same for a statement that is whole. */
export function refusalOf(sql: string): StatementRule | undefined {
  const bare = bareOf(sql);
  const isUnbounded = /^\s*(?:update|delete)\b/i.test(bare) && !/\bwhere\b/i.test(bare);
  return brokenRule(sql) ?? (isUnbounded ? WHERE : undefined);
}

function bareOf(sql: string): string {
  return sql.replaceAll(OPAQUE, " ");
}
