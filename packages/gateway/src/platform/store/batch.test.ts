import { expect, it } from 'vitest';
import { defineBatch, queryBatch, sendBatch } from './batch.ts';

interface Item {
  readonly slotId: string;
  readonly at: number | null;
  readonly sealed: Uint8Array | null;
  readonly isProven: boolean;
  readonly notWritten: object;
}

const batch = defineBatch<Item>({ slotId: 'text', at: 'bigint', sealed: 'bytea', isProven: 'bool' });
const sealed = Uint8Array.of(1);
const item: Item = { slotId: 'slot_1', at: 7, sealed, isProven: true, notWritten: {} };
const other: Item = { ...item, slotId: 'slot_2', at: null, isProven: false };

it('names columns after fields', () => {
  expect(batch.columns).toBe('slot_id, at, sealed, is_proven');
});

it('gives SQLite a parameter for each column, and flags as numbers', () => {
  expect([batch.placeholders, batch.values(item)]).toEqual(['?, ?, ?, ?', ['slot_1', 7, sealed, 1]]);
  expect(batch.namedPlaceholders).toBe('? AS slot_id, ? AS at, ? AS sealed, ? AS is_proven');
});

it('gives PostgreSQL an array for each column, in the order of the relation', () => {
  expect(batch.relation('d')).toBe(
    'unnest($1::text[], $2::bigint[], $3::bytea[], $4::bool[]) WITH ORDINALITY AS d(slot_id, at, sealed, is_proven, place)',
  );
  expect(batch.arrays([item, other])).toEqual([
    ['slot_1', 'slot_2'],
    [7, null],
    [sealed, sealed],
    [true, false],
  ]);
  expect(batch.relation('d', 2)).toMatch(/^unnest\(\$3::text\[\], \$4::bigint/);
});

it('has derived columns after its fields', () => {
  const sized = defineBatch<Item>(
    { slotId: 'text' },
    { size: ['bigint', ({ sealed }) => sealed?.length ?? 0] },
  );
  expect([sized.columns, sized.size, sized.values(item)]).toEqual(['slot_id, size', 2, ['slot_1', 1]]);
  expect(sized.arrays([item, other])).toEqual([
    ['slot_1', 'slot_2'],
    [1, 1],
  ]);
  // @ts-expect-error a text is not a number
  defineBatch<Item>({}, { size: ['bigint', ({ slotId }) => slotId] });
});

it('goes to PostgreSQL after other parameters, and sends nothing without items', async () => {
  const sent: [name: string, values: unknown[]][] = [];
  const client = {
    send: ({ name }: { name: string }, values: unknown[]) => void sent.push([name, values]),
    query: async <Row>({ name }: { name: string }, values: unknown[]) => {
      sent.push([name, values]);
      return { rows: [{ name }] as Row[], changes: 1 };
    },
  };
  const ids = defineBatch<Item>({ slotId: 'text' });
  const statement = { name: 'do', text: '' };
  sendBatch(client, statement, ids, []);
  expect(await queryBatch(client, statement, ids, [])).toEqual([]);
  expect(sent).toEqual([]);
  sendBatch(client, statement, ids, [item], ['first']);
  expect(await queryBatch(client, statement, ids, [other])).toEqual([{ name: 'do' }]);
  expect(sent).toEqual([
    ['do', ['first', ['slot_1']]],
    ['do', [['slot_2']]],
  ]);
});

it('accepts only the types of its items', () => {
  // @ts-expect-error a number is not a text
  defineBatch<Item>({ at: 'text' });
  // @ts-expect-error an object is no column
  defineBatch<Item>({ notWritten: 'text' });
  // @ts-expect-error a field that items do not have
  defineBatch<Item>({ phone: 'text' });
  expect(defineBatch<Item>({ at: 'bigint' }).columns).toBe('at');
});
