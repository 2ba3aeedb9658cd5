/**
 * The queries of the catalog: one for each kind of part, over all tables at once. The columns are read by position.
 */

/**
 * The visible tables, as a common table expression. `?1` is the pattern or NULL; `?2` and `?3` are its parts around the
 * first dot, or NULL. Shadow tables belong to virtual ones; `sqlite_` is SQLite's own prefix.
 */
const VISIBLE = `visible AS MATERIALIZED (
  SELECT name, type FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND (?1 IS NULL OR name LIKE ?1 OR ('main' LIKE ?2 AND name LIKE ?3) OR (?2 IS NULL AND 'main.' || name LIKE ?1)))`;

export const TABLES = `WITH ${VISIBLE} SELECT name, type FROM visible ORDER BY name`;

export const COLUMNS = `WITH ${VISIBLE}
  SELECT visible.name, part.name, part.type, part."notnull", part.dflt_value, part.pk, part.hidden,
    CASE WHEN part.hidden IN (2, 3)
      THEN (SELECT sql FROM sqlite_schema WHERE type = 'table' AND sqlite_schema.name = visible.name) END
  FROM visible JOIN pragma_table_xinfo(visible.name, 'main') AS part
  WHERE part.hidden <> 1 ORDER BY visible.name, part.cid`;

/** A key that names no target columns means the target's primary key. */
export const FOREIGN_KEYS = `WITH ${VISIBLE}
  SELECT visible.name, part.id, part."table", part."from", coalesce(part."to", target.name)
  FROM visible JOIN pragma_foreign_key_list(visible.name, 'main') AS part
    LEFT JOIN pragma_table_info(CASE WHEN part."to" IS NULL THEN part."table" END, 'main') AS target
      ON target.pk = part.seq + 1
  ORDER BY visible.name, part.id DESC, part.seq`;

/** Also the index of a primary key, by which a key that is the row number is told from one that is not. */
export const INDEXES = `WITH ${VISIBLE}
  SELECT visible.name, list.name, list."unique", list.origin, part.name,
    CASE WHEN list.partial OR part.cid = -2
      THEN (SELECT sql FROM sqlite_schema WHERE type = 'index' AND sqlite_schema.name = list.name) END
  FROM visible JOIN pragma_index_list(visible.name, 'main') AS list
    JOIN pragma_index_xinfo(list.name, 'main') AS part ON part.key
  ORDER BY visible.name, list.seq DESC, part.seqno`;
