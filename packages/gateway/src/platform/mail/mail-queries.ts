import type { MailRow, Store, Writer } from '#platform/store';

export async function insertMail(trx: Writer, row: MailRow): Promise<void> {
  await trx.insertInto('mail_outbox').values(row).execute();
}

/** Oldest first. */
export function dueMails({ read }: Pick<Store, 'read'>, now: number, limit: number): Promise<MailRow[]> {
  return read
    .selectFrom('mail_outbox')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** False when another process has taken it, or it is gone. */
export async function postpone(
  trx: Writer,
  { id, due_at, attempts }: Pick<MailRow, 'id' | 'due_at' | 'attempts'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('mail_outbox')
    .set({ due_at: until, attempts })
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteMail(trx: Writer, id: string): Promise<void> {
  await trx.deleteFrom('mail_outbox').where('id', '=', id).execute();
}
