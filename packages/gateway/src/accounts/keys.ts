import { hash } from 'node:crypto';
import {
  type ApiKey,
  type ApiKeyCreated,
  type ApiKeyUse,
  PERMISSIONS,
  type Permission,
} from '@parley/contract';
import { fault, type Random } from '#kernel';
import type { ApiKeyRow } from '#store';
import type { Actor } from './audit/change.ts';
import { record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import {
  allKeys,
  changeInTurn,
  endNoLaterThan,
  findAccount,
  insertKey,
  liveKeys,
  markRevoked,
} from './store.ts';

export interface NewApiKey {
  readonly name: string;
  readonly phone?: string | undefined;
  readonly permissions?: readonly Permission[] | undefined;
  /** ISO 8601. */
  readonly expires_at?: string | undefined;
}

/** The key itself is answered here and never again: only its hash is kept. */
export async function createApiKey(
  { store, clock, ids, random }: AccountsContext,
  actor: Actor,
  accountId: string,
  given: NewApiKey,
): Promise<ApiKeyCreated> {
  const now = clock.now();
  const expiresAt = given.expires_at === undefined ? null : Date.parse(given.expires_at);
  if (expiresAt !== null && !(expiresAt > now)) {
    throw fault('invalid_field', { text: 'expires_at must be a time in the future' });
  }
  const permissions = given.permissions ? JSON.stringify([...new Set(given.permissions)]) : null;
  const { row, secret } = newKey(
    { ids, random },
    { name: given.name, phone: given.phone ?? null, permissions, expires_at: expiresAt },
    { accountId, now },
  );
  await changeInTurn(store, async (trx) => {
    await findAccount(trx, accountId);
    await insertKey(trx, row);
    await record(trx, now, {
      actor,
      accountId,
      action: 'api_key.created',
      subject: row.id,
      detail: { name: row.name, phone: row.phone },
    });
  });
  return created(row, secret);
}

const HOUR_MS = 3_600_000;
const OVERLAP_HOURS = 24;

/** A new key that may do the same. The old one goes on for a while, unless it would have ended sooner, so that nobody stands without one. */
export async function rollApiKey(
  { store, clock, ids, random }: AccountsContext,
  actor: Actor,
  {
    accountId,
    keyId,
    overlapHours = OVERLAP_HOURS,
  }: { accountId: string; keyId: string; overlapHours?: number | undefined },
): Promise<ApiKeyCreated> {
  const now = clock.now();
  return changeInTurn(store, async (trx) => {
    const old = (await liveKeys(trx, accountId, now)).find(({ id }) => id === keyId);
    if (!old) throw fault('api_key_not_found');
    const { row, secret } = newKey({ ids, random }, old, { accountId, now });
    await insertKey(trx, row);
    if (overlapHours === 0) await markRevoked(trx, { accountId, keyId, now });
    else await endNoLaterThan(trx, { accountId, keyId, at: now + overlapHours * HOUR_MS });
    await record(trx, now, {
      actor,
      accountId,
      action: 'api_key.rolled',
      subject: keyId,
      detail: { name: old.name, new_key: row.id, overlap_hours: overlapHours },
    });
    return created(row, secret);
  });
}

function newKey(
  { ids, random }: Pick<AccountsContext, 'ids' | 'random'>,
  { name, phone, permissions, expires_at }: Pick<ApiKeyRow, 'name' | 'phone' | 'permissions' | 'expires_at'>,
  { accountId, now }: { accountId: string; now: number },
): { row: ApiKeyRow; secret: string } {
  const secret = makeSecret(random);
  const row: ApiKeyRow = {
    id: ids.key(),
    account_id: accountId,
    secret_hash: hashSecret(secret),
    ...{ name, phone, permissions, expires_at },
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  };
  return { row, secret };
}

function created(row: ApiKeyRow, secret: string): ApiKeyCreated {
  return { ...publicApiKey(row), api_key: `pk_${row.id}_${secret}` };
}

/** Those that still open something. */
export async function listApiKeys({ store, clock }: AccountsContext, accountId: string): Promise<ApiKey[]> {
  await findAccount(store.read, accountId);
  return (await liveKeys(store.read, accountId, clock.now())).map(publicApiKey);
}

/** All there ever were, and when each was used last. */
export async function listApiKeyUses(
  { store, clock }: AccountsContext,
  accountId: string,
): Promise<ApiKeyUse[]> {
  const now = clock.now();
  return (await allKeys(store.read, accountId)).map((row) => ({
    ...publicApiKey(row),
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: isoTime(row.last_used_at),
    ...endOf(row, now),
  }));
}

function endOf({ revoked_at, expires_at }: ApiKeyRow, now: number): Pick<ApiKeyUse, 'status' | 'ended_at'> {
  // Whoever was replaced and ran out is told as expired, with the moment in which it ceased.
  if (revoked_at !== null) return { status: 'revoked', ended_at: isoTime(revoked_at) };
  if (expires_at !== null && expires_at <= now) return { status: 'expired', ended_at: isoTime(expires_at) };
  return { status: 'active', ended_at: null };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export async function revokeApiKey(
  { store, clock }: AccountsContext,
  actor: Actor,
  accountId: string,
  keyId: string,
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    const now = clock.now();
    if (!(await markRevoked(trx, { accountId, keyId, now }))) throw fault('api_key_not_found');
    await record(trx, now, { actor, accountId, action: 'api_key.revoked', subject: keyId });
  });
}

export interface ParsedKey {
  readonly id: string;
  readonly secret: string;
}

const PREFIX = 'pk_';
const ID_END = PREFIX.length + 24;
const KEY_LENGTH = ID_END + 1 + 32;

/** Takes `pk_<id>_<secret>` apart; undefined when it cannot be a key of ours. By hand, because every request pays for it. */
export function parseApiKey(text: string): ParsedKey | undefined {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX) || text.charAt(ID_END) !== '_') return undefined;
  return { id: text.slice(PREFIX.length, ID_END), secret: text.slice(ID_END + 1) };
}

export function readPermissions(json: string | null): ReadonlySet<Permission> | null {
  return json === null ? null : new Set(JSON.parse(json) as Permission[]);
}

const SECRET_ALPHABET = '0123456789abcdefghijkmnpqrstvwxy';

/** 160 bits in letters and digits, so that a double click selects all of it. */
function makeSecret(random: Random): string {
  return Array.from(random.bytes(32), (byte) => SECRET_ALPHABET.charAt(byte & 31)).join('');
}

/** A fast hash is enough: the secret is random and too long to be guessed. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function publicApiKey(row: ApiKeyRow): ApiKey {
  return {
    key_id: row.id,
    prefix: `pk_${row.id}`,
    name: row.name,
    phone: row.phone,
    permissions: [...(readPermissions(row.permissions) ?? PERMISSIONS)],
    expires_at: isoTime(row.expires_at),
  };
}
