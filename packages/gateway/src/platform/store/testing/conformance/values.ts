import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Harness } from './harness.ts';
import { notes } from './notebook.ts';
import { type Note, note, readNote, writeNote } from './write-commands.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);

const difficult: Record<string, Note> = {
  'nothing at all': note(1),
  'empty text and empty bytes': note(2, { text: '', bytes: new Uint8Array(0) }),
  'text beyond the basic plane, quotes and line ends': note(3, {
    text: 'Grüße 👩‍👩‍👧 "x" \'y\' \\ \r\n\t {a,b}',
  }),
  'every byte': note(4, { bytes: everyByte }),
  'a view into a larger buffer': note(5, { bytes: new Uint8Array(everyByte.buffer, 100, 3) }),
  'the largest safe integer': note(Number.MAX_SAFE_INTEGER),
  'the smallest safe integer': note(Number.MIN_SAFE_INTEGER),
  'a megabyte': note(6, { text: 'x'.repeat(1_000_000), bytes: new Uint8Array(1_000_000).fill(7) }),
};

export function describeValues(harness: Harness): void {
  describe('values', () => {
    for (const [name, value] of Object.entries(difficult)) {
      it(`are read back unchanged: ${name}`, async () => {
        const store = await harness.open();

        await store.run(writeNote, value);
        expect(await notes(store.read).selectFrom('note').selectAll().execute()).toEqual([value]);
        expect(await store.run(readNote, value.id)).toEqual(value);

        await store.transaction(async (trx) => {
          await notes(trx).deleteFrom('note').execute();
          await notes(trx).insertInto('note').values(value).execute();
        });
        expect(await notes(store.read).selectFrom('note').selectAll().execute()).toEqual([value]);
      });
    }

    it('are numbers for counts, sums and booleans', async () => {
      const store = await harness.open();
      await Promise.all([1, 2, 39].map((id) => store.run(writeNote, note(id))));
      const counted = await notes(store.read)
        .selectFrom('note')
        .select(({ fn }) => [
          fn.countAll().as('count'),
          fn.sum('id').as('sum'),
          sql`max(id) > 38`.as('truth'),
        ])
        .execute();
      expect(counted).toEqual([{ count: 3, sum: 42, truth: 1 }]);
    });

    it('sort by code point, whatever the locale of the server', async () => {
      const store = await harness.open();
      const texts = ['b', 'A', 'ä', 'a', 'B', '_', 'Z', '-'];
      await Promise.all(texts.map((text, id) => store.run(writeNote, note(id, { text }))));
      const sorted = await notes(store.read).selectFrom('note').select('text').orderBy('text').execute();
      expect(sorted.map(({ text }) => text)).toEqual(['-', 'A', 'B', 'Z', '_', 'a', 'b', 'ä']);
    });

    it('of the wrong type are refused', async () => {
      const store = await harness.open();
      const wrong = sql`insert into note (id) values (${'not a number'})`;
      await expect(store.transaction((trx) => wrong.execute(trx))).rejects.toThrow();
    });

    it('include the number of rows that a statement changed', async () => {
      const store = await harness.open();
      await Promise.all([1, 2, 3].map((id) => store.run(writeNote, note(id))));
      const result = await store.transaction((trx) =>
        notes(trx).updateTable('note').set({ text: 'new' }).where('id', '>', 1).executeTakeFirstOrThrow(),
      );
      expect(result.numUpdatedRows).toBe(2n);
    });

    it('are returned by a statement that writes', async () => {
      const store = await harness.open();
      const [row] = await store.transaction((trx) =>
        notes(trx)
          .insertInto('note')
          .values(note(9, { text: 'nine' }))
          .returning(['id', 'text'])
          .execute(),
      );
      expect(row).toEqual({ id: 9, text: 'nine' });
    });
  });
}
