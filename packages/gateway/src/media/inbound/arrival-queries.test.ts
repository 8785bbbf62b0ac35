import { expect, it } from 'vitest';
import { describeOnEachDatabase, untilLockWaiter } from '#testing';
import { createTables } from '../testing/tables.ts';
import { dropOldCopies, extendCopy, insertArrival } from './arrival-queries.ts';

describeOnEachDatabase('the tables of files that came with messages', (testStore) => {
  const { arrive, found, insert, newId, rowOf } = createTables(() => testStore.store);

  it('drop old copies, the oldest first, and keep the rows they were of', async () => {
    const [first, second, young, never] = [await arrive(), await arrive(), await arrive(), await arrive()];
    const object = await insert({ media: first, copyUntil: 1 });
    await insert({ media: second, copyUntil: 2 });
    await insert({ media: young, copyUntil: 3 });
    expect(await extendCopy(testStore.store, never.id, 9)).toBe(false);
    const drop = () => dropOldCopies(testStore.store, 3, 1);
    expect(await drop()).toEqual({ copies: 1, objects: [{ account_id: 'ada', id: object }] });
    expect(await found(first)).toMatchObject({ object_id: '', copy_until: null });
    expect(await extendCopy(testStore.store, second.id, 9)).toBe(true);
    expect(await found(second)).toMatchObject({ copy_until: 9 });
    expect(await drop()).toEqual({ copies: 0, objects: [] });
    expect(await found(young)).toMatchObject({ copy_until: 3 });
    expect((await found(young))?.object_id).not.toBe('');
  });

  it('keep a file with its message while that history is on, and note it once', async () => {
    const history = { id: newId(), slot_id: 'slot', account_id: 'ada', days: 30, media: 1, since: 0 };
    const over = { ...history, id: newId(), slot_id: 'other', ended_at: 5 };
    await testStore.store.transaction((trx) =>
      trx
        .insertInto('histories')
        .values([{ ...history, ended_at: null }, over])
        .execute(),
    );
    const note = async (history_id: string) => {
      const media = rowOf();
      const arrival = { media_id: media.id, slot_id: 'slot', history_id, chat: 'c', message_id: 'm' };
      for (const size of [1, 2])
        await insertArrival(testStore.store, { ...media, size }, { ...arrival, copy_until: null });
      return found(media);
    };
    const kept = await note(history.id);
    expect(kept).toMatchObject({ size: 1, history_id: history.id });
    expect(kept?.expires_at).toBe(10 + 20 * 365 * 86_400_000);
    expect(await note(over.id)).toMatchObject({ history_id: null, expires_at: 100 });
  });

  it('keep a copy that is prolonged in the moment in which it would be dropped', async () => {
    const media = await arrive();
    const object = await insert({ media, copyUntil: 1 });
    const other = await testStore.openAgain();
    let dropping: ReturnType<typeof dropOldCopies> | undefined;
    await other.transaction(async (trx) => {
      await trx
        .updateTable('media_arrivals')
        .set({ copy_until: 9 })
        .where('media_id', '=', media.id)
        .execute();
      dropping = dropOldCopies(testStore.store, 3, 10);
      await untilLockWaiter(other);
    });
    expect((await dropping)?.objects).toEqual([]);
    expect(await found(media)).toMatchObject({ object_id: object, copy_until: 9 });
  });
});
