import type { Command, PgStatement } from '#store';

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

export const logRequests: Command<readonly LoggedRequest[], null> = {
  name: 'request-log.write',
  sqlite(db) {
    const insert = db.prepare(
      `INSERT INTO api_requests (account_id, key_id, at, method, path, status, duration_ms, error, request_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    return (items) =>
      items.map((requests) => {
        for (const each of requests) {
          const { accountId, keyId, at, method, path, status, durationMs, error, requestId } = each;
          insert.run(accountId, keyId, at, method, path, status, durationMs, error, requestId);
        }
        return null;
      });
  },
  async postgres(client, items) {
    const all = items.flat();
    await client.query(insertRequests, [
      all.map(({ accountId }) => accountId),
      all.map(({ keyId }) => keyId),
      all.map(({ at }) => at),
      all.map(({ method }) => method),
      all.map(({ path }) => path),
      all.map(({ status }) => status),
      all.map(({ durationMs }) => durationMs),
      all.map(({ error }) => error),
      all.map(({ requestId }) => requestId),
    ]);
    return items.map(() => null);
  },
};

const insertRequests: PgStatement = {
  name: 'request-log.write',
  text: `INSERT INTO api_requests (account_id, key_id, at, method, path, status, duration_ms, error, request_id)
         SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::text[])`,
};

export const commands = [logRequests];
