/**
 * How many rows a statement gives at most where people and models read them: docs/values.md, "Row caps".
 */
export const ROW_CAPS = { unlimited: 1000, limited: 1_000_000 };
