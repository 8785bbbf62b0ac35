import { createHash } from 'node:crypto';
import type { Random } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { OnboardingRow, Reader, Store, Writer } from '#platform/store';

/**
 * Links to an attempt for owners without a login. Tokens of pages and browsers are stored as hashes, so a leaked
 * database opens no page.
 */

export interface NewOwnerLink {
  readonly tokenHash: Uint8Array;
  readonly at: number;
}

const TOKEN_BYTES = 32;

export function newToken(random: Pick<Random, 'bytes'>): string {
  return Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
}

export function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

export async function insertOwnerLink(
  trx: Pick<Writer, 'insertInto'>,
  target: { readonly onboardingId: string } | { readonly linkId: string },
  { tokenHash, at }: NewOwnerLink,
): Promise<void> {
  await trx
    .insertInto('onboarding_links')
    .values({
      token_hash: tokenHash,
      onboarding_id: 'onboardingId' in target ? target.onboardingId : null,
      link_id: 'linkId' in target ? target.linkId : null,
      browser_hash: null,
      created_at: at,
    })
    .execute();
}

export interface OwnerLinkRow {
  /** A pairing attempt, or a linked number whose login waits. */
  readonly target:
    | { readonly kind: 'pairing'; readonly onboarding: OnboardingRow }
    | { readonly kind: 'login'; readonly number: OwnedNumber };
  readonly browserHash: Uint8Array | null;
}

export async function findOwnerLink(
  db: Pick<Reader, 'selectFrom'>,
  tokenHash: Uint8Array,
): Promise<OwnerLinkRow | undefined> {
  const row = await db
    .selectFrom('onboarding_links')
    .select(['onboarding_id', 'link_id', 'browser_hash'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const target =
    row?.link_id != null ? await loginBehind(db, row.link_id) : await pairingBehind(db, row?.onboarding_id);
  return row && target && { target, browserHash: row.browser_hash };
}

async function pairingBehind(
  db: Pick<Reader, 'selectFrom'>,
  onboardingId: string | null | undefined,
): Promise<OwnerLinkRow['target'] | undefined> {
  if (onboardingId == null) return undefined;
  const query = db.selectFrom('onboardings').selectAll().where('id', '=', onboardingId);
  const onboarding = await query.executeTakeFirst();
  return onboarding && { kind: 'pairing', onboarding };
}

/** Undefined once the link has ended. */
async function loginBehind(
  db: Pick<Reader, 'selectFrom'>,
  linkId: string,
): Promise<OwnerLinkRow['target'] | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('devices', 'devices.slot_id', 'sessions.slot_id')
    .select(['sessions.slot_id', 'sessions.account_id', 'sessions.phone', 'devices.plan'])
    .where('sessions.link_id', '=', linkId)
    .where('sessions.status', '!=', 'logged_out')
    .executeTakeFirst();
  if (!row) return undefined;
  const { slot_id: slotId, account_id: accountId, phone, plan } = row;
  return { kind: 'login', number: { slotId, accountId, phone, plan } };
}

/** Binds the link to a browser. False when another one has it: of two that open it at once, one wins. */
export async function takeOwnerLink(
  store: Store,
  tokenHash: Uint8Array,
  browserHash: Uint8Array,
): Promise<boolean> {
  const changed = await store.transaction((trx) =>
    trx
      .updateTable('onboarding_links')
      .set({ browser_hash: browserHash })
      .where('token_hash', '=', tokenHash)
      .where('browser_hash', 'is', null)
      .executeTakeFirst(),
  );
  return Number(changed.numUpdatedRows) > 0;
}

export async function dropOldOwnerLinks(trx: Pick<Writer, 'deleteFrom'>, before: number): Promise<void> {
  await trx.deleteFrom('onboarding_links').where('created_at', '<', before).execute();
}
