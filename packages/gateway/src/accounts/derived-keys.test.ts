import type { Permission } from '@parley/contract';
import { afterEach, expect, it } from 'vitest';
import type { ApiKeyRow } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { auditedTransaction } from './account-queries.ts';
import { record } from './audit/audit-queries.ts';
import { revokeKeysBelongingTo } from './derived-keys.ts';
import { createDirectory, type Directory } from './directory/directory.ts';
import {
  addApiKey,
  createApiKey,
  listApiKeys,
  listApiKeyUses,
  type NewApiKey,
  revokeApiKey,
  rollApiKey,
} from './keys.ts';
import { auditLog, createHarness, newAccount } from './testing/harness.ts';

const SHOP = '15550001001';
const HOUR_MS = 3_600_000;

describeOnEachDatabase('a key that a key has made', (test) => {
  let directory: Directory | undefined;
  afterEach(() => directory?.close());

  async function begin(parent: Partial<NewApiKey> = {}, child: Partial<NewApiKey> = {}) {
    const context = createHarness(test);
    const { account_id: accountId } = await newAccount(context);
    const maker = await createApiKey(context, 'operator', accountId, { name: 'maker', ...parent });
    const derive = (parentKeyId: string, given: Partial<NewApiKey> = {}) =>
      auditedTransaction(context.store, (trx) =>
        addApiKey(trx, context, `key:${parentKeyId}`, {
          ...{ name: 'made', accountId, parentKeyId, belongsTo: 'a thing' },
          ...given,
        }),
      );
    const made = await derive(maker.key_id, child);
    const doors = createDirectory(context);
    directory = doors;
    const admit = async ({ api_key }: { api_key: string } = made) => {
      // A yes may be a second old.
      await doors.learnNews();
      return doors.admit(api_key);
    };
    /** As if it had been changed by hand, or by a way that knows nothing of keys made by keys. */
    const change = (keyId: string, values: Partial<ApiKeyRow>) =>
      auditedTransaction(context.store, async (trx) => {
        await trx.updateTable('api_keys').set(values).where('id', '=', keyId).execute();
        await record(trx, 0, { actor: 'operator', accountId, action: 'account.changed', subject: accountId });
      });
    return { context, accountId, maker, made, derive, admit, change };
  }

  it('opens no more than that one, whatever is asked for', async () => {
    const parent = { permissions: ['sessions', 'messages'] as Permission[], phone: SHOP };
    const { made, admit } = await begin(parent, { permissions: ['messages', 'groups'] });
    expect(made).toMatchObject({ permissions: ['messages'], phone: SHOP });
    expect(await admit()).toMatchObject({ permissions: new Set(['messages']), phone: SHOP });
    const all = await begin(parent);
    expect(all.made).toMatchObject({ permissions: parent.permissions, phone: SHOP });
  });

  it('is not made for another number, nor by a key that has ended', async () => {
    const { context, accountId, maker, derive } = await begin({ phone: SHOP });
    await expect(derive(maker.key_id, { phone: '15550001002' })).rejects.toMatchObject({
      code: 'api_key_invalid',
    });
    await revokeApiKey(context, 'operator', accountId, maker.key_id);
    await expect(derive(maker.key_id)).rejects.toMatchObject({ code: 'api_key_invalid' });
    expect((await listApiKeys(context, accountId)).items).toEqual([]);
  });

  it('is revoked with it, and so is what it has made itself', async () => {
    const { context, accountId, maker, made, derive, admit } = await begin();
    const grandchild = await derive(made.key_id);
    expect(await admit(grandchild)).toBeDefined();
    await revokeApiKey(context, 'operator', accountId, maker.key_id);
    for (const key of [made, grandchild]) expect(await admit(key)).toBeUndefined();
    expect((await listApiKeys(context, accountId)).items).toEqual([]);
    const { items: uses } = await listApiKeyUses(context, accountId, {});
    expect(uses.map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked']);
  });

  it('expires with it at the latest', async () => {
    const { context, made, admit, derive, maker } = await begin({ expires_at: '2026-01-01T02:00:00Z' });
    const shorter = await derive(maker.key_id, { expires_at: '2026-01-01T01:00:00Z' });
    expect([made.expires_at, shorter.expires_at]).toEqual([
      '2026-01-01T02:00:00.000Z',
      '2026-01-01T01:00:00.000Z',
    ]);
    context.clock.advance(HOUR_MS);
    expect([await admit(made), await admit(shorter)]).toEqual([expect.anything(), undefined]);
    context.clock.advance(HOUR_MS);
    expect(await admit(made)).toBeUndefined();
  });

  it('is judged by it whenever it is used, not only when it is made', async () => {
    const { context, maker, admit, change } = await begin({}, { phone: SHOP });
    expect(await admit()).toMatchObject({ permissions: null, phone: SHOP });
    await change(maker.key_id, { permissions: '["messages"]' });
    expect(await admit()).toMatchObject({ permissions: new Set(['messages']) });
    await change(maker.key_id, { phone: '15550001002' });
    expect(await admit()).toBeUndefined();
    await change(maker.key_id, { phone: null, expires_at: context.clock.now() + HOUR_MS });
    expect(await admit()).toBeDefined();
    context.clock.advance(HOUR_MS);
    expect(await admit()).toBeUndefined();
    await change(maker.key_id, { expires_at: null });
    expect(await admit()).toBeDefined();
    await change(maker.key_id, { revoked_at: context.clock.now() });
    expect(await admit()).toBeUndefined();
  });

  it('comes from the successor of a key that is rolled with time to move, and ends with one that ends at once', async () => {
    const { context, accountId, maker, admit } = await begin();
    const next = await rollApiKey(context, 'operator', { accountId, keyId: maker.key_id });
    context.clock.advance(25 * HOUR_MS);
    expect([await admit(maker), await admit()]).toEqual([undefined, expect.anything()]);
    await rollApiKey(context, 'operator', { accountId, keyId: next.key_id, overlapHours: 0 });
    expect(await admit()).toBeUndefined();
  });

  it('ends with what it belongs to, however often it was rolled, and is audited under the key that has made it', async () => {
    const { context, accountId, maker, made, admit } = await begin();
    const rolled = await rollApiKey(context, 'operator', { accountId, keyId: made.key_id });
    expect(await admit(rolled)).toBeDefined();
    await auditedTransaction(context.store, (trx) =>
      revokeKeysBelongingTo(trx, context, `key:${made.key_id}`, { accountId, belongsTo: 'a thing' }),
    );
    expect([await admit(), await admit(rolled)]).toEqual([undefined, undefined]);
    expect(await admit(maker)).toBeDefined();
    const recorded = (await auditLog(context.store)).filter(({ account_id }) => account_id === accountId);
    expect(recorded.map(({ action, actor, subject }) => [action, actor, subject])).toEqual(
      expect.arrayContaining([
        ['api_key.created', `key:${maker.key_id}`, made.key_id],
        ['api_key.revoked', `key:${made.key_id}`, made.key_id],
        ['api_key.revoked', `key:${made.key_id}`, rolled.key_id],
      ]),
    );
  });

  it('rolled, ends with the key that has made the first one', async () => {
    const { context, accountId, maker, made, admit } = await begin();
    const rolled = await rollApiKey(context, 'operator', { accountId, keyId: made.key_id });
    await revokeApiKey(context, 'operator', accountId, maker.key_id);
    expect(await admit(rolled)).toBeUndefined();
  });
});
