import type { Command, PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';

export interface LoggedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly error: string | null;
  readonly requestId: string;
}

const logged = defineBatch<LoggedRequest>({
  accountId: 'text',
  keyId: 'text',
  at: 'bigint',
  method: 'text',
  path: 'text',
  status: 'bigint',
  durationMs: 'bigint',
  error: 'text',
  requestId: 'text',
});

export const logRequests: Command<readonly LoggedRequest[], null> = {
  name: 'request-log.write',
  sqlite(db) {
    const insert = db.prepare(`INSERT INTO api_requests (${logged.columns}) VALUES (${logged.placeholders})`);
    return (items) =>
      items.map((requests) => {
        for (const request of requests) insert.run(...logged.values(request));
        return null;
      });
  },
  async postgres(client, items) {
    await client.query(insertRequests, logged.arrays(items.flat()));
    return items.map(() => null);
  },
};

const insertRequests: PgStatement = {
  name: 'request-log.write',
  text: `INSERT INTO api_requests (${logged.columns}) SELECT ${logged.columns} FROM ${logged.relation('d')}`,
};

export const commands = [logRequests];
