/**
 * What the fields of a statement decide about it, beyond the kinds of its nodes: options of EXPLAIN, actions of ALTER
 * TABLE, what is created or renamed.
 */
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import { ALTERATIONS, EXPLAIN_OPTIONS, RENAMED } from "./kinds.ts";

const member = (allowed: ReadonlySet<string>) => z.string().check(z.refine((word) => allowed.has(word)));
const listOf = <Item extends z.core.$ZodType>(item: Item) => z.optional(z.array(item));

/** What each kind must look like, and what to say of one that does not. */
const RULES: { readonly [kind: string]: { readonly schema: z.core.$ZodType; readonly state: string } } = {
  ExplainStmt: {
    schema: z.object({
      options: listOf(z.object({ DefElem: z.object({ defname: member(EXPLAIN_OPTIONS) }) })),
    }),
    state: "EXPLAIN has an option that is not allowed. Leave ANALYZE and unknown options out",
  },
  AlterTableStmt: {
    schema: z.object({
      objtype: z.literal("OBJECT_TABLE"),
      cmds: z.array(z.object({ AlterTableCmd: z.object({ subtype: member(ALTERATIONS) }) })),
    }),
    state: "this form of ALTER TABLE is not allowed. It may add, rename and retype",
  },
  RenameStmt: {
    schema: z.object({ renameType: member(RENAMED) }),
    state: "only tables, views, indexes and columns may be renamed. Leave the rest as it is",
  },
  CreateTableAsStmt: {
    schema: z.object({ objtype: z.enum(["OBJECT_TABLE", "OBJECT_MATVIEW"]) }),
    state: "only tables and materialized views may be made of a query. Make one of these",
  },
  IndexStmt: {
    schema: z.object({ concurrent: z.optional(z.literal(false)) }),
    state: "CREATE INDEX CONCURRENTLY cannot run in a transaction. Leave CONCURRENTLY out",
  },
};

/** Throws Fault `not_read_only` for a statement of this kind whose fields are not allowed. */
export function judgeOptions(kind: string, fields: unknown): void {
  const rule = RULES[kind];
  if (rule === undefined || z.safeParse(rule.schema, fields).success) return;
  throw new Fault("not_read_only", `Cannot run the statement: ${rule.state}.`);
}
