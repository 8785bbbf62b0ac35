import { beforeEach, expect, test } from 'vitest';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import type { MessageEvent } from '#network';
import { StoreError } from '#platform/store';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { contextOfQuarantined, createQuarantine } from './quarantine.ts';
import { dropOldQuarantine, listQuarantine } from './quarantine-queries.ts';
import { createNetworkEventSink } from './sink.ts';
import { clearStage, groups, message, SESSION, undisturbed } from './testing/sink.ts';

const DAY = 24 * 60 * 60_000;
const SECRET = 'private words';
const NUMBER = { accountId: 'acc_1', slotId: 'slot_1', phone: '15550001001' };

beforeEach(clearStage);
describeOnEachDatabase('quarantine', defineTests, 'new for each test');

function defineTests(testStore: TestStore): void {
  function open() {
    const clock = createSteppedClock();
    const sealedBox = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
    const lines: object[] = [];
    const counted: string[] = [];
    const quarantine = createQuarantine({
      ...{ store: testStore.store, sealedBox, clock },
      log: { warn: (details) => void lines.push(details) },
      onKept: (kind) => void counted.push(kind),
    });
    return { clock, sealedBox, lines, counted, quarantine };
  }

  /** Puts one message aside whose way ends with this failure. */
  async function putAside(failure: unknown) {
    const { clock, sealedBox, lines, counted, quarantine } = open();
    const sink = createNetworkEventSink({
      ...undisturbed,
      log: { emit: () => Promise.reject(failure) },
      receipts: { note: async () => '' },
      quarantine,
    });
    const session = {
      download: () => Promise.reject(new Error('no file')),
      chatOf: async (jid: string) => jid,
      groups,
    };
    const event = message({ kind: 'text', text: SECRET });
    await sink({ number: NUMBER, sessionId: SESSION, session }, [event]);
    const [row] = await testStore.store.read.selectFrom('quarantine').selectAll().execute();
    return { clock, sealedBox, lines, counted, event, row };
  }

  test.each([
    ['an error', new SyntaxError(`Unexpected token in "${SECRET}"`), 'SyntaxError'],
    ['what is no error', SECRET, 'unknown'],
    ['the store', new StoreError('statement_failed', 'the database refused it'), 'the database refused it'],
  ])('shows the operator nothing of the content when %s quotes it', async (_what, failure, reason) => {
    const { clock, sealedBox, lines, counted, event, row } = await putAside(failure);
    const shown = await listQuarantine(testStore.store, { limit: 10 });
    expect(shown).toEqual([
      {
        quarantine_id: row?.id,
        account_id: 'acc_1',
        phone: null,
        kind: 'message',
        reason,
        size: Buffer.byteLength(JSON.stringify(event)),
        quarantined_at: new Date(clock.now()).toISOString(),
      },
    ]);
    expect(lines).toEqual([{ slotId: 'slot_1', kind: 'message', quarantineId: row?.id, reason }]);
    expect(counted).toEqual(['message']);
    const { sealed = new Uint8Array(), id = '' } = row ?? {};
    expect(Buffer.from(sealed).toString('latin1')).not.toContain(SECRET);
    const opened = sealedBox.open(sealed, contextOfQuarantined(id));
    expect(JSON.parse(Buffer.from(opened).toString()) as MessageEvent).toEqual(event);
  });

  test('lists the newest first, page by page, and of one account where that is asked for', async () => {
    const { quarantine, clock } = open();
    const keep = (id: string, accountId = 'acc_1') =>
      quarantine.keep({ ...NUMBER, accountId }, message({ kind: 'text', text: id }, { id }), new Error('no'));
    await keep('first');
    clock.advance(1);
    // Two of one moment.
    await keep('second');
    await keep('third');
    clock.advance(1);
    await keep('of another', 'acc_2');
    const list = async (query: { account_id?: string; before?: string; limit: number }) =>
      (await listQuarantine(testStore.store, query)).map(({ quarantine_id }) => quarantine_id);
    const all = await list({ limit: 10 });
    expect(all).toHaveLength(4);
    const [ofAnother = '', ...own] = all;
    expect(await list({ limit: 10, account_id: 'acc_1' })).toEqual(own);
    expect(await list({ limit: 10, account_id: 'acc_2' })).toEqual([ofAnother]);
    const pages = [];
    for (let before: string | undefined; ; before = pages.at(-1)) {
      const [next] = await list({ limit: 1, ...(before !== undefined && { before }) });
      if (next === undefined) break;
      pages.push(next);
    }
    expect(pages).toEqual(all);
    // What comes again has its name, and is kept once.
    await keep('first');
    expect(await list({ limit: 10 })).toEqual(all);
  });

  test('keeps for thirty days', async () => {
    const { clock } = await putAside(new Error('no'));
    clock.advance(30 * DAY - 1);
    await dropOldQuarantine(testStore.store, clock.now());
    expect(await listQuarantine(testStore.store, { limit: 10 })).toHaveLength(1);
    clock.advance(1);
    await dropOldQuarantine(testStore.store, clock.now());
    expect(await listQuarantine(testStore.store, { limit: 10 })).toEqual([]);
  });
}
