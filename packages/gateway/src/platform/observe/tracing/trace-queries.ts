import type { Store } from '#platform/store';

export async function findTrace(
  { read }: Pick<Store, 'read'>,
  accountId: string,
  messageId: string,
): Promise<string | undefined> {
  const row = await read
    .selectFrom('message_traces')
    .select('traceparent')
    .where('message_id', '=', messageId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.traceparent;
}

/** Returns the number of dropped rows. */
export async function dropTraces(
  { transaction }: Pick<Store, 'transaction'>,
  before: number,
  limit: number,
): Promise<number> {
  return transaction(async (trx) => {
    const old = trx.selectFrom('message_traces').select('message_id').where('at', '<', before).limit(limit);
    const { numDeletedRows } = await trx
      .deleteFrom('message_traces')
      .where('message_id', 'in', old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
