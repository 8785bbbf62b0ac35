import type { Command, PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';

/** Continues a trace in other processes and after a crash. */
interface KeptTrace {
  readonly accountId: string;
  readonly messageId: string;
  readonly traceparent: string;
  readonly at: number;
}

const traces = defineBatch<KeptTrace>({
  accountId: 'text',
  messageId: 'text',
  traceparent: 'text',
  at: 'bigint',
});

export const keepTrace: Command<KeptTrace, null> = {
  name: 'tracing.keep',
  sqlite(db) {
    const insert = db.prepare(
      `INSERT INTO message_traces (${traces.columns}) VALUES (${traces.placeholders}) ON CONFLICT (message_id) DO NOTHING`,
    );
    return (items) =>
      items.map((item) => {
        insert.run(...traces.values(item));
        return null;
      });
  },
  async postgres(client, items) {
    await client.query(insertTraces, traces.arrays(items));
    return items.map(() => null);
  },
};

const insertTraces: PgStatement = {
  name: 'tracing.keep',
  text: `INSERT INTO message_traces (${traces.columns}) SELECT ${traces.columns} FROM ${traces.relation('d')}
         ON CONFLICT (message_id) DO NOTHING`,
};

export const commands = [keepTrace];
