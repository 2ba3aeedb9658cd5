/**
 * The queries that read PostgreSQL's catalog: one for each kind of thing, each for all relations that are shown.
 * Parameters: $1 the excluded schemas as an array, $2 and $3 LIKE patterns of schema and table, $4 of both joined.
 */

/** Relations that discovery shows: partitions belong to their parent; what the user has no right on is left out. */
const SHOWN = `WITH RECURSIVE shown AS (
  SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples, c.relpages
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname <> ALL ($1::text[]) AND n.nspname !~ '^pg_(toast|temp)'
    AND (n.nspname LIKE $2 AND c.relname LIKE $3 OR n.nspname || '.' || c.relname LIKE $4)
    AND has_schema_privilege(n.oid, 'USAGE')
    AND (has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES')
      OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
)`;

/**
 * Identifier, schema, name, kind, comment, row estimate. A partitioned table has the rows of its partitions. -1 is for
 * nobody knows, which servers before 14 cannot tell from an empty table.
 */
export const RELATIONS = `${SHOWN}, part (root, relid) AS (
  SELECT i.inhparent, i.inhrelid FROM shown s JOIN pg_catalog.pg_inherits i ON i.inhparent = s.oid
  WHERE s.relkind = 'p'
  UNION ALL
  SELECT part.root, i.inhrelid FROM part JOIN pg_catalog.pg_inherits i ON i.inhparent = part.relid
), part_rows AS (
  SELECT part.root, sum(leaf.reltuples) AS reltuples
  FROM part JOIN pg_catalog.pg_class leaf ON leaf.oid = part.relid AND leaf.relkind <> 'p'
  WHERE leaf.reltuples >= 0 GROUP BY part.root
)
SELECT s.oid, s.nspname, s.relname, s.relkind, d.description,
  CASE WHEN s.relkind = 'v' OR s.relkind <> 'p' AND s.relpages = 0 AND s.reltuples = 0
    AND current_setting('server_version_num')::int < 140000 THEN -1 ELSE coalesce(p.reltuples, s.reltuples) END::float8
FROM shown s LEFT JOIN part_rows p ON p.root = s.oid
LEFT JOIN pg_catalog.pg_description d
  ON d.objoid = s.oid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = 0
ORDER BY s.nspname, s.relname`;

/**
 * Relation, name, type, not null, default or generation expression, identity, generated, comment, and the enum that the
 * type is or is an array of.
 */
export const COLUMNS = `${SHOWN}
SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
  pg_get_expr(e.adbin, e.adrelid), a.attidentity, a.attgenerated, d.description,
  CASE WHEN t.typtype = 'e' THEN t.oid WHEN item.typtype = 'e' THEN item.oid ELSE 0 END
FROM shown s JOIN pg_catalog.pg_attribute a ON a.attrelid = s.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type item ON item.oid = t.typelem AND t.typlen = -1
LEFT JOIN pg_catalog.pg_attrdef e ON e.adrelid = a.attrelid AND e.adnum = a.attnum
LEFT JOIN pg_catalog.pg_description d
  ON d.objoid = a.attrelid AND d.classoid = 'pg_catalog.pg_class'::regclass AND d.objsubid = a.attnum
ORDER BY a.attrelid, a.attnum`;

/** Enum and label, of the enums that shown columns have. */
export const ENUM_LABELS = `${SHOWN}
SELECT l.enumtypid, l.enumlabel FROM pg_catalog.pg_enum l
WHERE l.enumtypid IN (
  SELECT unnest(ARRAY[t.oid, t.typelem]) FROM shown s
  JOIN pg_catalog.pg_attribute a ON a.attrelid = s.oid AND a.attnum > 0
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
)
ORDER BY l.enumtypid, l.enumsortorder`;

/** The names of the columns with these numbers, in their order, as an array. */
function columnNames(relation: string, numbers: string): string {
  return `(SELECT array_agg(a.attname::text ORDER BY k.place)::text
    FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number)`;
}

/**
 * Relation, kind, columns; for foreign keys also the other table's schema, name and columns. A key to a partitioned
 * table has a twin for each partition, which is left out.
 */
export const KEYS = `${SHOWN}
SELECT c.conrelid, c.contype, ${columnNames("c.conrelid", "c.conkey")},
  tn.nspname, t.relname, ${columnNames("c.confrelid", "c.confkey")}
FROM shown s JOIN pg_catalog.pg_constraint c ON c.conrelid = s.oid
LEFT JOIN pg_catalog.pg_class t ON t.oid = c.confrelid AND c.confrelid <> 0
LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace
WHERE c.contype = 'p' OR c.contype = 'f' AND c.conparentid = 0
ORDER BY c.conrelid, c.conname`;

/** Relation, name, unique, method, condition, and columns or expressions as an array. Not those of primary keys. */
export const INDEXES = `${SHOWN}
SELECT i.indrelid, ic.relname, i.indisunique, am.amname, pg_get_expr(i.indpred, i.indrelid),
  (SELECT array_agg(coalesce(a.attname::text, pg_get_indexdef(i.indexrelid, k.place::int, true)) ORDER BY k.place)::text
    FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number AND k.number > 0
    WHERE k.place <= i.indnkeyatts)
FROM shown s JOIN pg_catalog.pg_index i ON i.indrelid = s.oid AND i.indislive AND NOT i.indisprimary
JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
JOIN pg_catalog.pg_am am ON am.oid = ic.relam
ORDER BY i.indrelid, ic.relname`;
