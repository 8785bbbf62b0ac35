import type { Command, PgStatement } from '#store';

/** By which a journey is found again in other processes and after a crash. */
interface KeptTrace {
  readonly accountId: string;
  readonly messageId: string;
  readonly traceparent: string;
  readonly at: number;
}

export const keepTrace: Command<KeptTrace, null> = {
  name: 'tracing.keep',
  sqlite(db) {
    const insert = db.prepare(
      `INSERT INTO message_traces (account_id, message_id, traceparent, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (message_id) DO NOTHING`,
    );
    return (items) =>
      items.map(({ accountId, messageId, traceparent, at }) => {
        insert.run(accountId, messageId, traceparent, at);
        return null;
      });
  },
  async postgres(client, items) {
    await client.query(insertTraces, [
      items.map(({ accountId }) => accountId),
      items.map(({ messageId }) => messageId),
      items.map(({ traceparent }) => traceparent),
      items.map(({ at }) => at),
    ]);
    return items.map(() => null);
  },
};

const insertTraces: PgStatement = {
  name: 'tracing.keep',
  text: `INSERT INTO message_traces (account_id, message_id, traceparent, at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
         ON CONFLICT (message_id) DO NOTHING`,
};

export const commands = [keepTrace];
