import type { EventKind, Plan } from '@parley/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { registerWebhook } from '../endpoints/configuration.ts';
import { COMMAND_MODULES, createHarness, type TestHarness } from '../testing/index.ts';
import { deadLetters, deliveriesOf } from './history.ts';
import { createHistoryRetention, type HistoryRetention } from './retention.ts';

const DAY = 24 * 60 * 60_000;

interface Made {
  readonly number: OwnedNumber;
  readonly webhookId: string;
}

describeOnEachDatabase('the history of deliveries', defineTests, 'shared by all tests', COMMAND_MODULES);

function defineTests(testStore: TestStore): void {
  let harness: TestHarness;
  let historyRetention: HistoryRetention;
  const plans = new Map<string, Plan>();

  beforeEach(() => {
    harness = createHarness(testStore.store);
    historyRetention = createHistoryRetention({
      store: testStore.store,
      clock: harness.clock,
      planOf: async (_accountId, phone) => plans.get(phone),
      log: { debug() {}, error() {} },
    });
  });

  async function newNumber(plan: Plan): Promise<Made> {
    const number = await harness.newNumber(plan);
    plans.set(number.phone, plan);
    const { id } = await registerWebhook(harness, number, { messages_url: 'https://receiver.example/' });
    return { number, webhookId: id };
  }

  /** Another number of the same account. */
  async function siblingOf({ number: { accountId, plan } }: Made): Promise<Made> {
    const number = { ...(await harness.newNumber(plan)), accountId };
    await testStore.store.transaction((trx) =>
      trx
        .updateTable('devices')
        .set({ account_id: accountId })
        .where('slot_id', '=', number.slotId)
        .execute(),
    );
    const { id } = await registerWebhook(harness, number, { messages_url: 'https://receiver.example/' });
    return { number, webhookId: id };
  }

  async function insert(
    { number, webhookId }: Made,
    count: number,
    status: 'pending' | 'paused' | 'delivered' | 'dead',
    ageMs = 0,
    kind: EventKind = 'message',
  ): Promise<void> {
    const at = harness.clock.now() - ageMs;
    const rows = Array.from({ length: count }, (_, each) => ({
      account_id: number.accountId,
      webhook_id: webhookId,
      event_seq: null,
      event_id: `e${each}`,
      kind,
      category: 'messages' as const,
      url: 'https://receiver.example/',
      size: 2,
      status,
      queued_at: at,
      due_at: at,
      event: '{}',
    }));
    await testStore.store.transaction((trx) => trx.insertInto('deliveries').values(rows).execute());
  }

  async function count({ accountId }: OwnedNumber): Promise<Record<string, number>> {
    const rows = await testStore.store.read
      .selectFrom('deliveries')
      .select('status')
      .where('account_id', '=', accountId)
      .execute();
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ status }) => status)].map(([status, those]) => [status, those.length]),
    );
  }

  test('keeps the 500 latest of an account, and everything that is still to be delivered', async () => {
    const made = await newNumber('max');
    await insert(made, 30, 'pending');
    await insert(made, 700, 'delivered');
    await insert(made, 100, 'dead');
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ pending: 30, delivered: 400, dead: 100 });
  });

  test('keeps what waits behind few dead letters and many that were delivered', async () => {
    const made = await newNumber('max');
    await insert(made, 30, 'pending');
    await insert(made, 500, 'delivered');
    await insert(made, 5, 'dead');
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ pending: 30, delivered: 495, dead: 5 });
  });

  test('lets what was delivered leave before any dead letter', async () => {
    const made = await newNumber('max');
    await insert(made, 100, 'dead');
    await insert(made, 700, 'delivered');
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ delivered: 400, dead: 100 });
  });

  test('keeps no more than 500 dead letters', async () => {
    const made = await newNumber('max');
    await insert(made, 40, 'delivered');
    await insert(made, 1_020, 'dead');
    await insert(made, 20, 'delivered');
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ dead: 500 });
  });

  test('counts and deletes the deliveries of one account only', async () => {
    const [ada, ben] = [await newNumber('max'), await newNumber('max')];
    await insert(ada, 300, 'dead');
    await insert(ada, 100, 'delivered');
    await insert(ben, 550, 'dead');
    await insert(ben, 10, 'delivered');
    await historyRetention.trimAll();
    expect(await count(ada.number)).toEqual({ dead: 300, delivered: 100 });
    expect(await count(ben.number)).toEqual({ dead: 500 });
  });

  test.each([
    ['free', 3],
    ['pro', 30],
    ['max', 90],
    ['partner', 90],
  ] as const)('of plan %s keeps %i days', async (plan, days) => {
    const made = await newNumber(plan);
    await insert(made, 5, 'delivered', days * DAY + 1);
    await insert(made, 5, 'dead', days * DAY + 1);
    await insert(made, 7, 'delivered', days * DAY - 1);
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ delivered: 7 });
  });

  test('what could not be tried for a day is dead', async () => {
    const made = await newNumber('pro');
    await insert(made, 3, 'pending', DAY + 1);
    await insert(made, 2, 'paused', DAY + 1);
    await insert(made, 4, 'pending', DAY - 1);
    await historyRetention.trimAll();
    expect(await count(made.number)).toEqual({ dead: 5, pending: 4 });
  });

  test('a busy account is trimmed as it goes', async () => {
    const made = await newNumber('pro');
    await insert(made, 550, 'delivered');
    for (let ended = 0; ended < 100; ended++) historyRetention.noteEnded(made.number.accountId);
    await vi.waitFor(async () => expect(await count(made.number)).toEqual({ delivered: 500 }));
    await historyRetention.stop();
  });

  test('trims many busy accounts together, and skips none', async () => {
    const underWay = new Set<string>();
    const trimmed: string[] = [];
    let most = 0;
    async function run(_command: unknown, { accountId }: { accountId: string }): Promise<number> {
      underWay.add(accountId);
      most = Math.max(most, underWay.size);
      await new Promise(setImmediate);
      underWay.delete(accountId);
      trimmed.push(accountId);
      return 0;
    }
    const store = { ...testStore.store, run } as unknown as Store;
    const parts = { store, clock: harness.clock, planOf: async () => undefined };
    const busy = createHistoryRetention({ ...parts, log: { debug() {}, error() {} } });
    const accounts = Array.from({ length: 70 }, (_, index) => `account-${index}`);
    for (const account of accounts) for (let ended = 0; ended < 100; ended++) busy.noteEnded(account);
    await vi.waitFor(() => expect(trimmed).toHaveLength(70));
    expect(new Set(trimmed)).toEqual(new Set(accounts));
    expect(most).toBe(32);
    await busy.stop();
  });

  test('begins a minute after the start, and goes on every hour', async () => {
    const made = await newNumber('pro');
    await insert(made, 1, 'pending', DAY + 1);
    historyRetention.start();
    harness.clock.advance(60_000);
    await vi.waitFor(async () => expect(await count(made.number)).toEqual({ dead: 1 }));
    await insert(made, 1, 'pending', DAY + 1);
    await vi.waitFor(async () => {
      harness.clock.advance(DAY / 24);
      expect(await count(made.number)).toEqual({ dead: 2 });
    }, 10_000);
    await historyRetention.stop();
  });

  describe('before it is trimmed', () => {
    /** Everything that the owner can page through. */
    async function shown({ number, webhookId }: Made, query = {}): Promise<string[]> {
      const caller = { accountId: number.accountId, permissions: null, phone: null, blocked: null };
      const statuses: string[] = [];
      for (let before: string | undefined; ; ) {
        const page = await deliveriesOf(harness, caller, webhookId, { limit: 100, before, ...query });
        if (page.length === 0) return statuses;
        statuses.push(...page.map(({ status }) => status));
        before = page.at(-1)?.delivery_id;
      }
    }
    const counted = (statuses: string[]) =>
      Object.fromEntries([...Map.groupBy(statuses, String)].map(([status, those]) => [status, those.length]));
    const operatorSees = async ({ number }: Made, limit = 100) => {
      let before: string | undefined;
      let seen = 0;
      for (;;) {
        const page = await deadLetters(harness, { account_id: number.accountId, before, limit });
        seen += page.length;
        if (page.length < limit) return seen;
        before = page.at(-1)?.delivery_id;
      }
    };

    test('no more than the 500 latest of an account are shown, whichever webhook is asked', async () => {
      const made = await newNumber('max');
      await insert(made, 510, 'delivered');
      await insert(made, 20, 'paused');
      expect(counted(await shown(made))).toEqual({ delivered: 480, pending: 20 });
      expect(counted(await shown(made, { status: 'delivered' }))).toEqual({ delivered: 480 });

      const sibling = await siblingOf(made);
      await insert(sibling, 450, 'delivered');
      expect(counted(await shown(sibling))).toEqual({ delivered: 450 });
      expect(counted(await shown(made))).toEqual({ delivered: 30, pending: 20 });
    });

    test('dead letters are the last to go out of sight, and no more than 500 of them are seen', async () => {
      const made = await newNumber('max');
      await insert(made, 100, 'dead');
      await insert(made, 700, 'delivered');
      expect(counted(await shown(made))).toEqual({ delivered: 400, dead: 100 });
      expect(await operatorSees(made)).toBe(100);
      await insert(made, 410, 'dead');
      expect(counted(await shown(made))).toEqual({ dead: 500 });
      expect(await operatorSees(made)).toBe(500);
      const gone = { account_id: made.number.accountId, limit: 100, signal: AbortSignal.abort() };
      expect(await deadLetters(harness, gone), 'asked for a deleted account').toEqual([]);
    });

    test('asks for the plan of a webhook once, however many of its dead deliveries are shown', async () => {
      const made = await newNumber('max');
      await insert(made, 5, 'dead');
      const planOf = vi.fn(harness.planOf);
      const dead = await deadLetters(
        { ...harness, planOf },
        { account_id: made.number.accountId, limit: 10 },
      );
      expect(dead).toHaveLength(5);
      expect(planOf).toHaveBeenCalledTimes(1);
    });

    test.each([
      ['free', 3],
      ['pro', 30],
      ['max', 90],
    ] as const)('of plan %s nothing is shown that is older than %i days', async (plan, days) => {
      const made = await newNumber(plan);
      await insert(made, 7, 'dead', days * DAY - 1);
      await insert(made, 5, 'delivered', days * DAY + 1);
      await insert(made, 150, 'dead', days * DAY + 1);
      await insert(made, 3, 'delivered', days * DAY - 1);
      expect(counted(await shown(made))).toEqual({ delivered: 3, dead: 7 });
      expect(await operatorSees(made, 5)).toBe(7);
    });

    test('does not let waiting typing events take the place of ended deliveries', async () => {
      const made = await newNumber('max');
      await insert(made, 500, 'delivered');
      await insert(made, 40, 'pending', 0, 'typing');
      expect(counted(await shown(made))).toEqual({ delivered: 500 });
    });
  });
}
