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
import { type Actor, record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { changeInTurn, findAccount, insertKey, liveKeys, markRevoked } from './store.ts';

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
  const secret = makeSecret(random);
  const row: ApiKeyRow = {
    id: ids.key(),
    account_id: accountId,
    name: given.name,
    secret_hash: hashSecret(secret),
    phone: given.phone ?? null,
    permissions: given.permissions ? JSON.stringify([...new Set(given.permissions)]) : null,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  };
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
  return { ...publicApiKey(row), api_key: `pk_${row.id}_${secret}` };
}

/** Those that still open something; revoked and expired ones live on in the audit log only. */
export async function listApiKeys(context: AccountsContext, accountId: string): Promise<ApiKey[]> {
  return (await keysOf(context, accountId)).map(publicApiKey);
}

/** The same, and when each was used last. */
export async function listApiKeyUses(context: AccountsContext, accountId: string): Promise<ApiKeyUse[]> {
  return (await keysOf(context, accountId)).map((row) => ({
    ...publicApiKey(row),
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }));
}

async function keysOf({ store, clock }: AccountsContext, accountId: string): Promise<ApiKeyRow[]> {
  await findAccount(store.read, accountId);
  return liveKeys(store.read, accountId, clock.now());
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
    expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
  };
}
