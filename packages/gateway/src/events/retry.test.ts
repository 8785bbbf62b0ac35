import { beforeEach, expect, test } from 'vitest';
import type { OwnedNumber } from '#http';
import type { NetworkEvent } from '#network';
import { StoreError } from '#store';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { COMMAND_MODULES, createHarness, type TestHarness } from '#webhooks/testing';
import { createQuarantine } from './quarantine.ts';
import { retryQuarantined } from './retry.ts';
import type { NetworkEventSink } from './sink.ts';
import { listQuarantine } from './store.ts';
import { ADA, message, SESSION } from './testing/sink.ts';

const REFUSED = new StoreError('statement_failed', 'refused again');
const event = message({ kind: 'text', text: 'late words' });

describeOnEachDatabase('what is tried once more', tellTheStory, 'shared by all tests', COMMAND_MODULES);

function tellTheStory(testStore: TestStore): void {
  let harness: TestHarness;
  let number: OwnedNumber;
  let told: { sessionId: string; phone: string; events: readonly NetworkEvent[] }[];

  beforeEach(async () => {
    harness = createHarness(testStore.store);
    number = await harness.newNumber();
    told = [];
  });

  const tell: NetworkEventSink = async ({ number: { phone }, sessionId }, events) =>
    void told.push({ sessionId, phone, events });

  async function putAside({ isLinked = true } = {}): Promise<string> {
    if (isLinked) await link();
    const quarantine = createQuarantine({ ...harness, log: { warn: () => {} } });
    await quarantine.keep(number, event, new Error('the first time'));
    const [entry] = await entries();
    return entry?.quarantine_id ?? '';
  }

  const link = () =>
    harness.store.transaction((trx) =>
      trx
        .insertInto('sessions')
        .values({
          ...{ slot_id: number.slotId, account_id: number.accountId, phone: number.phone },
          ...{ session_id: SESSION, link_id: `link of ${number.slotId}`, status: 'connected', since: 0 },
          ...{ auto_reject: 0, presence_policy: 'auto', fence: 1 },
        })
        .execute(),
    );

  const entries = () => listQuarantine(harness.store, { account_id: number.accountId, limit: 10 });
  const retry = (id: string, how: NetworkEventSink = tell) => retryQuarantined({ ...harness, tell: how }, id);

  /** What the operator has done with the account's entries. */
  async function recorded(): Promise<unknown[]> {
    const rows = harness.store.read
      .selectFrom('audit_log')
      .select(['action', 'subject', 'actor'])
      .where('account_id', '=', number.accountId)
      .where('action', 'like', 'quarantine.%');
    return (await rows.orderBy('number').execute()).map(({ action, subject, actor }) => [
      action,
      subject,
      actor,
    ]);
  }

  test('goes to the number that it came to, and leaves quarantine', async () => {
    const id = await putAside();
    expect(await retry(id)).toEqual({ stored: true, reason: null });
    expect(told).toEqual([{ sessionId: SESSION, phone: number.phone, events: [event] }]);
    expect(await entries()).toEqual([]);
    expect(await recorded()).toEqual([['quarantine.stored', id, 'operator']]);
    await expect(retry(id)).rejects.toMatchObject({ code: 'quarantined_not_found' });
  });

  test('stays in quarantine with the new reason when it is refused again', async () => {
    const id = await putAside();
    expect(await retry(id, () => Promise.reject(REFUSED))).toEqual({
      stored: false,
      reason: 'refused again',
    });
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason: 'refused again' }]);
    expect(await recorded()).toEqual([['quarantine.retried', id, 'operator']]);
  });

  test('is neither noted nor recorded while the database is out of reach', async () => {
    const id = await putAside();
    const outage = new StoreError('unavailable', 'no database');
    await expect(retry(id, () => Promise.reject(outage))).rejects.toBe(outage);
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason: 'Error' }]);
    expect(await recorded()).toEqual([]);
  });

  test('waits while its number is not linked', async () => {
    const id = await putAside({ isLinked: false });
    const reason = 'the number is not linked any more';
    expect(await retry(id)).toEqual({ stored: false, reason });
    expect(told).toEqual([]);
    expect(await entries()).toMatchObject([{ quarantine_id: id, reason }]);
  });

  test('is recorded once when two operators try it at a time', async () => {
    const id = await putAside();
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const together: NetworkEventSink = async () => {
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
    };
    const answers = await Promise.all([retry(id, together), retry(id, together)]);
    expect(answers).toEqual([
      { stored: true, reason: null },
      { stored: true, reason: null },
    ]);
    expect(await recorded()).toEqual([['quarantine.stored', id, 'operator']]);
  });

  test('has no connection: files are left for later, and chats keep the name that they came with', async () => {
    const id = await putAside();
    const asked: unknown[] = [];
    await retry(id, async ({ session }) => {
      asked.push(await session.chatOf(ADA));
      await expect(session.download({ kind: 'image', token: 't' }, { maxBytes: 1 })).rejects.toThrow();
      await expect(session.groups.detail('g')).rejects.toMatchObject({ kind: 'offline' });
    });
    expect(asked).toEqual([ADA]);
  });
}
