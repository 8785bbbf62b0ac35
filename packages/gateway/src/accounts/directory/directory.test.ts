import type { ApiKeyCreated } from '@parley/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '#platform/store';
import { describeOnEachDatabase, type WatchedStore, watchStore } from '#testing';
import { changeAccount } from '../accounts.ts';
import { registerDevice } from '../devices/devices.ts';
import { createApiKey, type NewApiKey, revokeApiKey } from '../keys.ts';
import { publishTerms } from '../terms/terms.ts';
import { termsVersions } from '../terms/terms-queries.ts';
import { createHarness, newNumber, newPhone, type TestHarness } from '../testing/harness.ts';
import { createDirectory, type Directory } from './directory.ts';

const JUST_OVER_A_SECOND = 1_001;

async function publishNewTerms(
  context: TestHarness,
  when: { now: true } | { effective_at: string } = { now: true },
): Promise<void> {
  const terms = { version: newPhone(), url: 'https://parley.example/tos' };
  await publishTerms(context, 'operator', { ...terms, ...when });
}

async function acceptTerms(context: TestHarness, accountId: string): Promise<void> {
  if ((await termsVersions(context.store.read)).length > 0)
    await changeAccount(context, 'operator', accountId, { accept_tos: true });
}

describeOnEachDatabase('the directory', (test) => {
  let opened: Directory[] = [];
  afterEach(() => {
    for (const directory of opened) directory.close();
    opened = [];
  });

  function openDirectory(context: TestHarness, store: Store = context.store): Directory {
    const directory = createDirectory({ store, clock: context.clock });
    opened.push(directory);
    return directory;
  }

  async function begin(key: Partial<NewApiKey> = {}) {
    const context = createHarness(test);
    const store: WatchedStore = watchStore(context.store);
    const { account, device } = await newNumber(context);
    const accountId = account.account_id;
    await acceptTerms(context, accountId);
    const made: ApiKeyCreated = await createApiKey(context, 'operator', accountId, {
      name: 'test',
      ...key,
    });
    const directory = openDirectory(context, store);
    return { context, store, accountId, device, directory, apiKey: made.api_key, keyId: made.key_id };
  }

  /** In a known state: everything about the caller is in memory. */
  async function beginKnown() {
    const begun = await begin();
    await begun.directory.admit(begun.apiKey);
    return begun;
  }

  it('knows who calls, what the key may do, and which numbers are theirs', async () => {
    const { directory, apiKey, accountId, keyId, device } = await begin({
      permissions: ['groups'],
      phone: '15550001001',
    });
    expect(await directory.admit(apiKey)).toEqual({
      accountId,
      keyId,
      permissions: new Set(['groups']),
      phone: '15550001001',
      blocked: null,
    });
    expect(await directory.ownedNumber(accountId, device.phone)).toEqual({
      slotId: device.slot_id,
      accountId,
      phone: device.phone,
      plan: 'pro',
      status: 'active',
    });
  });

  it('lets a known caller in without a query and without waiting', async () => {
    const { store, directory, apiKey, accountId, device } = await beginKnown();
    const reads = store.reads;
    for (let request = 0; request < 1_000; request++) {
      expect(directory.admit(apiKey)).not.toBeInstanceOf(Promise);
      expect(directory.ownedNumber(accountId, device.phone)).not.toBeInstanceOf(Promise);
    }
    expect(store.reads).toBe(reads);
  });

  it('keeps doing so while it is called, and reads the log in the background', async () => {
    const { context, store, directory, apiKey } = await beginKnown();
    const reads = store.reads;
    for (let second = 0; second < 5; second += 0.4) {
      expect(directory.admit(apiKey)).not.toBeInstanceOf(Promise);
      context.clock.advance(400);
      await store.settled();
    }
    expect(store.reads - reads).toBe(13);
  });

  describe('turns away', () => {
    it.each([
      ['no key at all', ''],
      ['garbage', 'Bearer me up'],
      ['a key that never was', `pk_${'0'.repeat(24)}_${'0'.repeat(32)}`],
    ])('%s', async (_what, text) => {
      const { directory } = await begin();
      expect(await directory.admit(text)).toBeUndefined();
    });

    it.each<[string, (key: string) => string]>([
      ['a wrong secret', (key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
      ['a secret in capitals', (key) => key.slice(0, 28) + key.slice(28).toUpperCase()],
      // Truncated to one byte each, they equal the characters of the secret.
      [
        'a secret in characters beyond one byte',
        (key) =>
          key.slice(0, 28) +
          String.fromCharCode(...[...key.slice(28)].map((character) => character.charCodeAt(0) + 0x100)),
      ],
    ])('%s, before and after the right one was seen', async (_what, forge) => {
      const { directory, apiKey } = await begin();
      const forged = forge(apiKey);
      expect(forged).toHaveLength(apiKey.length);
      expect(await directory.admit(forged)).toBeUndefined();
      expect(await directory.admit(apiKey)).toBeDefined();
      expect(await directory.admit(forged)).toBeUndefined();
      expect(await directory.admit(apiKey)).toBeDefined();
    });

    it('a key whose time is over, to the millisecond', async () => {
      const { context, directory, apiKey } = await begin({ expires_at: '2026-01-01T00:00:00.500Z' });
      context.clock.advance(499);
      expect(await directory.admit(apiKey)).toBeDefined();
      context.clock.advance(1);
      expect(await directory.admit(apiKey)).toBeUndefined();
    });

    it('a revoked key within a second, in this process and in every other', async () => {
      const { context, directory, apiKey, accountId, keyId } = await beginKnown();
      const elsewhere = openDirectory(context, await test.openAgain());
      expect(await elsewhere.admit(apiKey)).toBeDefined();
      await revokeApiKey(context, 'operator', accountId, keyId);
      context.clock.advance(JUST_OVER_A_SECOND);
      expect(await directory.admit(apiKey)).toBeUndefined();
      expect(await elsewhere.admit(apiKey)).toBeUndefined();
    });

    it('a suspended account within a second', async () => {
      const { context, directory, apiKey, accountId } = await beginKnown();
      await changeAccount(context, 'operator', accountId, { status: 'suspended' });
      context.clock.advance(JUST_OVER_A_SECOND);
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: 'account_suspended' });
    });

    it('every account that has not accepted the newest terms, within a second', async () => {
      const { context, directory, apiKey, accountId } = await beginKnown();
      for (const version of ['first', 'second']) {
        await publishNewTerms(context);
        context.clock.advance(JUST_OVER_A_SECOND);
        expect(await directory.admit(apiKey), version).toMatchObject({ blocked: 'tos_not_accepted' });
        await acceptTerms(context, accountId);
        expect(await directory.admit(apiKey), version).toMatchObject({ blocked: null });
      }
    });

    it('every account that has not accepted announced terms, from their first moment on', async () => {
      const { context, directory, apiKey, accountId } = await beginKnown();
      const other = await begin();
      const effective_at = new Date(context.clock.now() + 60_000).toISOString();
      await publishNewTerms(context, { effective_at });
      await other.directory.admit(other.apiKey);
      await acceptTerms(other.context, other.accountId);
      context.clock.advance(59_999);
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: null });
      context.clock.advance(1);
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: 'tos_not_accepted' });
      other.context.clock.advance(60_000);
      expect(await other.directory.admit(other.apiKey)).toMatchObject({ blocked: null });
      await acceptTerms(context, accountId);
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: null });
    });

    it('another account’s number', async () => {
      const { context, directory, accountId } = await beginKnown();
      const stranger = await newNumber(context);
      expect(await directory.ownedNumber(accountId, stranger.device.phone)).toBeUndefined();
    });
  });

  describe('never turns away on old knowledge', () => {
    it('a key made a moment ago', async () => {
      const { context, directory, accountId } = await beginKnown();
      const { api_key } = await createApiKey(context, 'operator', accountId, { name: 'new' });
      expect(await directory.admit(api_key)).toBeDefined();
    });

    it('a number registered a moment ago, after it was asked for in vain', async () => {
      const { context, directory, accountId } = await beginKnown();
      const phone = newPhone();
      expect(await directory.ownedNumber(accountId, phone)).toBeUndefined();
      await registerDevice(context, 'operator', accountId, { phone, plan: 'max' });
      expect(await directory.ownedNumber(accountId, phone)).toMatchObject({ phone, plan: 'max' });
    });

    it('an account reactivated a moment ago by another process', async () => {
      const { context, directory, apiKey, accountId } = await beginKnown();
      const elsewhere = { ...context, store: await test.openAgain() };
      await changeAccount(elsewhere, 'operator', accountId, { status: 'suspended' });
      context.clock.advance(JUST_OVER_A_SECOND);
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: 'account_suspended' });
      await changeAccount(elsewhere, 'operator', accountId, { status: 'active' });
      expect(await directory.admit(apiKey)).toMatchObject({ blocked: null });
    });
  });

  it.each([
    ['api_keys', 'no such key'],
    ['accounts', 'account_suspended'],
    ['tos_versions', 'tos_not_accepted'],
  ] as const)('does not remember what it read of %s while it was being changed', async (table, refusal) => {
    const { context, store, directory, apiKey, accountId, keyId } = await begin();
    const release = store.holdNextReadOf(table);
    const early = directory.admit(apiKey);
    await vi.waitFor(() => expect(store.heldReads).toBe(1));

    if (table === 'api_keys') await revokeApiKey(context, 'operator', accountId, keyId);
    else if (table === 'accounts')
      await changeAccount(context, 'operator', accountId, { status: 'suspended' });
    else await publishNewTerms(context);
    // A request of another account makes the directory read the change.
    await directory.ownedNumber(accountId, newPhone());
    release();
    expect(await early).toMatchObject({ blocked: null });
    const late = await directory.admit(apiKey);
    expect(late?.blocked ?? 'no such key').toBe(refusal);
  });

  it('rejects keys on a cache older than a second while the database is out of reach', async () => {
    const { context, store, directory, apiKey } = await beginKnown();
    store.cutOff();
    context.clock.advance(1_000);
    expect(await directory.admit(apiKey)).toBeDefined();
    context.clock.advance(1);
    await expect(directory.admit(apiKey)).rejects.toThrow('out of reach');
    store.reconnect();
    expect(await directory.admit(apiKey)).toBeDefined();
  });

  it('records the last use of each key, once', async () => {
    const { context, directory, apiKey, keyId } = await beginKnown();
    const at = context.clock.now();
    await directory.admit(`pk_${'0'.repeat(24)}_${'0'.repeat(32)}`);
    context.clock.advance(10);
    await directory.admit(apiKey);
    expect(directory.takeKeyUses()).toEqual(new Map([[keyId, at + 10]]));
    expect(directory.takeKeyUses()).toEqual(new Map());
  });
});
