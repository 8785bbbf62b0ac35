import type { PgSession, PgStatement, SqlValue } from './types.ts';

/** PostgreSQL types that can hold a value. */
type ColumnType<Value> = {
  [Type in keyof Values]: [Value] extends [Values[Type]] ? Type : never;
}[keyof Values];

type ColumnTypes<Item> = { readonly [Field in keyof Item & string]?: ColumnType<Item[Field]> };

interface Values {
  readonly text: string | null;
  readonly bigint: number | null;
  readonly int: number | null;
  readonly float8: number | null;
  readonly bytea: Uint8Array | null;
  readonly bool: boolean | null;
}

/** A column that is not a field of the items: its type, and how it is computed from an item. */
type DerivedColumn<Item> = {
  [Type in keyof Values]: readonly [type: Type, of: (item: Item) => Values[Type]];
}[keyof Values];

/** Items written by one statement, in both databases. Columns are the fields of the items: `slotId` becomes `slot_id`. */
export interface Batch<Item> {
  readonly fields: readonly (keyof Item & string)[];
  /** Number of parameters of the relation. */
  readonly size: number;
  /** SQL: `slot_id, seq, …` */
  readonly columns: string;
  /** SQL for SQLite: `?, ?, …` */
  readonly placeholders: string;
  /** SQL for SQLite: `? AS slot_id, ? AS seq, …` */
  readonly namedPlaceholders: string;
  /** Parameters of one item, for SQLite. */
  values(item: Item): SqlValue[];
  /**
   * SQL for PostgreSQL: the items as a relation with these columns and `place`, which counts them from 1. Its parameters follow the
   * first `after` parameters of the statement.
   */
  relation(alias: string, after?: number): string;
  /** Parameters of the relation, one for each column. */
  arrays(items: readonly Item[]): unknown[];
}

/** Declares each column once; the statement, its parameters and their types follow from it. */
export function defineBatch<Item extends object>(
  types: ColumnTypes<Item>,
  derived: Readonly<Record<string, DerivedColumn<Item>>> = {},
): Batch<Item> {
  const fields = Object.keys(types) as (keyof Item & string)[];
  const columns = [
    ...fields.map((field) => ({
      name: columnName(field),
      type: types[field],
      of: (item: Item): unknown => item[field],
    })),
    ...Object.entries(derived).map(([name, [type, of]]) => ({ name, type, of })),
  ];
  const list = columns.map(({ name }) => name).join(', ');
  const unnested = (after: number): string =>
    columns.map(({ type }, index) => `$${after + index + 1}::${type}[]`).join(', ');
  return {
    fields,
    size: columns.length,
    columns: list,
    placeholders: columns.map(() => '?').join(', '),
    namedPlaceholders: columns.map(({ name }) => `? AS ${name}`).join(', '),
    values: (item) => columns.map(({ of }) => asSqlValue(of(item))),
    relation: (alias, after = 0) => `unnest(${unnested(after)}) WITH ORDINALITY AS ${alias}(${list}, place)`,
    arrays: (items) => columns.map(({ of }) => items.map(of)),
  };
}

type Arrays<Item> = Pick<Batch<Item>, 'arrays'>;

/** Sends a statement with these items behind its own parameters. Sends nothing without items, which saves a round trip. */
export function sendBatch<Item>(
  client: Pick<PgSession, 'send'>,
  statement: PgStatement,
  batch: Arrays<Item>,
  items: readonly Item[],
  parameters: readonly unknown[] = [],
): void {
  if (items.length > 0) client.send(statement, [...parameters, ...batch.arrays(items)]);
}

/** Same as `sendBatch`, for a statement whose rows are needed. */
export async function queryBatch<Row, Item>(
  client: Pick<PgSession, 'query'>,
  statement: PgStatement,
  batch: Arrays<Item>,
  items: readonly Item[],
): Promise<readonly Row[]> {
  if (items.length === 0) return [];
  return (await client.query<Row>(statement, batch.arrays(items))).rows;
}

function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** SQLite has no booleans: flags are 0 or 1. */
function asSqlValue(value: unknown): SqlValue {
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue);
}
