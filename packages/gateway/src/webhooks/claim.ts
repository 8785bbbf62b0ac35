import type { EventCategory, EventKind } from '@parley/contract';
import type { Command, PgStatement } from '#store';

/** Asks for deliveries of one lane that are due. */
export interface Claim {
  readonly accountId: string;
  readonly url: string;
  readonly now: number;
  readonly claimedBy: string;
  /** From then on others may take them: whoever claimed them is taken for dead. */
  readonly until: number;
  readonly limit: number;
  /** True when no other process can be at work on this database: claims of others are then claims of the dead. */
  readonly alone: boolean;
}

export interface ClaimedDelivery {
  readonly seq: number;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly event_seq: number | null;
  readonly event_id: string;
  readonly kind: EventKind;
  readonly category: EventCategory;
  readonly url: string;
  readonly size: number;
  readonly due_at: number;
  readonly tries: number;
  readonly attempts: string;
  readonly event: string | null;
  readonly claimed_until: number;
}

const COLUMNS = [
  'seq',
  'account_id',
  'webhook_id',
  'event_seq',
  'event_id',
  'kind',
  'category',
  'url',
  'size',
  'due_at',
  'tries',
  'attempts',
  'event',
  'claimed_until',
];

/** Takes the oldest due deliveries of a lane into the hands of one process. */
export const claimDeliveries: Command<Claim, ClaimedDelivery[]> = {
  name: 'webhooks.claim',

  sqlite(db) {
    const due = db.prepare<{ seq: number }>(
      `SELECT seq FROM deliveries
       WHERE status = 'pending' AND account_id = ? AND url = ? AND due_at <= ?
         AND (claimed_until <= ? OR (? AND claimed_by <> ?))
       ORDER BY due_at, seq LIMIT ?`,
    );
    const take = db.prepare<ClaimedDelivery>(
      `UPDATE deliveries SET claimed_by = ?, claimed_until = ? WHERE seq = ? RETURNING ${COLUMNS.join(', ')}`,
    );
    const claim = ({ accountId, url, now, alone, claimedBy, limit, until }: Claim): ClaimedDelivery[] =>
      due
        .all(accountId, url, now, now, Number(alone), claimedBy, limit)
        .flatMap(({ seq }) => take.get(claimedBy, until, seq) ?? []);
    return (claims) => claims.map(claim);
  },

  async postgres(client, claims) {
    const { rows } = await client.query<ClaimedDelivery & { place: number }>(takeMany, [
      claims.map(({ accountId }) => accountId),
      claims.map(({ url }) => url),
      claims.map(({ now }) => now),
      claims.map(({ claimedBy }) => claimedBy),
      claims.map(({ until }) => until),
      claims.map(({ limit }) => limit),
    ]);
    const byPlace = Map.groupBy(rows, ({ place }) => place);
    return claims.map((_, index) =>
      (byPlace.get(index + 1) ?? []).sort((a, b) => a.due_at - b.due_at || a.seq - b.seq),
    );
  },
};

/** What another process is just claiming is skipped, not waited for. */
const takeMany: PgStatement = {
  name: 'webhooks.claim',
  text: `UPDATE deliveries d SET claimed_by = due.claimed_by, claimed_until = due.until
         FROM (
           SELECT c.place, c.claimed_by, c.until, w.seq
           FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
             WITH ORDINALITY AS c(account_id, url, now, claimed_by, until, most, place)
           CROSS JOIN LATERAL (
             SELECT seq FROM deliveries
             WHERE status = 'pending' AND account_id = c.account_id AND url = c.url
               AND due_at <= c.now AND claimed_until <= c.now
             ORDER BY due_at, seq LIMIT c.most FOR UPDATE SKIP LOCKED
           ) w
         ) due
         WHERE d.seq = due.seq
         RETURNING due.place, ${COLUMNS.map((column) => `d.${column}`).join(', ')}`,
};
