import { expect, test } from 'vitest';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { COMMAND_MODULES, createHarness } from '../testing/index.ts';
import { type DeliveryResult, writeResults } from './write-commands.ts';

const STATUSES = ['pending', 'paused', 'delivered', 'dead'] as const;
const TRIES = [0, 1];

describeOnEachDatabase('results of deliveries', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  /** One delivery of each status and each number of tries. */
  async function queue() {
    const harness = createHarness(testStore.store);
    const { accountId } = await harness.newNumber();
    const kinds = STATUSES.flatMap((status) => TRIES.map((tries) => ({ status, tries })));
    const common = {
      account_id: accountId,
      webhook_id: 'wh_1',
      event_seq: null,
      kind: 'message' as const,
      category: 'messages' as const,
      url: 'https://old.example/',
      size: 2,
      queued_at: 0,
      due_at: 0,
      event: '{}',
    };
    const rows = kinds.map((kind) => ({ ...common, ...kind, event_id: `${kind.status} ${kind.tries}` }));
    await testStore.store.transaction((trx) => trx.insertInto('deliveries').values(rows).execute());
    const read = () =>
      testStore.store.read
        .selectFrom('deliveries')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('seq')
        .execute();
    return { read, seqs: (await read()).map(({ seq }) => seq) };
  }

  test('change only deliveries that were neither tried nor ended meanwhile', async () => {
    const { read, seqs } = await queue();
    const before = await read();
    const change = {
      dueAt: 7,
      tries: 1,
      attempts: '[7]',
      status: 'dead',
      url: 'https://new.example/',
    } as const;
    const results = seqs.map(
      (seq): DeliveryResult => ({
        ...{ seq, triesBefore: 0, drop: false, event: '{"redacted":true}', answers: new Uint8Array([9]) },
        ...change,
      }),
    );
    await testStore.store.run(writeResults, results);
    const after = await read();
    const changed = { ...change, due_at: 7, event: '{"redacted":true}', answers: new Uint8Array([9]) };
    const { dueAt: _, ...columns } = changed;
    expect(after.map(plain)).toEqual(
      before.map((row) => plain(mayChange(row) ? { ...row, ...columns } : row)),
    );
    expect(before.filter(mayChange)).toHaveLength(2);
  });

  test('leave as it is what they say nothing of', async () => {
    const { read, seqs } = await queue();
    const before = await read();
    const nothing = { status: null, url: null, event: null, answers: null };
    const postponed = {
      triesBefore: 0,
      drop: false,
      dueAt: 8,
      tries: 0,
      attempts: '[]',
      ...nothing,
    } as const;
    await testStore.store.run(
      writeResults,
      seqs.map((seq) => ({ seq, ...postponed })),
    );
    expect((await read()).map(plain)).toEqual(
      before.map((row) => plain(mayChange(row) ? { ...row, due_at: 8 } : row)),
    );
  });

  test('drop only deliveries that were neither tried nor ended meanwhile', async () => {
    const { read, seqs } = await queue();
    const before = await read();
    await testStore.store.run(
      writeResults,
      seqs.map((seq) => ({ seq, triesBefore: 0, drop: true })),
    );
    expect(await read()).toEqual(before.filter((row) => !mayChange(row)));
  });
}

function mayChange({ status, tries }: { status: string; tries: number }): boolean {
  return tries === 0 && (status === 'pending' || status === 'paused');
}

/** The same on both databases. */
function plain<T extends { readonly answers: Uint8Array | null }>(row: T) {
  return { ...row, answers: row.answers && [...row.answers] };
}
