import { beforeEach, expect, it } from 'vitest';
import { createApiKey } from '#accounts';
import { auditLog, countSends, newNumber } from '#accounts/testing';
import { choose } from '#conversations';
import { describeOnEachDatabase } from '#testing';
import { registerWebhook, webhooksOf } from '#webhooks';
import { DATA_CATEGORIES } from './data-categories/catalogue.ts';
import { finishRemovals, refuseUnlessOwners, removeNumber } from './remove-number.ts';
import { commandModules, createHarness } from './testing/harness.ts';

const DAY_MS = 86_400_000;
const ACTOR = 'member:mem_1';

describeOnEachDatabase(
  'removal of a number',
  (test) => {
    let harness: ReturnType<typeof createHarness>;
    beforeEach(() => {
      harness = createHarness(test);
    });

    /** Linked, with a webhook, a conversation, a key of its own and a queued message. */
    async function furnished() {
      const { account, device } = await newNumber(harness);
      const { account_id: accountId } = account;
      const number = { slotId: device.slot_id, accountId, phone: device.phone, plan: device.plan };
      const caller = { accountId, phone: null, permissions: null, blocked: null };
      const webhook = await registerWebhook(harness.webhooks, number, {
        messages_url: 'http://127.0.0.1:8099/m',
        status_url: 'http://127.0.0.1:8099/s',
      });
      const own = { name: 'Till', phone: number.phone };
      const key = await createApiKey(harness, 'operator', accountId, own);
      await choose(harness.history, number, { enabled: true });
      await countSends(harness, number.slotId, 3);
      const message = { id: `3EB0${device.slot_id}`, account_id: accountId, slot_id: number.slotId };
      const at = harness.clock.now();
      await test.store.transaction(async (trx) => {
        await trx
          .insertInto('messages')
          .values({
            ...message,
            session_id: `${number.phone}:1@s.whatsapp.net`,
            request_id: 'order-1',
            to_jid: '15550002001@s.whatsapp.net',
            type: 'text',
            status: 'accepted',
            accepted_at: at,
            updated_at: at,
          })
          .execute();
        const queued = { slot_id: number.slotId, seq: 1, message_id: message.id };
        await trx
          .insertInto('outbox')
          .values({ ...queued, sealed: Buffer.from('sealed'), attempts: 0, due_at: at })
          .execute();
        await trx
          .insertInto('known_people')
          .values({ slot_id: number.slotId, person: '15550002001@s.whatsapp.net' })
          .execute();
      });
      harness.clock.advance(3 * DAY_MS);
      return { number, caller, webhook, key, messageId: message.id };
    }

    const phoneOf = async (slotId: string) =>
      (
        await test.store.read
          .selectFrom('devices')
          .select('phone')
          .where('slot_id', '=', slotId)
          .executeTakeFirstOrThrow()
      ).phone;

    async function waiting(slotId: string): Promise<string[]> {
      const rows = await test.store.read
        .selectFrom('deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
        .select('deliveries.kind')
        .where('webhooks.slot_id', '=', slotId)
        .where('deliveries.status', '=', 'pending')
        .execute();
      return rows.map(({ kind }) => kind);
    }

    async function rowsOf(slotId: string): Promise<string[]> {
      const tables = DATA_CATEGORIES.filter(({ withNumber }) => withNumber).map(({ table }) => table);
      const found = await Promise.all(
        [...tables, 'webhooks' as const, 'histories' as const].map(async (table) => {
          const row = await test.store.read
            .selectFrom(table as 'webhooks')
            .select('slot_id')
            .where('slot_id', '=', slotId)
            .executeTakeFirst();
          return row ? table : [];
        }),
      );
      return found.flat().toSorted();
    }

    it('unlinks the number, invoices its use, and frees its phone at once', async () => {
      const { number, key } = await furnished();
      await removeNumber(harness, ACTOR, number.slotId);
      expect(harness.unlinked).toEqual([number.slotId]);
      expect(await phoneOf(number.slotId)).not.toBe(number.phone);
      const invoice = test.store.read.selectFrom('invoices').select(['phone', 'used']);
      expect(await invoice.where('slot_id', '=', number.slotId).execute()).toEqual([
        { phone: number.phone, used: 3 },
      ]);
      const revoked = test.store.read.selectFrom('api_keys').select('revoked_at');
      expect(await revoked.where('id', '=', key.key_id).executeTakeFirst()).not.toEqual({ revoked_at: null });
      expect((await auditLog(test.store)).filter(({ subject }) => subject === number.slotId)).toContainEqual({
        action: 'device.removed',
        actor: ACTOR,
        account_id: number.accountId,
        subject: number.slotId,
      });
      await expect(removeNumber(harness, ACTOR, number.slotId)).rejects.toMatchObject({
        code: 'device_not_found',
      });
    });

    it('fails queued messages with events, and keeps the webhook until they are delivered', async () => {
      const { number, caller, messageId } = await furnished();
      await removeNumber(harness, ACTOR, number.slotId);
      const message = test.store.read.selectFrom('messages').select(['status', 'reason']);
      expect(await message.where('id', '=', messageId).executeTakeFirst()).toEqual({
        status: 'failed',
        reason: 'SEND_FAILED',
      });
      expect(await waiting(number.slotId)).toEqual(['status']);
      await finishRemovals(harness);
      expect(await webhooksOf(harness.webhooks, caller)).toHaveLength(1);

      await test.store.transaction((trx) =>
        trx
          .updateTable('deliveries')
          .set({ status: 'delivered' })
          .where('account_id', '=', number.accountId)
          .execute(),
      );
      await finishRemovals(harness);
      expect(await rowsOf(number.slotId)).toEqual([]);
      expect(await webhooksOf(harness.webhooks, caller)).toEqual([]);
      // Its outcome can still be queried.
      expect(await message.where('id', '=', messageId).executeTakeFirst()).toMatchObject({
        status: 'failed',
      });
    });

    it('waits a day for an unresponsive receiver, and no longer', async () => {
      const { number } = await furnished();
      await removeNumber(harness, ACTOR, number.slotId);
      harness.clock.advance(DAY_MS - 1);
      await finishRemovals(harness);
      expect(await rowsOf(number.slotId)).toContain('webhooks');
      harness.clock.advance(1);
      await finishRemovals(harness);
      expect(await rowsOf(number.slotId)).toEqual([]);
      const left = test.store.read.selectFrom('number_removals').select('slot_id');
      expect(await left.where('slot_id', '=', number.slotId).execute()).toEqual([]);
    });

    it('resumes after a process died', async () => {
      const { number } = await furnished();
      const dies = { ...harness, linking: { endAll: () => Promise.reject(new Error('killed')) } };
      await expect(removeNumber(dies, ACTOR, number.slotId)).rejects.toThrow('killed');
      expect(await phoneOf(number.slotId)).toBe(number.phone);
      await finishRemovals(harness);
      expect(harness.unlinked).toContain(number.slotId);
      expect(await phoneOf(number.slotId)).not.toBe(number.phone);
      const invoices = test.store.read.selectFrom('invoices').select('id');
      expect(await invoices.where('slot_id', '=', number.slotId).execute()).toHaveLength(1);
    });

    it('keeps numbers registered that the operator has deactivated', () => {
      expect(() => refuseUnlessOwners({ status: 'suspended', canceled_at: null })).toThrow();
      expect(() => refuseUnlessOwners({ status: 'inactive', canceled_at: null })).toThrow();
      refuseUnlessOwners({ status: 'inactive', canceled_at: '2026-01-01T00:00:00.000Z' });
      refuseUnlessOwners({ status: 'active', canceled_at: null });
    });
  },
  'shared by all tests',
  commandModules,
);
