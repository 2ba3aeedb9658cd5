/**
 * SQLite's answers to the questions of workbench.ts, by its pragma functions.
 */
import { quoteName, quoteText } from "../../sql_text.ts";
import type { CatalogSql, Scope } from "../../workbench.ts";

const schemaOf = ({ schema }: Scope) => quoteText(schema ?? "main");
/** The stored definitions of a schema; a name cannot be a parameter here. */
const stored = ({ schema }: Scope) => `${quoteName(schema ?? "main")}.sqlite_schema`;

/** The tables, or views, in question. */
const visible = (scope: Scope, types: string) =>
  `SELECT name FROM pragma_table_list WHERE schema = ${schemaOf(scope)} AND type IN (${types})
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'${
    scope.name === undefined ? "" : ` AND name = ${quoteText(scope.name)} COLLATE NOCASE`
  }`;

const TABLES = "'table', 'virtual'";

const definition = (scope: Scope, type: string) =>
  `SELECT sql FROM ${stored(scope)} WHERE type = '${type}' AND name = ${
    quoteText(scope.name ?? "")
  } COLLATE NOCASE`;

/** The event, or the time, that stands behind the name of a trigger; texts and comments in between are no such words. */
const event = `CASE WHEN head LIKE '% update %' OR head LIKE '% update' THEN 'UPDATE'
    WHEN head LIKE '% delete %' THEN 'DELETE' ELSE 'INSERT' END`;
const timing = `CASE WHEN head LIKE '% instead of %' THEN 'INSTEAD OF' WHEN head LIKE '% after %' THEN 'AFTER'
    ELSE 'BEFORE' END`;

export const CATALOG: CatalogSql = {
  tables: (scope) => `${visible(scope, TABLES)} ORDER BY name`,
  columns: (scope) => `
    WITH visible AS MATERIALIZED (${visible(scope, `${TABLES}, 'view'`)}),
      part AS MATERIALIZED (SELECT visible.name AS tab, c.* FROM visible CROSS JOIN pragma_table_xinfo(visible.name, ${
    schemaOf(scope)
  }) AS c
        WHERE c.hidden <> 1)
    SELECT tab, name, type, pk > 0, "notnull" = 0 AND pk = 0,
      pk = 1 AND upper(type) = 'INTEGER' AND NOT EXISTS (SELECT 1 FROM part AS other WHERE other.tab = part.tab AND other.pk > 1)
        AND NOT EXISTS (SELECT 1 FROM pragma_table_list AS l WHERE l.name = tab AND l.schema = ${
    schemaOf(scope)
  } AND l.wr),
      hidden IN (2, 3), dflt_value, NULL, NULL
    FROM part ORDER BY tab, cid`,
  foreignKeys: (scope) => `
    WITH visible AS MATERIALIZED (${visible(scope, "'table'")})
    SELECT visible.name, 'fk_' || visible.name || '_' || k.id, k."from", k."table", coalesce(k."to", target.name), k.on_delete, k.on_update
    FROM visible CROSS JOIN pragma_foreign_key_list(visible.name, ${schemaOf(scope)}) AS k
      LEFT JOIN pragma_table_info(CASE WHEN k."to" IS NULL THEN k."table" END, ${
    schemaOf(scope)
  }) AS target ON target.pk = k.seq + 1
    ORDER BY visible.name, k.id, k.seq`,
  indexes: (scope) => `
    WITH visible AS MATERIALIZED (${visible(scope, "'table'")})
    SELECT visible.name, i.name, coalesce(c.name, x.sql, ''), i."unique", i.origin = 'pk', c.seqno + 1, c.name IS NULL
    FROM visible CROSS JOIN pragma_index_list(visible.name, ${schemaOf(scope)}) AS i
      CROSS JOIN pragma_index_xinfo(i.name, ${schemaOf(scope)}) AS c ON c.key
      LEFT JOIN ${stored(scope)} AS x ON x.type = 'index' AND x.name = i.name
    UNION ALL
    SELECT visible.name, 'PRIMARY', c.name, 1, 1, 1, 0
    FROM visible CROSS JOIN pragma_table_info(visible.name, ${schemaOf(scope)}) AS c
    WHERE c.pk = 1 AND NOT EXISTS (SELECT 1 FROM pragma_index_list(visible.name, ${
    schemaOf(scope)
  }) AS i WHERE i.origin = 'pk')
    ORDER BY 1, 2, 6`,
  views: (scope) => `${visible(scope, "'view'")} ORDER BY name`,
  viewDefinition: (scope) => definition(scope, "view"),
  triggers: (scope) => `
    WITH triggers AS (SELECT name, tbl_name, replace(replace(substr(sql, instr(lower(sql), lower(name)) + length(name), 60), char(10), ' '), char(9), ' ') AS head
      FROM ${stored(scope)} WHERE type = 'trigger')
    SELECT name, tbl_name, ${event}, ${timing} FROM triggers ORDER BY name`,
  triggerDefinition: (scope) => definition(scope, "trigger"),
  tableDefinition: (scope) => `
    SELECT sql FROM ${stored(scope)}
    WHERE tbl_name = ${
    quoteText(scope.name)
  } COLLATE NOCASE AND type IN ('table', 'index') AND sql IS NOT NULL
    ORDER BY type = 'index', name`,
};
