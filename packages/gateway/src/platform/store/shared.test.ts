import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore, reachStore } from './open.ts';
import { reachThread } from './sqlite/thread.ts';
import { commitsInLog } from './testing/commits-in-log.ts';
import { describeWayToStore } from './testing/conformance/index.ts';
import { noteIds, notes, notesMigration } from './testing/conformance/notebook.ts';
import { note, writeNote } from './testing/conformance/write-commands.ts';
import { createSqliteDatabase, type TestDatabase } from './testing/index.ts';
import type { Store, StoreOptions } from './types.ts';

/** Through the ports of another store, which is closed after it. */
async function openShared(options: StoreOptions): Promise<Store> {
  const owner = await openStore(options);
  const shared = reachStore(owner.shareWithThread(), options);
  return {
    ...shared,
    async close() {
      await shared.close();
      await owner.close();
    },
  };
}

describeWayToStore('SQLite through a port', {
  createDatabase: createSqliteDatabase,
  countCommits: async (database) => commitsInLog(database),
  open: openShared,
});

describe('a database that several threads share', () => {
  let database: TestDatabase;
  let owner: Store;
  let others: Store[];
  beforeEach(async () => {
    database = await createSqliteDatabase();
    const clock = createSystemClock();
    owner = await openStore({
      url: database.url,
      commandModules: [new URL('./testing/conformance/write-commands.ts', import.meta.url)],
      migrations: [notesMigration],
      clock,
    });
    others = [1, 2].map(() => reachStore(owner.shareWithThread(), { clock }));
  });
  afterEach(async () => {
    await Promise.all(others.map((store) => store.close()));
    await owner.close();
    await database.drop();
  });

  it('isolates a transaction of one from all writes of the others', async () => {
    const [one, two] = others as [Store, Store];
    const finish = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const transaction = one.transaction(async (trx) => {
      await notes(trx).insertInto('note').values(note(1)).execute();
      begun.resolve();
      await finish.promise;
      return notes(trx).selectFrom('note').select('id').execute();
    });
    await begun.promise;
    const written = [owner.run(writeNote, note(2)), two.run(writeNote, note(3))];
    const later = two.transaction((trx) => notes(trx).insertInto('note').values(note(4)).execute());
    expect(await noteIds(two)).toEqual([]);
    finish.resolve();
    expect(await transaction).toEqual([{ id: 1 }]);
    await Promise.all([...written, later]);
    expect(await noteIds(owner)).toEqual([1, 2, 3, 4]);
  });

  it('rolls back the transaction of a thread that ends inside it, and admits the others', async () => {
    const shared = owner.shareWithThread();
    if (shared.dialect !== 'sqlite') throw new Error('this is about threads');
    const { writer, reader } = shared;
    await owner.run(writeNote, note(1));
    // Sends protocol messages: a whole store would take time to load. Without a timer the thread would end.
    const thread = new Worker(
      `const { parentPort, workerData: { writer } } = require('node:worker_threads');
       writer.once('message', (line) => {
         line.on('message', ({ id }) => id === 2 && parentPort.postMessage('deleted'));
         line.postMessage({ id: 1, kind: 'begin' });
         line.postMessage({ id: 2, kind: 'query', sql: 'delete from note', parameters: [] });
       });
       setInterval(() => {}, 60_000);`,
      { eval: true, workerData: { writer }, transferList: [writer] },
    );
    await once(thread, 'message');
    const kept = owner.run(writeNote, note(2));
    await thread.terminate();
    await kept;
    expect(await noteIds(owner)).toEqual([1, 2]);
    await reachThread(reader).close();
  });
});

describe('a database thread that ends', () => {
  const threads = new Map<string | null, Worker>();
  const notice = (thread: Worker) => void threads.set(thread.threadName, thread);
  let database: TestDatabase;
  let owner: Store;
  let other: Store;
  beforeEach(async () => {
    process.on('worker', notice);
    database = await createSqliteDatabase();
    const clock = createSystemClock();
    owner = await openStore({
      url: database.url,
      commandModules: [new URL('./testing/conformance/write-commands.ts', import.meta.url)],
      migrations: [notesMigration],
      clock,
    });
    other = reachStore(owner.shareWithThread(), { clock });
  });
  afterEach(async () => {
    process.off('worker', notice);
    await other.close();
    await owner.close();
    await database.drop();
  });

  it('is replaced for all of its users, and committed data is there', async () => {
    await owner.run(writeNote, note(1));
    for (const role of ['store-writer', 'store-reader']) {
      await threads.get(role)?.terminate();
      for (const [place, store] of [owner, other].entries())
        await vi.waitFor(async () => {
          const id = role === 'store-writer' ? 2 + place : 4 + place;
          if (!(await noteIds(store)).includes(id)) await store.run(writeNote, note(id));
        });
    }
    expect((await noteIds(other)).toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect((await noteIds(owner)).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it('takes the transaction in progress with it: its replacement runs none of its statements', async () => {
    for (const store of [owner, other]) {
      const transaction = store.transaction(async (trx) => {
        await notes(trx).insertInto('note').values(note(10)).execute();
        await threads.get('store-writer')?.terminate();
        // Until its replacement, which has not seen this transaction.
        await vi.waitFor(() => (store === owner ? other : owner).check());
        await notes(trx).insertInto('note').values(note(11)).execute();
      });
      await expect(transaction).rejects.toMatchObject({ code: 'unavailable' });
      await vi.waitFor(() => store.check());
      expect(await noteIds(store)).toEqual([]);
    }
  });
});

it('a port to a database thread that has ended reports it', async () => {
  const { port1, port2 } = new MessageChannel();
  const thread = reachThread(port2);
  const line = new MessageChannel();
  port1.postMessage(line.port2, [line.port2]);
  const received = once(line.port1, 'message');
  const asked = thread.ask('commit', {});
  await received;
  line.port1.close();
  await expect(asked).rejects.toMatchObject({ code: 'commit_unknown' });
  await expect(thread.ask('begin', {})).rejects.toMatchObject({ code: 'unavailable' });
});
