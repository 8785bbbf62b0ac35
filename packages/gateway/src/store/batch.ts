import type { SqlValue } from './types.ts';

/** Types of columns, as PostgreSQL names them. */
type ColumnType<Value> = [Value] extends [string | null]
  ? 'text'
  : [Value] extends [number | null]
    ? 'bigint' | 'int' | 'float8'
    : [Value] extends [Uint8Array | null]
      ? 'bytea'
      : [Value] extends [boolean | null]
        ? 'bool'
        : never;

type ColumnTypes<Item> = { readonly [Field in keyof Item & string]?: ColumnType<Item[Field]> };

/** Items written by one statement, in both databases: its columns are the fields of the items, `slotId` being `slot_id`. */
export interface Batch<Item> {
  readonly fields: readonly (keyof Item & string)[];
  /** SQL: `slot_id, seq, …` */
  readonly columns: string;
  /** SQL for SQLite: `?, ?, …` */
  readonly placeholders: string;
  /** SQL for SQLite: `? AS slot_id, ? AS seq, …` */
  readonly namedPlaceholders: string;
  /** Parameters of one item, for SQLite. */
  values(item: Item): SqlValue[];
  /**
   * SQL for PostgreSQL: the items as a relation with these columns and `place`, which counts them from 1. Its parameters come after so
   * many others of the statement.
   */
  relation(alias: string, after?: number): string;
  /** Parameters of the relation, one for each field. */
  arrays(items: readonly Item[]): unknown[];
}

/** Each column is declared once: statement, parameters and their types follow from it. */
export function defineBatch<Item extends object>(types: ColumnTypes<Item>): Batch<Item> {
  const fields = Object.keys(types) as (keyof Item & string)[];
  const names = fields.map(columnName);
  const columns = names.join(', ');
  const unnested = (after: number): string =>
    fields.map((field, index) => `$${after + index + 1}::${types[field]}[]`).join(', ');
  return {
    fields,
    columns,
    placeholders: names.map(() => '?').join(', '),
    namedPlaceholders: names.map((name) => `? AS ${name}`).join(', '),
    values: (item) => fields.map((field) => asSqlValue(item[field])),
    relation: (alias, after = 0) =>
      `unnest(${unnested(after)}) WITH ORDINALITY AS ${alias}(${columns}, place)`,
    arrays: (items) => fields.map((field) => items.map((item) => item[field])),
  };
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQLite has no booleans: flags are 0 or 1. */
function asSqlValue(value: unknown): SqlValue {
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue);
}
