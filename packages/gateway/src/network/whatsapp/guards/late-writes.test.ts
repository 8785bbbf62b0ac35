import { addTransactionCapability, type SignalDataSet } from 'baileys';
import { expect, test } from 'vitest';
import { keepLateWrites } from './late-writes.ts';
import { createLibraryLog } from './library-log.ts';

/** The library's transactions over a store that records each batch of writes. */
function keysOverMemory() {
  const batches: SignalDataSet[] = [];
  const stored = new Map<string, unknown>();
  const keys = addTransactionCapability(
    {
      get: async (_kind, ids) => Object.fromEntries(ids.map((id) => [id, stored.get(id)])) as never,
      async set(data) {
        batches.push(data);
        for (const values of Object.values(data)) {
          for (const [id, value] of Object.entries(values ?? {})) stored.set(id, value);
        }
      },
    },
    createLibraryLog({ debug() {}, warn() {} }),
    { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
  );
  keepLateWrites(keys);
  return { keys, batches };
}

const token = (text: string) => ({ token: Buffer.from(text) });

test('writes of a transaction and of a nested one are one batch', async () => {
  const { keys, batches } = keysOverMemory();
  await keys.transaction(async () => {
    await keys.set({ tctoken: { ada: token('1') } });
    await keys.transaction(() => keys.set({ tctoken: { ben: token('2') } }) as Promise<void>, 'inner');
    expect(batches).toEqual([]);
    expect(keys.isInTransaction()).toBe(true);
  }, 'outer');
  expect(batches).toEqual([{ tctoken: { ada: token('1'), ben: token('2') } }]);
});

test('a write begun in a transaction and finished after its end is committed separately', async () => {
  const { keys, batches } = keysOverMemory();
  const answer = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  await keys.transaction(async () => {
    await keys.set({ tctoken: { ada: token('old') } });
    late = answer.promise.then(async () => {
      const seen = await keys.get('tctoken', ['ada']);
      await keys.transaction(() => keys.set({ tctoken: { ben: token('first') } }) as Promise<void>, 'outer');
      await keys.set({ tctoken: { ada: { ...seen.ada, ...token('new') } } });
      expect(keys.isInTransaction()).toBe(false);
    });
  }, 'outer');
  answer.resolve();
  await late;
  expect(batches).toEqual([
    { tctoken: { ada: token('old') } },
    { tctoken: { ben: token('first') } },
    { tctoken: { ada: token('new') } },
  ]);
});

test('a late write waits for the commit of its transaction', async () => {
  const { keys, batches } = keysOverMemory();
  let late: Promise<unknown> = Promise.resolve();
  await keys.transaction(async () => {
    await keys.set({ tctoken: { ada: token('old') } });
    // Runs between the end of the work and the commit.
    late = (async () => {
      await null;
      await null;
      await keys.set({ tctoken: { ada: token('new') } });
    })();
  }, 'outer');
  await late;
  expect((await keys.get('tctoken', ['ada'])).ada).toEqual(token('new'));
  expect(batches.length).toBeLessThanOrEqual(2);
});
