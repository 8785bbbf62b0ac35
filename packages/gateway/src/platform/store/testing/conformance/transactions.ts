import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { limits } from '../../transactions.ts';
import type { Harness } from './harness.ts';
import { noteIds, notes } from './notebook.ts';
import { note, writeNote } from './write-commands.ts';

export function describeTransactions(harness: Harness): void {
  describe('a transaction', () => {
    it('returns the result of its work, and is visible to the next read', async () => {
      const store = await harness.open();
      for (let id = 1; id <= 20; id++) {
        const result = await store.transaction(async (trx) => {
          await notes(trx).insertInto('note').values(note(id)).execute();
          return `wrote ${id}`;
        });
        expect(result).toBe(`wrote ${id}`);
        expect((await noteIds(store)).at(-1)).toBe(id);
      }
    });

    it('sees its own writes before any other reader', async () => {
      const store = await harness.open();
      await store.transaction(async (trx) => {
        await notes(trx).insertInto('note').values(note(1)).execute();
        expect(await notes(trx).selectFrom('note').select('id').execute()).toEqual([{ id: 1 }]);
        expect(await noteIds(store)).toEqual([]);
      });
      expect(await noteIds(store)).toEqual([1]);
    });

    it('leaves nothing behind when its work throws, and rethrows the same error', async () => {
      const store = await harness.open();
      const reason = new Error('changed my mind');
      const attempt = store.transaction(async (trx) => {
        await notes(trx).insertInto('note').values(note(1)).execute();
        throw reason;
      });
      await expect(attempt).rejects.toBe(reason);
      expect(await noteIds(store)).toEqual([]);
    });

    it('leaves nothing behind when one of its statements failed, even if its work ignored that', async () => {
      const store = await harness.open();
      await store.run(writeNote, note(1));
      const careless = store.transaction(async (trx) => {
        await notes(trx).insertInto('note').values(note(2)).execute();
        await notes(trx)
          .insertInto('note')
          .values(note(1))
          .execute()
          .catch(() => {});
      });
      await expect(careless).rejects.toMatchObject({ code: 'statement_failed' });
      expect(await noteIds(store)).toEqual([1]);
    });

    it('reports a violated constraint by the same code in every dialect', async () => {
      const store = await harness.open();
      await store.run(writeNote, note(1));
      const twice = store.transaction((trx) => notes(trx).insertInto('note').values(note(1)).execute());
      await expect(twice).rejects.toMatchObject({ name: 'StoreError', code: 'unique_violation' });
    });

    it('fails when its COMMIT fails', async () => {
      const store = await harness.open();
      const pointsNowhere = store.transaction((trx) =>
        notes(trx)
          .insertInto('note')
          .values(note(1, { about: 404 }))
          .execute(),
      );
      await expect(pointsNowhere).rejects.toMatchObject({ code: 'foreign_key_violation' });
      expect(await noteIds(store)).toEqual([]);
    });

    it('can run beside many others', async () => {
      const store = await harness.open();
      await Promise.all(
        Array.from({ length: 40 }, (_, id) =>
          store.transaction(async (trx) => {
            await notes(trx).insertInto('note').values(note(id)).execute();
            await notes(trx).updateTable('note').set({ text: 'done' }).where('id', '=', id).execute();
          }),
        ),
      );
      expect(await noteIds(store)).toHaveLength(40);
    });

    it('is rolled back at its time limit, so that a stuck caller blocks no other', async () => {
      const clock = createSteppedClock();
      const store = await harness.open({ clock });
      const holdsOn = Promise.withResolvers<void>();
      const isStuck = Promise.withResolvers<void>();
      const lateStatement = Promise.withResolvers<unknown>();
      const stuck = store.transaction(async (trx) => {
        await notes(trx).insertInto('note').values(note(1)).execute();
        isStuck.resolve();
        await holdsOn.promise;
        const late = notes(trx).insertInto('note').values(note(2)).execute();
        lateStatement.resolve(await late.catch((error: unknown) => error));
      });
      await isStuck.promise;
      const behind = store.run(writeNote, note(3));

      clock.advance(limits.transactionMs);
      // The stuck caller continues during the rollback: its statement must not run after it.
      for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
      holdsOn.resolve();

      await expect(stuck).rejects.toMatchObject({ code: 'transaction_timeout' });
      await behind;
      expect(await lateStatement.promise).toMatchObject({ code: 'transaction_over' });
      expect(await noteIds(store)).toEqual([3]);
    });
  });

  describe('reading', () => {
    it('never writes', async () => {
      const store = await harness.open();
      const write = notes(store.read).insertInto('note').values(note(1)).execute();
      await expect(write).rejects.toMatchObject({ code: 'read_only' });
      expect(await noteIds(store)).toEqual([]);
    });

    it('sees every commit that was answered before', async () => {
      const store = await harness.open();
      for (let id = 1; id <= 50; id++) {
        await store.run(writeNote, note(id));
        expect((await noteIds(store)).at(-1)).toBe(id);
      }
    });

    it('reports an unknown table and stays usable', async () => {
      const store = await harness.open();
      const lost = store.read
        .withTables<{ nowhere: { id: number } }>()
        .selectFrom('nowhere')
        .selectAll()
        .execute();
      await expect(lost).rejects.toMatchObject({ code: 'statement_failed' });
      await store.check();
    });
  });
}
