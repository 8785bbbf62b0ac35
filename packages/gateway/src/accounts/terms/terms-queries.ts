import type { TosVersionRow, Writer } from '#platform/store';
import type { Queries } from '../account-queries.ts';
import type { TermsVersion } from './timeline.ts';

/** Newest first. */
export async function termsVersions(db: Queries): Promise<TermsVersion[]> {
  const rows = await db.selectFrom('tos_versions').selectAll().orderBy('number', 'desc').execute();
  return rows.map((row) => ({
    version: row.version,
    url: row.url,
    number: row.number,
    publishedAt: row.published_at,
    effectiveAt: row.effective_at ?? row.published_at,
    hasNotice: row.effective_at !== null,
  }));
}

export async function insertTerms(trx: Writer, row: TosVersionRow): Promise<void> {
  await trx.insertInto('tos_versions').values(row).execute();
}

/** An announced version that has not taken effect takes effect together with its replacement, which is the higher version. */
export async function replaceAnnounced(trx: Writer, now: number, effectiveAt: number): Promise<void> {
  await trx
    .updateTable('tos_versions')
    .set({ effective_at: effectiveAt })
    .where('effective_at', '>', now)
    .execute();
}

/** Accounts that were not notified of a version yet, in the order of their ids. */
export function accountsToNotice(
  db: Queries,
  { version, limit }: { version: string; limit: number },
): Promise<{ id: string; tos_accepted_version: string | null }[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('terms_notices', (join) =>
      join.onRef('terms_notices.account_id', '=', 'accounts.id').on('terms_notices.version', '=', version),
    )
    .select(['accounts.id', 'accounts.tos_accepted_version'])
    .where('terms_notices.account_id', 'is', null)
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}

export async function insertNotices(
  trx: Writer,
  { accountIds, version, now }: { accountIds: readonly string[]; version: string; now: number },
): Promise<void> {
  const rows = accountIds.map((account_id) => ({ account_id, version, noticed_at: now }));
  await trx.insertInto('terms_notices').values(rows).execute();
}
