/**
 * The tools, in the order in which they are offered.
 */
import { executeSql } from "./execute_sql.ts";
import { exportResult } from "./export_result.ts";
import { introspectSchema } from "./introspect_schema.ts";
import { listDbs } from "./list_dbs.ts";
import { listTables } from "./list_tables.ts";
import { searchKnowledge } from "./search_knowledge.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [
  searchKnowledge,
  listDbs,
  listTables,
  introspectSchema,
  executeSql,
  exportResult,
];
