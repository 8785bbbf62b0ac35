import { hash } from 'node:crypto';
import {
  type ApiKey,
  type ApiKeyCreated,
  type ApiKeyUse,
  PERMISSIONS,
  type Permission,
} from '@parley/contract';
import { apiError, HOUR_MS, type Page, type PageChoice, pageOf, type Random } from '#kernel';
import type { ApiKeyRow, Writer } from '#platform/store';
import {
  auditedTransaction,
  endNoLaterThan,
  findAccount,
  giveToParent,
  insertKey,
  keyRows,
  liveKeys,
} from './account-queries.ts';
import { record } from './audit/audit-queries.ts';
import type { Actor } from './audit/change.ts';
import type { AccountsContext } from './context.ts';
import { limitToParent, readPermissions, revokeWithDescendants } from './derived-keys.ts';

export interface NewApiKey {
  readonly name: string;
  readonly phone?: string | undefined;
  readonly permissions?: readonly Permission[] | undefined;
  /** ISO 8601. */
  readonly expires_at?: string | undefined;
}

/** What a key comes from that no member and no operator has made. */
interface Origin {
  /** The key that makes it: it opens no more, and for no longer. */
  readonly parentKeyId?: string | undefined;
  /** What it ends with: see `revokeKeysBelongingTo`. */
  readonly belongsTo?: string | undefined;
}

/** The key itself is answered here and never again: only its hash is kept. */
export function createApiKey(
  context: AccountsContext,
  actor: Actor,
  accountId: string,
  given: NewApiKey,
): Promise<ApiKeyCreated> {
  return auditedTransaction(context.store, (trx) => addApiKey(trx, context, actor, { ...given, accountId }));
}

/** The same within another change: both or neither. */
export async function addApiKey(
  trx: Writer,
  { clock, ids, random }: Omit<AccountsContext, 'store'>,
  actor: Actor,
  { accountId, parentKeyId, belongsTo, ...given }: NewApiKey & Origin & { readonly accountId: string },
): Promise<ApiKeyCreated> {
  const now = clock.now();
  const expiresAt = given.expires_at === undefined ? null : Date.parse(given.expires_at);
  if (expiresAt !== null && !(expiresAt > now)) {
    throw apiError('invalid_field', { text: 'expires_at must be a time in the future' });
  }
  const permissions = given.permissions ? JSON.stringify([...new Set(given.permissions)]) : null;
  const wanted = { account_id: accountId, phone: given.phone ?? null, permissions, expires_at: expiresAt };
  await findAccount(trx, accountId);
  const powers = parentKeyId === undefined ? undefined : await limitToParent(trx, parentKeyId, wanted, now);
  const { row, secret } = newKey(
    { ids, random },
    {
      name: given.name,
      ...wanted,
      ...(powers && {
        phone: powers.phone,
        permissions: powers.permissions && JSON.stringify([...powers.permissions]),
        expires_at: powers.expiresAt,
      }),
      parent_key_id: parentKeyId ?? null,
      belongs_to: belongsTo ?? null,
    },
    now,
  );
  await insertKey(trx, row);
  await record(trx, now, {
    actor,
    accountId,
    action: 'api_key.created',
    subject: row.id,
    detail: {
      name: row.name,
      phone: row.phone,
      ...(parentKeyId !== undefined && { parent_key: parentKeyId }),
    },
  });
  return created(row, secret);
}

const OVERLAP_HOURS = 24;

/**
 * Replaces a key by one with the same permissions. The old one stays valid for a while, unless it expires sooner, so that clients can
 * switch; keys derived from it belong to the new one then. A key that ends at once takes its derived keys along.
 */
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
  return auditedTransaction(store, async (trx) => {
    const old = (await liveKeys(trx, { accountId, now })).find(({ id }) => id === keyId);
    if (!old) throw apiError('api_key_not_found');
    const { row, secret } = newKey({ ids, random }, old, now);
    await insertKey(trx, row);
    if (overlapHours === 0) {
      await revokeWithDescendants(trx, { accountId, keyId, now });
    } else {
      await giveToParent(trx, { accountId, from: keyId, to: row.id });
      await endNoLaterThan(trx, { accountId, keyId, at: now + overlapHours * HOUR_MS });
    }
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
  given: Omit<ApiKeyRow, 'id' | 'secret_hash' | 'revoked_at' | 'last_used_at' | 'created_at'>,
  now: number,
): { row: ApiKeyRow; secret: string } {
  const { account_id, name, phone, permissions, expires_at, parent_key_id, belongs_to } = given;
  const secret = makeSecret(random);
  const row: ApiKeyRow = {
    id: ids.key(),
    ...{ account_id, name, phone, permissions, expires_at, parent_key_id, belongs_to },
    secret_hash: hashSecret(secret),
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
export async function listApiKeys(
  { store, clock }: AccountsContext,
  accountId: string,
  page: PageChoice = {},
): Promise<Page<ApiKey>> {
  await findAccount(store.read, accountId);
  const rows = await liveKeys(store.read, { accountId, now: clock.now(), page });
  return pageOf(rows.map(publicApiKey), page, ({ key_id }) => key_id);
}

/** All there ever were, and when each was used last. */
export async function listApiKeyUses(
  { store, clock }: AccountsContext,
  accountId: string,
  page: PageChoice,
): Promise<Page<ApiKeyUse>> {
  const now = clock.now();
  const uses = (await keyRows(store.read, accountId, page)).map((row) => ({
    ...publicApiKey(row),
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: isoTime(row.last_used_at),
    ...endOf(row, now),
  }));
  return pageOf(uses, page, ({ key_id }) => key_id);
}

function endOf({ revoked_at, expires_at }: ApiKeyRow, now: number): Pick<ApiKeyUse, 'status' | 'ended_at'> {
  // A replaced key that has run out is shown as expired, with the time of its end.
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
  await auditedTransaction(store, async (trx) => {
    const now = clock.now();
    if (!(await revokeWithDescendants(trx, { accountId, keyId, now }))) throw apiError('api_key_not_found');
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

const SECRET_ALPHABET = '0123456789abcdefghijkmnpqrstvwxy';

/** 160 bits, alphanumeric, so that a double click selects all of it. */
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
