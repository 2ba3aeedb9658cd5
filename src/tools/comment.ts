/**
 * Comments that people put on tables and columns. They are data for the reader, and bounded.
 */

const MAX_UNITS = 500;

/** The comment, cut to 500 UTF-16 units with an ellipsis; undefined when there is none. */
export function cappedComment(comment: string | undefined): string | undefined {
  if (comment === undefined || comment === "") return undefined;
  return comment.length <= MAX_UNITS ? comment : `${comment.slice(0, MAX_UNITS - 1).toWellFormed()}…`;
}
