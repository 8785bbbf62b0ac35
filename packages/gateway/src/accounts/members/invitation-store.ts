import type { InvitationRow, Writer } from '#store';
import type { Queries } from '../store.ts';

export function findInvitation(db: Queries, id: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those that are still good, oldest first. */
export function openInvitationsOf(db: Queries, accountId: string, now: number): Promise<InvitationRow[]> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute();
}

export async function insertInvitation(trx: Writer, row: InvitationRow): Promise<void> {
  await trx.insertInto('invitations').values(row).execute();
}

export async function deleteInvitation(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('one_time_links').where('subject', '=', id).execute();
  await trx.deleteFrom('invitations').where('id', '=', id).execute();
}

/** The one that another takes the place of, and those that nobody came to. */
export async function deleteReplacedInvitations(
  trx: Writer,
  { accountId, email, now }: { accountId: string; email: string; now: number },
): Promise<void> {
  const replaced = await trx
    .selectFrom('invitations')
    .select('id')
    .where('account_id', '=', accountId)
    .where((e) => e.or([e('email', '=', email), e('expires_at', '<=', now)]))
    .execute();
  for (const { id } of replaced) await deleteInvitation(trx, id);
}
