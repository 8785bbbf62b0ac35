import { createHash } from 'node:crypto';
import { PERMISSIONS } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { createApiKey, listApiKeys, parseApiKey, revokeApiKey } from './keys.ts';
import { createHarness, newAccount, travelTo } from './testing/harness.ts';

describeOnEachDatabase('an API key', (test) => {
  async function begin() {
    const context = createHarness(test);
    const { account_id: accountId } = await newAccount(context);
    return { context, accountId };
  }

  it('is shown once, when it is made', async () => {
    const { context, accountId } = await begin();
    const { api_key, ...shown } = await createApiKey(context, 'operator', accountId, { name: 'shop' });
    expect(api_key).toMatch(/^pk_[0-9a-z]{24}_[0-9a-z]{32}$/);
    expect(api_key.startsWith(`${shown.prefix}_`)).toBe(true);
    expect((await listApiKeys(context, accountId)).items).toEqual([shown]);
  });

  it('is kept as a hash only', async () => {
    const { context, accountId } = await begin();
    const { api_key } = await createApiKey(context, 'operator', accountId, { name: 'shop' });
    const secret = parseApiKey(api_key)?.secret ?? '';
    const tables = ['api_keys', 'audit_log'] as const;
    const rows = await Promise.all(
      tables.map((table) => context.store.read.selectFrom(table).selectAll().execute()),
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    const row = await context.store.read
      .selectFrom('api_keys')
      .select('secret_hash')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    expect(Buffer.from(row.secret_hash)).toEqual(createHash('sha256').update(secret).digest());
  });

  it('has secrets that never repeat', async () => {
    const { context, accountId } = await begin();
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => createApiKey(context, 'operator', accountId, { name: 'many' })),
    );
    expect(new Set(keys.map(({ api_key }) => parseApiKey(api_key)?.secret)).size).toBe(20);
  });

  it('may do everything, or what it was given', async () => {
    const { context, accountId } = await begin();
    const all = await createApiKey(context, 'operator', accountId, { name: 'all' });
    expect(all).toMatchObject({ permissions: [...PERMISSIONS], phone: null, expires_at: null });
    const given = { name: 'narrow', permissions: ['groups'], phone: '15550001001' } as const;
    const narrow = await createApiKey(context, 'operator', accountId, given);
    expect(narrow).toMatchObject({ permissions: ['groups'], phone: '15550001001' });
    expect((await listApiKeys(context, accountId)).items).toHaveLength(2);
  });

  it('expires at the given time, and cannot be made for the past', async () => {
    const { context, accountId } = await begin();
    const made = await createApiKey(context, 'operator', accountId, {
      name: 'guest',
      expires_at: '2026-02-01T01:00:00+01:00',
    });
    expect(made.expires_at).toBe('2026-02-01T00:00:00.000Z');
    travelTo(context.clock, '2026-01-31');
    expect((await listApiKeys(context, accountId)).items).toHaveLength(1);
    travelTo(context.clock, '2026-02-01');
    expect((await listApiKeys(context, accountId)).items).toEqual([]);
    for (const expires_at of ['2026-02-01T00:00:00Z', '2026-02-31T99:00:00Z']) {
      const late = createApiKey(context, 'operator', accountId, { name: 'late', expires_at });
      await expect(late).rejects.toMatchObject({ message: 'expires_at must be a time in the future' });
    }
  });

  it('can be revoked once, by its own account only', async () => {
    const { context, accountId } = await begin();
    const stranger = await newAccount(context);
    const { key_id } = await createApiKey(context, 'operator', accountId, { name: 'shop' });
    const notFound = { code: 'api_key_not_found' };
    await expect(revokeApiKey(context, 'operator', stranger.account_id, key_id)).rejects.toMatchObject(
      notFound,
    );
    expect((await listApiKeys(context, accountId)).items).toHaveLength(1);
    await revokeApiKey(context, 'operator', accountId, key_id);
    expect((await listApiKeys(context, accountId)).items).toEqual([]);
    await expect(revokeApiKey(context, 'operator', accountId, key_id)).rejects.toMatchObject(notFound);
  });

  it('needs an account', async () => {
    const { context } = await begin();
    const orphan = createApiKey(context, 'operator', 'acc_none', { name: 'orphan' });
    await expect(orphan).rejects.toMatchObject({ code: 'account_not_found' });
    await expect(listApiKeys(context, 'acc_none')).rejects.toMatchObject({ code: 'account_not_found' });
  });
});

describe('the text of a key', () => {
  const id = 'a'.repeat(24);
  const secret = 'b'.repeat(32);

  it('falls into id and secret', () => {
    expect(parseApiKey(`pk_${id}_${secret}`)).toEqual({ id, secret });
  });

  it.each([
    ['nothing', ''],
    ['no prefix', `${id}_${secret}`],
    ['a short secret', `pk_${id}_${secret.slice(1)}`],
    ['a long secret', `pk_${id}_${secret}b`],
    ['no line between its parts', `pk_${id}-${secret}`],
    ['a line after it', `pk_${id}_${secret}\n`],
  ])('is no key with %s', (_what, text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });
});
