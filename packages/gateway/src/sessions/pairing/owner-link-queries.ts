import { createHash } from 'node:crypto';
import type { Random } from '#kernel';
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
  onboardingId: string,
  { tokenHash, at }: NewOwnerLink,
): Promise<void> {
  await trx
    .insertInto('onboarding_links')
    .values({ token_hash: tokenHash, onboarding_id: onboardingId, browser_hash: null, created_at: at })
    .execute();
}

export interface OwnerLinkRow {
  readonly onboarding: OnboardingRow;
  readonly browserHash: Uint8Array | null;
}

export async function findOwnerLink(
  db: Pick<Reader, 'selectFrom'>,
  tokenHash: Uint8Array,
): Promise<OwnerLinkRow | undefined> {
  const row = await db
    .selectFrom('onboarding_links')
    .innerJoin('onboardings', 'onboardings.id', 'onboarding_links.onboarding_id')
    .selectAll('onboardings')
    .select('onboarding_links.browser_hash')
    .where('onboarding_links.token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { browser_hash: browserHash, ...onboarding } = row;
  return { onboarding, browserHash };
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
