import type { AccountStatus, Permission } from '@parley/contract';
import type { Caller, Gatekeeper, OwnedNumber } from '#http';
import type { Clock } from '#kernel';
import type { Store } from '#store';
import { followChanges } from './follow-changes.ts';
import { parseApiKey, readPermissions, secretMatches } from './keys.ts';
import { currentTerms } from './terms.ts';

/**
 * Who may enter, from memory: a request that is let in costs no query. Every change of an account, key or number is in the audit log,
 * and the directory follows that log, in this process and in every other.
 *
 * - A yes may be up to one second old: that is how fast a revocation takes effect everywhere.
 * - A no is never old: before anyone is turned away the log is read up to its end.
 * - While the log cannot be read, nobody is let in on what is remembered for longer than that second.
 */
export interface Directory extends Gatekeeper {
  /** When each key was used last, since the previous call. */
  takeKeyUses(): Map<string, number>;
  close(): void;
}

interface RememberedAccount {
  readonly status: AccountStatus;
  readonly acceptedTerms: string | null;
  readonly numbers: ReadonlyMap<string, OwnedNumber>;
}

interface RememberedKey {
  readonly accountId: string;
  readonly secretHash: Uint8Array;
  readonly permissions: ReadonlySet<Permission> | null;
  readonly phone: string | null;
  readonly expiresAt: number | null;
}

const REMEMBERED_MAX = 50_000;

export function createDirectory({ store, clock }: { store: Store; clock: Clock }): Directory {
  const accounts = new Map<string, RememberedAccount>();
  const keys = new Map<string, RememberedKey>();
  let terms: string | null | undefined;
  let keyUses = new Map<string, number>();

  const changes = followChanges({
    store,
    clock,
    onChange(accountId) {
      if (accountId === null) terms = undefined;
      else {
        accounts.delete(accountId);
        for (const [keyId, key] of keys) if (key.accountId === accountId) keys.delete(keyId);
      }
    },
  });

  /** What was read while a change came by may be older than that change: it is used once and not remembered. */
  async function remembered<T>(cache: Map<string, T>, id: string, load: () => Promise<T | undefined>) {
    const known = cache.get(id);
    if (known) return known;
    const position = changes.position;
    const loaded = await load();
    if (loaded && position === changes.position) {
      if (cache.size >= REMEMBERED_MAX) cache.clear();
      cache.set(id, loaded);
    }
    return loaded;
  }

  const findKey = (keyId: string) => remembered(keys, keyId, () => loadKey(store, keyId));
  const findAccount = (accountId: string) =>
    remembered(accounts, accountId, () => loadAccount(store, accountId));

  async function termsInForce(): Promise<string | null> {
    if (terms !== undefined) return terms;
    const position = changes.position;
    const loaded = (await currentTerms(store.read))?.version ?? null;
    if (position === changes.position) terms = loaded;
    return loaded;
  }

  async function callerOf(apiKey: string): Promise<Caller | undefined> {
    const parsed = parseApiKey(apiKey);
    const key = parsed && (await findKey(parsed.id));
    if (!key || !secretMatches(parsed.secret, key.secretHash)) return undefined;
    if (key.expiresAt !== null && key.expiresAt <= clock.now()) return undefined;
    const account = await findAccount(key.accountId);
    if (!account) return undefined;
    const { accountId, permissions, phone } = key;
    return { accountId, keyId: parsed.id, permissions, phone, blocked: await blockOf(account) };
  }

  async function blockOf({ status, acceptedTerms }: RememberedAccount): Promise<Caller['blocked']> {
    if (status === 'suspended') return 'account_suspended';
    const inForce = await termsInForce();
    return inForce !== null && inForce !== acceptedTerms ? 'tos_not_accepted' : null;
  }

  return {
    async admit(apiKey) {
      await changes.recent();
      let caller = await callerOf(apiKey);
      if (!caller || caller.blocked) {
        await changes.upToDate();
        caller = await callerOf(apiKey);
      }
      if (caller) keyUses.set(caller.keyId, clock.now());
      return caller;
    },

    async ownedNumber(accountId, phone) {
      const known = (await findAccount(accountId))?.numbers.get(phone);
      if (known) return known;
      await changes.upToDate();
      return (await findAccount(accountId))?.numbers.get(phone);
    },

    takeKeyUses() {
      const uses = keyUses;
      keyUses = new Map();
      return uses;
    },

    close: changes.close,
  };
}

async function loadKey(store: Store, keyId: string): Promise<RememberedKey | undefined> {
  const row = await store.read
    .selectFrom('api_keys')
    .select(['account_id', 'secret_hash', 'permissions', 'phone', 'expires_at'])
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      accountId: row.account_id,
      secretHash: row.secret_hash,
      permissions: readPermissions(row.permissions),
      phone: row.phone,
      expiresAt: row.expires_at,
    }
  );
}

async function loadAccount(store: Store, accountId: string): Promise<RememberedAccount | undefined> {
  const row = await store.read
    .selectFrom('accounts')
    .select(['status', 'tos_accepted_version'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!row) return undefined;
  const devices = await store.read
    .selectFrom('devices')
    .select(['slot_id', 'phone', 'plan'])
    .where('account_id', '=', accountId)
    .execute();
  const numbers = devices.map(({ slot_id: slotId, phone, plan }) => ({ slotId, accountId, phone, plan }));
  return {
    status: row.status,
    acceptedTerms: row.tos_accepted_version,
    numbers: new Map(numbers.map((number) => [number.phone, number])),
  };
}
