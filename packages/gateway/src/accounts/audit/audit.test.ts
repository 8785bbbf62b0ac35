import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store, Writer } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { changeAccount, createAccount } from '../accounts.ts';
import { changeDevice, registerDevice } from '../devices/devices.ts';
import { createApiKey, revokeApiKey } from '../keys.ts';
import { publishTerms } from '../terms/terms.ts';
import {
  auditLog,
  createHarness,
  newNumber,
  newPhone,
  type TestHarness,
  travelTo,
} from '../testing/harness.ts';

const TABLES = ['accounts', 'api_keys', 'devices', 'device_periods', 'tos_versions'] as const;

/** Something in place that can be changed. */
async function prepare(context: TestHarness) {
  const { account, device } = await newNumber(context, 'pro');
  const key = await createApiKey(context, 'operator', account.account_id, { name: 'old' });
  await publishTerms(context, 'operator', { version: 'first', url: 'https://parley.example/tos' });
  travelTo(context.clock, '2026-02-01');
  return { accountId: account.account_id, slotId: device.slot_id, keyId: key.key_id };
}

/** Every kind of change, by the action under which it is logged. */
function changes(
  context: TestHarness,
  { accountId, slotId, keyId }: Awaited<ReturnType<typeof prepare>>,
): [action: string, change: () => Promise<unknown>][] {
  return [
    ['account.created', () => createAccount(context, 'operator', { name: 'New', email: 'new@example.com' })],
    [
      'account.changed',
      () => changeAccount(context, 'operator', accountId, { status: 'suspended', accept_tos: true }),
    ],
    ['api_key.created', () => createApiKey(context, 'operator', accountId, { name: 'new' })],
    ['api_key.revoked', () => revokeApiKey(context, 'operator', accountId, keyId)],
    [
      'device.registered',
      () => registerDevice(context, 'operator', accountId, { phone: newPhone(), plan: 'pro' }),
    ],
    ['device.changed', () => changeDevice(context, 'operator', slotId, { plan: 'max' })],
    [
      'tos.published',
      () => publishTerms(context, 'operator', { version: 'second', url: 'https://b.example' }),
    ],
  ];
}

async function everything(store: Store): Promise<unknown> {
  return Promise.all(TABLES.map((table) => store.read.selectFrom(table).selectAll().execute()));
}

/** A store whose commits fail because the disk is full. */
function failingAtTheEnd(store: Store): Store {
  return {
    ...store,
    transaction: <T>(work: (trx: Writer) => Promise<T>): Promise<T> =>
      store.transaction(async (trx) => {
        await work(trx);
        throw new Error('disk full');
      }),
  };
}

describeOnEachDatabase(
  'the audit log',
  (test) => {
    it('gets exactly one entry with each change, naming who, whose and what', async () => {
      const context = createHarness(test);
      for (const [action, change] of changes(context, await prepare(context))) {
        const before = await auditLog(context.store);
        await change();
        const added = (await auditLog(context.store)).slice(before.length);
        expect(added, action).toMatchObject([{ action, actor: 'operator' }]);
        expect(added[0]?.account_id === null, action).toBe(action === 'tos.published');
        expect(added[0]?.subject, action).not.toBe('');
      }
    });

    it('gets none when the change is undone', async () => {
      const context = createHarness(test);
      const prepared = await prepare(context);
      const failing = { ...context, store: failingAtTheEnd(context.store) };
      const tables = await everything(context.store);
      const log = await auditLog(context.store);
      for (const [action, change] of changes(failing, prepared)) {
        await expect(change(), action).rejects.toThrow('disk full');
      }
      expect(await auditLog(context.store)).toEqual(log);
      expect(await everything(context.store)).toEqual(tables);
    });

    it('undoes the change when it cannot be written itself', async () => {
      const context = createHarness(test);
      const prepared = await prepare(context);
      const tables = await everything(context.store);
      await context.store.transaction((trx) => sql`alter table audit_log rename to lost_log`.execute(trx));
      for (const [action, change] of changes(context, prepared)) {
        await expect(change(), action).rejects.toThrow();
      }
      expect(await everything(context.store)).toEqual(tables);
    });

    it('gets none when a change is refused or changes nothing', async () => {
      const context = createHarness(test);
      const { account, device } = await newNumber(context, 'free');
      const log = await auditLog(context.store);
      await changeDevice(context, 'operator', device.slot_id, { plan: 'free', status: 'active' });
      await changeAccount(context, 'operator', account.account_id, {});
      await expect(
        registerDevice(context, 'operator', account.account_id, { phone: device.phone, plan: 'pro' }),
      ).rejects.toThrow();
      await expect(
        createAccount(context, 'operator', { name: 'Twin', email: account.email }),
      ).rejects.toMatchObject({ code: 'email_taken' });
      expect(await auditLog(context.store)).toEqual(log);
    });

    it('is numbered without gaps, also by writers in several processes', async () => {
      const context = createHarness(test);
      const other = { ...context, store: await test.openAgain() };
      const { account } = await newNumber(context);
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          createApiKey(index % 2 ? context : other, 'operator', account.account_id, { name: `${index}` }),
        ),
      );
      const rows = await context.store.read
        .selectFrom('audit_log')
        .select('number')
        .orderBy('number')
        .execute();
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    });
  },
  'new for each test',
);
