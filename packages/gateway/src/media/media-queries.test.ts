import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { attachMedia, dropExpiredMedia, endMedia, findObject, knownObjects } from './media-queries.ts';
import { createTables } from './testing/tables.ts';

describeOnEachDatabase('the tables of files', (testStore) => {
  const { arrive, found, insert, objectOf, rowOf } = createTables(() => testStore.store);

  it('find a file by its id, and an object by its account and fingerprint', async () => {
    const fingerprint = randomBytes(32);
    const [one, other] = [rowOf(), rowOf()];
    const [id, otherId] = [await insert({ media: one }, fingerprint), await insert({ media: other })];
    expect(await found(one)).toMatchObject({ id: one.id, object_id: id, slot_id: null });
    expect(await found({ id: 'none' })).toBeUndefined();
    const { read } = testStore.store;
    expect(await findObject(read, 'ada', fingerprint)).toBe(id);
    expect(await findObject(read, 'eve', fingerprint)).toBeUndefined();
    expect(await findObject(read, 'ada', randomBytes(32))).toBeUndefined();
    expect([...(await knownObjects(read, [id, otherId, 'none']))].sort()).toEqual([id, otherId].sort());
    expect([...(await knownObjects(read, [otherId]))]).toEqual([otherId]);
  });

  it('count who uses an object, and make it a file of the account with the first that is one', async () => {
    const fingerprint = randomBytes(32);
    const id = await insert({ media: rowOf() }, fingerprint);
    const other = await insert({ media: rowOf() });
    expect(await insert({ media: rowOf() }, fingerprint)).toBe(id);
    expect(await objectOf(id)).toEqual({ uses: 2, budget: 'export' });
    expect(await attachMedia(testStore.store, id, { media: rowOf(), isFile: false })).toBe(true);
    expect(await objectOf(id)).toEqual({ uses: 3, budget: 'export' });
    const media = rowOf();
    expect(await attachMedia(testStore.store, id, { media, isFile: true })).toBe(true);
    expect(await objectOf(id)).toEqual({ uses: 4, budget: null });
    expect(await objectOf(other)).toEqual({ uses: 1, budget: 'export' });
    expect((await found(media))?.object_id).toBe(id);
    const late = rowOf();
    expect(await attachMedia(testStore.store, 'none', { media: late, isFile: true })).toBe(false);
    expect(await found(late)).toBeUndefined();
  });

  it('give the rows of a lost object another, and no others', async () => {
    const [mine, theirs] = [rowOf(), rowOf()];
    const fingerprint = randomBytes(32);
    const lost = await insert({ media: mine }, fingerprint);
    const other = await insert({ media: theirs });
    const id = await insert({ media: rowOf() }, fingerprint, lost);
    expect((await found(mine))?.object_id).toBe(id);
    expect((await found(theirs))?.object_id).toBe(other);
    expect(await objectOf(lost)).toBeUndefined();
    expect(await objectOf(other)).toBeDefined();
  });

  it('give a file that came with a message its bytes, unless its message was deleted meanwhile', async () => {
    const [media, other, deleted] = [await arrive(), await arrive(), await arrive({ expires_at: 0 })];
    const object = await insert({ media: { ...media, size: 5 }, copyUntil: 50 });
    expect(await found(media)).toMatchObject({ object_id: object, size: 5, slot_id: 'slot', copy_until: 50 });
    expect(await found(other)).toMatchObject({ object_id: '', size: 1, copy_until: null });
    await expect(insert({ media: deleted, copyUntil: 50 })).rejects.toMatchObject({
      code: 'media_not_found',
    });
    const into = { media: deleted, copyUntil: 50, isFile: true };
    await expect(attachMedia(testStore.store, object, into)).rejects.toMatchObject({
      code: 'media_not_found',
    });
    expect(await objectOf(object)).toEqual({ uses: 1, budget: 'export' });
    expect(await found(deleted)).toMatchObject({ object_id: '', copy_until: null });
  });

  it('end a file now, and none that ends before', async () => {
    const [one, other] = [rowOf(), rowOf()];
    for (const media of [one, other]) await insert({ media });
    await endMedia(testStore.store, one.id, 40);
    await endMedia(testStore.store, one.id, 60);
    expect([(await found(one))?.expires_at, (await found(other))?.expires_at]).toEqual([40, 100]);
  });

  it('drop what is over, the oldest first, with the objects that no row has any more', async () => {
    // What other tests have left.
    await dropExpiredMedia(testStore.store, 3, 100);
    const shared = randomBytes(32);
    const [first, second, last] = [1, 2, 3].map((expires_at) => rowOf({ account_id: 'old', expires_at }));
    if (!first || !second || !last) throw new Error('there are three');
    const object = await insert({ media: second }, shared);
    await insert({ media: last }, shared);
    const alone = await insert({ media: first });
    const drop = () => dropExpiredMedia(testStore.store, 3, 1);
    expect(await drop()).toEqual({ media: 1, objects: [{ account_id: 'old', id: alone }] });
    expect(await drop()).toEqual({ media: 1, objects: [] });
    expect(await drop()).toEqual({ media: 0, objects: [] });
    expect(await found(last)).toMatchObject({ object_id: object });
    expect(await objectOf(object)).toBeDefined();
  });

  it('drop an arrival and a pin with their file, and those of no other', async () => {
    const [old, young] = [await arrive({ expires_at: 1 }), await arrive()];
    const pins = [old, young].map(({ id }, seq) => ({ media_id: id, slot_id: 'slot of pins', seq }));
    await testStore.store.transaction((trx) => trx.insertInto('media_pins').values(pins).execute());
    expect((await dropExpiredMedia(testStore.store, 2, 10)).media).toBe(1);
    const { read } = testStore.store;
    const ofThese = [old.id, young.id];
    const arrivals = read.selectFrom('media_arrivals').select('media_id').where('media_id', 'in', ofThese);
    expect(await arrivals.execute()).toEqual([{ media_id: young.id }]);
    const left = read.selectFrom('media_pins').select('media_id').where('media_id', 'in', ofThese);
    expect(await left.execute()).toEqual([{ media_id: young.id }]);
  });
});
