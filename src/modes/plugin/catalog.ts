/**
 * The catalogue as the host wants it, from the engine's answers. Each reader makes one of the host's shapes of one row.
 */
import type { Json } from "../../base/json.ts";
import type { Cell, Row } from "../../db/values.ts";
import type { Scope, Workbench } from "../../db/workbench.ts";
import type { Connection } from "./connection.ts";

/** What the catalogue is asked with. */
export interface Question {
  readonly connection: Connection;
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

export interface TableColumn {
  readonly [key: string]: Json | undefined;
  readonly name: string;
  readonly data_type: string;
  readonly is_pk: boolean;
  readonly is_nullable: boolean;
  readonly is_auto_increment: boolean;
  readonly is_generated: boolean;
  readonly default_value: string | null;
}

export function text(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? "" : String(cell);
}

export function orNull(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

function yes(cell: Cell | undefined): boolean {
  return cell === true || Number(cell) === 1;
}

/** A count that the host can read: not negative. */
function size(cell: Cell | undefined): number | null {
  const value = Number(cell ?? NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

export function toNamed([name, comment]: Row): Json {
  return { name: text(name), comment: orNull(comment) };
}

export function toColumn(
  [, name, type, pk, nullable, auto, generated, standard, length, comment]: Row,
): TableColumn {
  const value = orNull(standard);
  const isNothing = value === null || value === "" || /^null(?:::.*)?$/i.test(value);
  return {
    name: text(name),
    data_type: text(type),
    is_pk: yes(pk),
    is_nullable: yes(nullable),
    is_auto_increment: yes(auto),
    is_generated: yes(generated),
    default_value: yes(auto) || yes(generated) || isNothing ? null : value,
    character_maximum_length: size(length),
    comment: orNull(comment),
  };
}

/** As the host shows it, which offers the values of a type that lists them. */
export function toShownColumn(row: Row): TableColumn {
  const column = toColumn(row);
  return { ...column, data_type: orNull(row[10]) ?? column.data_type };
}

export function toForeignKey([, name, column, table, target, onDelete, onUpdate]: Row): Json {
  return {
    name: text(name),
    column_name: text(column),
    ref_table: text(table),
    ref_column: text(target),
    on_delete: orNull(onDelete),
    on_update: orNull(onUpdate),
  };
}

export function toIndex(
  [, name, column, unique, primary, place, expression]: Row,
  { indexExpression }: Workbench,
): Json {
  const isText = yes(expression) && indexExpression !== undefined;
  return {
    name: text(name),
    column_name: isText ? indexExpression(text(column), Number(place)) : text(column),
    is_unique: yes(unique),
    is_primary: yes(primary),
    seq_in_index: Number(place ?? 1),
    is_expression: yes(expression),
  };
}

export function toView([name]: Row): Json {
  return { name: text(name), definition: null };
}

export function toRoutine([name, kind]: Row): Json {
  return { name: text(name), routine_type: text(kind), definition: null };
}

export function toRoutineParameter([name, type, mode, place]: Row): Json {
  return { name: text(name), data_type: text(type), mode: text(mode), ordinal_position: Number(place ?? 0) };
}

export function toTrigger([name, table, event, timing]: Row): Json {
  return {
    name: text(name),
    table_name: text(table),
    event: text(event),
    timing: text(timing),
    definition: null,
  };
}

/** The columns of one table or view, in their order. */
export async function readColumns({ connection, scope, signal }: Question): Promise<readonly TableColumn[]> {
  return (await connection.ask(connection.workbench.catalog.columns(scope), signal)).map(toShownColumn);
}

/** By table; every table of `names` has its list, even if there is nothing in it. */
export function byTable<Shape>(
  rows: readonly Row[],
  { names, read }: { names: readonly string[]; read: (row: Row) => Shape },
): Map<string, Shape[]> {
  const lists = new Map<string, Shape[]>(names.map((name) => [name, []]));
  for (const row of rows) lists.get(text(row[0]))?.push(read(row));
  return lists;
}
