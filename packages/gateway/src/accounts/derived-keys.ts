import type { Permission } from '@parley/contract';
import { apiError } from '#kernel';
import type { ApiKeyRow, Writer } from '#platform/store';
import { findKey, keysBelongingTo, keysMadeBy, markRevoked, type Queries } from './account-queries.ts';
import { record } from './audit/audit-queries.ts';
import type { Actor } from './audit/change.ts';
import type { AccountsContext } from './context.ts';

/** What a key opens, and until when. */
export interface KeyPowers {
  /** Null: all of them. */
  readonly permissions: ReadonlySet<Permission> | null;
  /** Null: every number of the account. */
  readonly phone: string | null;
  /** Epoch milliseconds; null: without end. */
  readonly expiresAt: number | null;
}

type Limits = Pick<ApiKeyRow, 'account_id' | 'permissions' | 'phone' | 'expires_at' | 'parent_key_id'>;

/** A key made by a key made by a key … is refused beyond this. */
const MAX_ANCESTORS = 8;

/**
 * What a key opens at this moment: never more, nor for longer, than each key that it comes from. Undefined when one of those was revoked, or is
 * for another number.
 */
export async function keyPowers(db: Queries, key: Limits): Promise<KeyPowers | undefined> {
  let powers: KeyPowers = powersOf(key);
  let parentId = key.parent_key_id;
  for (let steps = 0; parentId !== null; steps++) {
    const parent: ApiKeyRow | undefined = await findKey(db, parentId);
    if (!parent || parent.account_id !== key.account_id || steps === MAX_ANCESTORS) return undefined;
    const both = intersect(powersOf(parent), powers);
    if (!both) return undefined;
    powers = both;
    parentId = parent.parent_key_id;
  }
  return powers;
}

function powersOf({ permissions, phone, expires_at: expiresAt }: Limits): KeyPowers {
  return { permissions: readPermissions(permissions), phone, expiresAt };
}

function intersect(one: KeyPowers, other: KeyPowers): KeyPowers | undefined {
  if (one.phone !== null && other.phone !== null && one.phone !== other.phone) return undefined;
  return {
    permissions:
      one.permissions && other.permissions
        ? one.permissions.intersection(other.permissions)
        : (one.permissions ?? other.permissions),
    phone: one.phone ?? other.phone,
    expiresAt:
      one.expiresAt === null || other.expiresAt === null
        ? (one.expiresAt ?? other.expiresAt)
        : Math.min(one.expiresAt, other.expiresAt),
  };
}

/** What a new key gets of what it is meant to have, when `parentId` makes it. A parent that has ended makes none. */
export async function limitToParent(
  trx: Queries,
  parentId: string,
  wanted: Omit<Limits, 'parent_key_id'>,
  now: number,
): Promise<KeyPowers> {
  const powers = await keyPowers(trx, { ...wanted, parent_key_id: parentId });
  if (!powers || (powers.expiresAt !== null && powers.expiresAt <= now)) throw apiError('api_key_invalid');
  return powers;
}

/** Revokes a key with all that come from it. False when it was revoked before, or is none of the account. */
export async function revokeWithDescendants(
  trx: Writer,
  key: { accountId: string; keyId: string; now: number },
): Promise<boolean> {
  const revoked = await markRevoked(trx, key);
  for (const { id } of await keysMadeBy(trx, key.accountId, key.keyId))
    await revokeWithDescendants(trx, { ...key, keyId: id });
  return revoked;
}

/** Ends the keys that belong to something which ends with this change, and those that come from them. */
export async function revokeKeysBelongingTo(
  trx: Writer,
  { clock }: Pick<AccountsContext, 'clock'>,
  actor: Actor,
  { accountId, belongsTo, alsoKeyId }: { accountId: string; belongsTo: string; alsoKeyId?: string },
): Promise<void> {
  const now = clock.now();
  const found = await keysBelongingTo(trx, accountId, belongsTo);
  const keyIds = new Set([...found.map(({ id }) => id), ...(alsoKeyId === undefined ? [] : [alsoKeyId])]);
  for (const keyId of keyIds) {
    if (await revokeWithDescendants(trx, { accountId, keyId, now }))
      await record(trx, now, { actor, accountId, action: 'api_key.revoked', subject: keyId });
  }
}

/** As the database keeps them; null: all of them. */
export function readPermissions(json: string | null): ReadonlySet<Permission> | null {
  return json === null ? null : new Set(JSON.parse(json) as Permission[]);
}
