import type { Writer } from '#store';

/** Who changed something: the operator, the account's owner in the portal, or the gateway itself. */
export type Actor = 'operator' | 'system' | `owner:${string}`;

export interface Change {
  readonly actor: Actor;
  /** Null: concerns every account. */
  readonly accountId: string | null;
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail?: object;
}

export type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'device.registered'
  | 'device.changed'
  | 'tos.published'
  | 'tos.accepted'
  | 'invoice.issued';

/**
 * Writes a change into the log, in the transaction that makes it (see `changeInTurn`). The log is also the feed by which every process
 * learns that what it remembers of an account is out of date (see `directory.ts`).
 */
export async function record(trx: Writer, at: number, change: Change): Promise<void> {
  const last = await trx
    .selectFrom('audit_log')
    .select((e) => e.fn.max('number').as('number'))
    .executeTakeFirst();
  await trx
    .insertInto('audit_log')
    .values({
      number: (last?.number ?? 0) + 1,
      at,
      actor: change.actor,
      account_id: change.accountId,
      action: change.action,
      subject: change.subject,
      detail: JSON.stringify(change.detail ?? {}),
    })
    .execute();
}
