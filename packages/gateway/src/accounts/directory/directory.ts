import { timingSafeEqual } from 'node:crypto';
import type { AccountStatus } from '@parley/contract';
import { type Clock, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type {
  Caller,
  Gatekeeper,
  KeyHolder,
  MaybePromise,
  NumberWithStatus,
  OwnedNumber,
} from '#platform/http';
import type { Store } from '#platform/store';
import { findAccountIfAny, findKey, writeLastUses } from '../account-queries.ts';
import { followChanges } from '../audit/follow-changes.ts';
import { type KeyPowers, keyPowers } from '../derived-keys.ts';
import { devicesOf } from '../devices/device-queries.ts';
import { type SendingTerms, sendingTermsOf } from '../devices/periods.ts';
import { hashSecret, type ParsedKey, parseApiKey } from '../keys.ts';
import { termsVersions } from '../terms/terms-queries.ts';
import { createTimeline, hasToAccept, type TermsTimeline } from '../terms/timeline.ts';

/**
 * Who may enter, from memory: a request that is let in costs no query. Every change of an account, key or number is in the audit log,
 * and the directory follows that log, in this process and in every other.
 *
 * - A yes may be up to one second old: that is how fast a revocation takes effect everywhere.
 * - A no is never old: before anyone is turned away the log is read up to its end.
 * - While the log cannot be read, no key is admitted from a cache older than that second.
 */
export interface Directory extends Gatekeeper {
  /** The owner of an account, who may do whatever the account may; undefined when there is no such account. */
  ownerOf(accountId: string): Promise<Caller | undefined>;
  /** Whether the account has a number that may be used; with a phone, whether that one may. */
  hasActiveNumber(owner: Pick<Caller, 'accountId' | 'phone'>): Promise<boolean>;
  /** On what terms a number may send; undefined when it is gone. */
  sendingTerms(number: Pick<OwnedNumber, 'accountId' | 'slotId'>): MaybePromise<SendingTerms | undefined>;
  /** Resolves when every change that was committed before this call is known: from then on not even a yes is older. */
  learnNews(): Promise<void>;
  /** When each key was used last, since the previous call. */
  takeKeyUses(): Map<string, number>;
  close(): void;
}

interface RememberedAccount {
  readonly status: AccountStatus;
  readonly acceptedTerms: string | null;
  readonly numbers: ReadonlyMap<string, NumberWithStatus>;
  /** By slot. */
  readonly sendingTerms: ReadonlyMap<string, SendingTerms>;
}

interface RememberedKey extends KeyPowers {
  readonly accountId: string;
  readonly secretHash: Uint8Array;
  /** The secret, once a request has presented it; compared directly from then on, without a hash per request. */
  provenSecret: Uint8Array | undefined;
}

const REMEMBERED_MAX = 50_000;

export function createDirectory({ store, clock }: { store: Store; clock: Clock }): Directory {
  const accounts = new Map<string, RememberedAccount>();
  const keys = new Map<string, RememberedKey>();
  let terms: TermsTimeline | undefined;
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
  async function remember<T>(cache: Map<string, T>, id: string, load: () => Promise<T | undefined>) {
    const position = changes.position;
    const loaded = await load();
    if (loaded && position === changes.position) {
      if (cache.size >= REMEMBERED_MAX) cache.clear();
      cache.set(id, loaded);
    }
    return loaded;
  }

  const keyOf = (id: string) => keys.get(id) ?? remember(keys, id, () => loadKey(store, id));
  const accountOf = (id: string) => accounts.get(id) ?? remember(accounts, id, () => loadAccount(store, id));

  async function knownTerms(): Promise<TermsTimeline> {
    if (terms) return terms;
    const position = changes.position;
    const loaded = createTimeline(await termsVersions(store.read));
    if (position === changes.position) terms = loaded;
    return loaded;
  }

  /** The whole answer when all of it is in memory, recent, and a yes. */
  function admitFromMemory(parsed: ParsedKey): KeyHolder | undefined {
    if (!changes.isRecent()) return undefined;
    const key = keys.get(parsed.id);
    const account = key && accounts.get(key.accountId);
    if (!account || !terms || !opens(parsed, key)) return undefined;
    const caller = callerOf(parsed.id, key, { account, terms, now: clock.now() });
    return caller.blocked ? undefined : caller;
  }

  async function admitByLookingUp(parsed: ParsedKey): Promise<KeyHolder | undefined> {
    await changes.upToDate();
    const key = await keyOf(parsed.id);
    if (!key || !opens(parsed, key)) return undefined;
    const account = await accountOf(key.accountId);
    return account && callerOf(parsed.id, key, { account, terms: await knownTerms(), now: clock.now() });
  }

  function opens({ secret }: ParsedKey, key: RememberedKey): boolean {
    return isSecretOf(secret, key) && (key.expiresAt === null || key.expiresAt > clock.now());
  }

  function noteUse(caller: KeyHolder | undefined): KeyHolder | undefined {
    if (caller) keyUses.set(caller.keyId, clock.now());
    return caller;
  }

  return {
    admit(apiKey) {
      const parsed = parseApiKey(apiKey);
      if (!parsed) return undefined;
      const known = admitFromMemory(parsed);
      return known ? noteUse(known) : admitByLookingUp(parsed).then(noteUse);
    },

    async ownerOf(accountId) {
      await changes.upToDate();
      const account = await accountOf(accountId);
      if (!account) return undefined;
      const blocked = blockOf({ account, terms: await knownTerms(), now: clock.now() });
      return { accountId, permissions: null, phone: null, blocked };
    },

    ownedNumber(accountId, phone) {
      const known = accounts.get(accountId)?.numbers.get(phone);
      if (known?.status === 'active') return known;
      return changes.upToDate().then(async () => (await accountOf(accountId))?.numbers.get(phone));
    },

    async hasActiveNumber({ accountId, phone }) {
      const isActive = (account: RememberedAccount | undefined): boolean =>
        [...(account?.numbers.values() ?? [])].some(
          (number) => number.status === 'active' && (phone === null || number.phone === phone),
        );
      if (isActive(accounts.get(accountId))) return true;
      await changes.upToDate();
      return isActive(await accountOf(accountId));
    },

    sendingTerms({ accountId, slotId }) {
      const known = accounts.get(accountId);
      if (known) return known.sendingTerms.get(slotId);
      return Promise.resolve(accountOf(accountId)).then((account) => account?.sendingTerms.get(slotId));
    },

    learnNews: changes.upToDate,

    takeKeyUses() {
      const uses = keyUses;
      keyUses = new Map();
      return uses;
    },

    close: changes.close,
  };
}

function isSecretOf(secret: string, key: RememberedKey): boolean {
  const given = Buffer.from(secret);
  if (key.provenSecret)
    return given.length === key.provenSecret.length && timingSafeEqual(given, key.provenSecret);
  if (!timingSafeEqual(hashSecret(secret), key.secretHash)) return false;
  key.provenSecret = given;
  return true;
}

interface AccountStanding {
  readonly account: RememberedAccount;
  readonly terms: TermsTimeline;
  readonly now: number;
}

function callerOf(keyId: string, key: RememberedKey, standing: AccountStanding): KeyHolder {
  const { accountId, permissions, phone } = key;
  return { accountId, keyId, permissions, phone, blocked: blockOf(standing) };
}

function blockOf({ account, terms, now }: AccountStanding): Caller['blocked'] {
  if (account.status === 'suspended') return 'account_suspended';
  return hasToAccept(terms, account.acceptedTerms, now) ? 'tos_not_accepted' : null;
}

async function loadKey(store: Store, keyId: string): Promise<RememberedKey | undefined> {
  const row = await findKey(store.read, keyId);
  const powers = row && (await keyPowers(store.read, row));
  return (
    powers && {
      accountId: row.account_id,
      secretHash: row.secret_hash,
      provenSecret: undefined,
      ...powers,
    }
  );
}

async function loadAccount(store: Store, accountId: string): Promise<RememberedAccount | undefined> {
  const row = await findAccountIfAny(store.read, accountId);
  if (!row) return undefined;
  const devices = await devicesOf(store.read, accountId);
  const numbers = devices.map(({ slot_id: slotId, phone, plan, status }) => ({
    slotId,
    accountId,
    phone,
    plan,
    status,
  }));
  return {
    status: row.status,
    acceptedTerms: row.tos_accepted_version,
    numbers: new Map(numbers.map((number) => [number.phone, number])),
    sendingTerms: new Map(devices.map((device) => [device.slot_id, sendingTermsOf(device, row)])),
  };
}

const WRITE_EVERY_MS = 60_000;
/** The next minute's uses will be written; a last use that is a minute old is no harm. */
const COMPLAINT = 'could not record when keys were used';

/** Keeps `last_used_at` of keys, once a minute for all keys together: a write per request would cost more than the request. */
export function recordKeyUses({
  store,
  clock,
  directory,
  log,
}: {
  store: Store;
  clock: Clock;
  directory: Pick<Directory, 'takeKeyUses'>;
  log: JobLog;
}): PeriodicJob {
  async function work(): Promise<void> {
    const uses = directory.takeKeyUses();
    if (uses.size > 0) await store.transaction((trx) => writeLastUses(trx, uses));
  }

  const everyMs = WRITE_EVERY_MS;
  const job = startPeriodicJob({ clock, firstAfterMs: everyMs, everyMs, work, log, name: 'key-uses' });
  return {
    async stop() {
      await job.stop();
      await work().catch((error: unknown) => log.error({ err: error }, COMPLAINT));
    },
  };
}
