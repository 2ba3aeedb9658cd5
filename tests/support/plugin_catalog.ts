/**
 * What the host is told of tables, member by member: each maker gives a whole shape, of which a test says what is its own.
 */

export function column(
  name: string,
  data_type: string,
  own: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    name,
    data_type,
    is_pk: false,
    is_nullable: true,
    is_auto_increment: false,
    is_generated: false,
    default_value: null,
    character_maximum_length: null,
    comment: null,
    ...own,
  };
}

/** The parts of an index, in their order. */
export function index(
  name: string,
  columns: readonly string[],
  own: Readonly<Record<string, unknown>> = {},
): readonly Readonly<Record<string, unknown>>[] {
  return columns.map((column_name, at) => ({
    name,
    column_name,
    is_unique: false,
    is_primary: false,
    seq_in_index: at + 1,
    is_expression: false,
    ...own,
  }));
}

/** The pairs of columns of a foreign key, in their order. */
export function foreignKey(
  name: string,
  { pairs, to, onDelete = "NO ACTION", onUpdate = "NO ACTION" }: {
    readonly pairs: readonly (readonly [string, string])[];
    readonly to: string;
    readonly onDelete?: string;
    readonly onUpdate?: string;
  },
): readonly Readonly<Record<string, unknown>>[] {
  return pairs.map(([column_name, ref_column]) => ({
    name,
    column_name,
    ref_table: to,
    ref_column,
    on_delete: onDelete,
    on_update: onUpdate,
  }));
}
