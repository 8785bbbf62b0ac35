import type { Plan } from '@parley/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { COMMAND_MODULES, createPremises, type Premises } from '#events/testing';
import type { OwnedNumber } from '#http';
import type { Store } from '#store';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { registerWebhook } from './configuration.ts';
import { insertDelivery } from './store.ts';
import { createTrimmer, type Trimmer } from './trim.ts';

const DAY = 24 * 60 * 60_000;

describeOnEachDatabase('the history of deliveries', tellTheStory, 'shared by all tests', COMMAND_MODULES);

function tellTheStory(testStore: TestStore): void {
  let premises: Premises;
  let trimmer: Trimmer;
  const plans = new Map<string, Plan>();

  beforeEach(() => {
    premises = createPremises(testStore.store);
    trimmer = createTrimmer({
      store: testStore.store,
      clock: premises.clock,
      planOf: async (_accountId, phone) => plans.get(phone),
      log: { warn: () => {} },
    });
  });

  async function newNumber(plan: Plan): Promise<{ number: OwnedNumber; webhookId: string }> {
    const number = await premises.newNumber(plan);
    plans.set(number.phone, plan);
    const { id } = await registerWebhook(premises, number, { messages_url: 'https://receiver.example/' });
    return { number, webhookId: id };
  }

  async function insert(
    { number, webhookId }: { number: OwnedNumber; webhookId: string },
    count: number,
    status: 'pending' | 'paused' | 'delivered' | 'dead',
    ageMs = 0,
  ): Promise<void> {
    const at = premises.clock.now() - ageMs;
    await testStore.store.transaction(async (trx) => {
      for (let each = 0; each < count; each++) {
        await insertDelivery(trx, {
          account_id: number.accountId,
          webhook_id: webhookId,
          event_seq: null,
          event_id: `e${each}`,
          kind: 'message',
          category: 'messages',
          url: 'https://receiver.example/',
          size: 2,
          status,
          queued_at: at,
          due_at: at,
          event: '{}',
        });
      }
    });
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
    await trimmer.trimAll();
    expect(await count(made.number)).toEqual({ pending: 30, delivered: 400, dead: 100 });
  });

  test('lets what was delivered leave before any dead letter', async () => {
    const made = await newNumber('max');
    await insert(made, 100, 'dead');
    await insert(made, 700, 'delivered');
    await trimmer.trimAll();
    expect(await count(made.number)).toEqual({ delivered: 400, dead: 100 });
  });

  test('keeps no more than 500 dead letters', async () => {
    const made = await newNumber('max');
    await insert(made, 40, 'delivered');
    await insert(made, 1_020, 'dead');
    await insert(made, 20, 'delivered');
    await trimmer.trimAll();
    expect(await count(made.number)).toEqual({ dead: 500 });
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
    await trimmer.trimAll();
    expect(await count(made.number)).toEqual({ delivered: 7 });
  });

  test('what could not be tried for a day is dead', async () => {
    const made = await newNumber('pro');
    await insert(made, 3, 'pending', DAY + 1);
    await insert(made, 2, 'paused', DAY + 1);
    await insert(made, 4, 'pending', DAY - 1);
    await trimmer.trimAll();
    expect(await count(made.number)).toEqual({ dead: 5, pending: 4 });
  });

  test('a busy account is trimmed as it goes', async () => {
    const made = await newNumber('pro');
    await insert(made, 550, 'delivered');
    for (let ended = 0; ended < 100; ended++) trimmer.noteEnded(made.number.accountId);
    await vi.waitFor(async () => expect(await count(made.number)).toEqual({ delivered: 500 }));
    await trimmer.stop();
  });

  test('busy accounts are trimmed together, and however many there are, nobody is forgotten', async () => {
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
    const parts = { store, clock: premises.clock, planOf: async () => undefined };
    const busy = createTrimmer({ ...parts, log: { warn: () => {} } });
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
    trimmer.start();
    premises.clock.advance(60_000);
    await vi.waitFor(async () => expect(await count(made.number)).toEqual({ dead: 1 }));
    await insert(made, 1, 'pending', DAY + 1);
    await vi.waitFor(async () => {
      premises.clock.advance(DAY / 24);
      expect(await count(made.number)).toEqual({ dead: 2 });
    });
    await trimmer.stop();
  });
}
