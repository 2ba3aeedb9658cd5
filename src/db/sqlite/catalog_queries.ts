/**
 * The queries of the catalog: one for each kind of part, over all tables at once. Each row is a table's name and a JSON array
 * of its parts, each an array of values that are read by position: a row for each part would take SQLite twice the time.
 */

/**
 * The visible tables, as a common table expression. `?1` is the pattern or NULL; `?2` and `?3` are its parts around the
 * first dot, or NULL. Shadow tables belong to virtual ones; `sqlite_` is SQLite's own prefix.
 */
const VISIBLE = `visible AS MATERIALIZED (
  SELECT name, type FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND (?1 IS NULL OR name LIKE ?1 OR ('main' LIKE ?2 AND name LIKE ?3) OR (?2 IS NULL AND 'main.' || name LIKE ?1)))`;

/** Name and type of each table. */
export const TABLES = `WITH ${VISIBLE} SELECT name, type FROM visible ORDER BY name`;

/** Name, type, not null, default, place in the key, and for a generated column the table's text. */
const COLUMN = `json_array(part.name, part.type, part."notnull", part.dflt_value, part.pk,
  CASE WHEN part.hidden IN (2, 3)
    THEN (SELECT sql FROM sqlite_schema WHERE type = 'table' AND sqlite_schema.name = visible.name) END)`;

const columnsOf = (tables: string) =>
  `WITH ${tables}
  SELECT visible.name, json_group_array(${COLUMN} ORDER BY part.cid)
  FROM visible CROSS JOIN pragma_table_xinfo(visible.name, 'main') AS part
  WHERE part.hidden <> 1 GROUP BY visible.name`;

export const COLUMNS = columnsOf(VISIBLE);
/** Of the table `?1` alone. */
export const COLUMNS_OF_ONE = columnsOf("visible (name) AS (VALUES (?1))");

/** Number of the key, target, column, target's column. A key that names no target columns means the target's primary key. */
export const FOREIGN_KEYS = `WITH ${VISIBLE}
  SELECT visible.name, json_group_array(
    json_array(part.id, part."table", part."from", coalesce(part."to", target.name)) ORDER BY part.id DESC, part.seq)
  FROM visible CROSS JOIN pragma_foreign_key_list(visible.name, 'main') AS part
    LEFT JOIN pragma_table_info(CASE WHEN part."to" IS NULL THEN part."table" END, 'main') AS target
      ON target.pk = part.seq + 1
  WHERE visible.type = 'table' GROUP BY visible.name`;

/** Name, unique, origin, column or NULL, and the index's text where it has expressions or a condition. */
export const INDEXES = `WITH ${VISIBLE}
  SELECT visible.name, json_group_array(json_array(list.name, list."unique", list.origin, part.name,
    CASE WHEN list.partial OR part.cid = -2
      THEN (SELECT sql FROM sqlite_schema WHERE type = 'index' AND sqlite_schema.name = list.name) END)
    ORDER BY list.seq DESC, part.seqno)
  FROM visible CROSS JOIN pragma_index_list(visible.name, 'main') AS list
    CROSS JOIN pragma_index_xinfo(list.name, 'main') AS part ON part.key
  WHERE visible.type = 'table' GROUP BY visible.name`;
