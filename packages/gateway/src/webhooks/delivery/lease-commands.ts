import type { LaneName } from '#event-log';
import type { Command, PgSession, PgStatement } from '#store';

/** Asks for a lane, or for more time with it. */
export interface LaneClaim extends LaneName {
  readonly claimedBy: string;
  readonly now: number;
  /** From then on others may take it: whoever holds it is taken for dead. */
  readonly until: number;
  /** True when no other process can be at work on this database: a lane of another is then a lane of the dead. */
  readonly alone: boolean;
}

export interface LaneLease {
  readonly mine: boolean;
  readonly until: number;
}

interface LaneRow {
  readonly account_id: string;
  readonly url: string;
  readonly claimed_by: string;
  readonly claimed_until: number;
}

/**
 * A lane belongs to one process at a time, so that its concurrency, its order and its breaker hold for all processes together, and so that
 * a delivery in hand needs no mark of its own.
 */
export const claimLane: Command<LaneClaim, LaneLease> = {
  name: 'webhooks.claim-lane',

  sqlite(db) {
    const find = db.prepare<LaneRow>('SELECT * FROM webhook_lanes WHERE account_id = ? AND url = ?');
    const write = db.prepare(
      `INSERT INTO webhook_lanes (account_id, url, claimed_by, claimed_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, url) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until`,
    );
    const claim = ({ accountId, url, claimedBy, now, until, alone }: LaneClaim): LaneLease => {
      const held = find.get(accountId, url);
      const isTaken = held && held.claimed_by !== claimedBy && held.claimed_until > now && !alone;
      if (isTaken) return { mine: false, until: held.claimed_until };
      write.run(accountId, url, claimedBy, until);
      return { mine: true, until };
    };
    return (claims) => claims.map(claim);
  },

  async postgres(client, claims) {
    const [accounts, urls] = [claims.map(({ accountId }) => accountId), claims.map(({ url }) => url)];
    const claimants = claims.map(({ claimedBy }) => claimedBy);
    await client.query(insertLanes, [accounts, urls, claimants]);
    await client.query(takeLanes, [
      accounts,
      urls,
      claimants,
      claims.map(({ now }) => now),
      claims.map(({ until }) => until),
    ]);
    const lanes = await readLanes(client, accounts, urls);
    return claims.map(({ accountId, url, claimedBy, until }) => {
      const lane = lanes.get(`${accountId} ${url}`);
      const mine = lane?.claimed_by === claimedBy && lane.claimed_until === until;
      return { mine, until: lane?.claimed_until ?? until };
    });
  },
};

export interface LaneRelease extends LaneName {
  readonly claimedBy: string;
}

export const releaseLane: Command<LaneRelease, null> = {
  name: 'webhooks.release-lane',
  sqlite(db) {
    const remove = db.prepare(
      'DELETE FROM webhook_lanes WHERE account_id = ? AND url = ? AND claimed_by = ?',
    );
    return (releases) =>
      releases.map(({ accountId, url, claimedBy }) => {
        remove.run(accountId, url, claimedBy);
        return null;
      });
  },
  async postgres(client, releases) {
    await client.query(removeLanes, [
      releases.map(({ accountId }) => accountId),
      releases.map(({ url }) => url),
      releases.map(({ claimedBy }) => claimedBy),
    ]);
    return releases.map(() => null);
  },
};

async function readLanes(
  client: PgSession,
  accounts: readonly string[],
  urls: readonly string[],
): Promise<Map<string, LaneRow>> {
  const { rows } = await client.query<LaneRow>(selectLanes, [accounts, urls]);
  return new Map(rows.map((row) => [`${row.account_id} ${row.url}`, row]));
}

/** Sorted like every other access to several lanes: two processes must not wait for each other. */
const insertLanes: PgStatement = {
  name: 'webhooks.claim-lane.insert',
  text: `INSERT INTO webhook_lanes (account_id, url, claimed_by, claimed_until)
         SELECT account_id, url, claimed_by, 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS c(account_id, url, claimed_by)
         ORDER BY account_id, url ON CONFLICT DO NOTHING`,
};
const takeLanes: PgStatement = {
  name: 'webhooks.claim-lane.take',
  text: `UPDATE webhook_lanes l SET claimed_by = free.claimed_by, claimed_until = free.until
         FROM (
           SELECT l.account_id, l.url, c.claimed_by, c.until
           FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS c(account_id, url, claimed_by, now, until)
           JOIN webhook_lanes l ON l.account_id = c.account_id AND l.url = c.url
           WHERE l.claimed_by = c.claimed_by OR l.claimed_until <= c.now
           ORDER BY l.account_id, l.url FOR UPDATE OF l SKIP LOCKED
         ) free
         WHERE l.account_id = free.account_id AND l.url = free.url`,
};
const selectLanes: PgStatement = {
  name: 'webhooks.claim-lane.read',
  text: `SELECT l.* FROM webhook_lanes l JOIN unnest($1::text[], $2::text[]) AS c(account_id, url)
         ON l.account_id = c.account_id AND l.url = c.url`,
};
const removeLanes: PgStatement = {
  name: 'webhooks.release-lane',
  text: `DELETE FROM webhook_lanes l USING unnest($1::text[], $2::text[], $3::text[]) AS r(account_id, url, claimed_by)
         WHERE l.account_id = r.account_id AND l.url = r.url AND l.claimed_by = r.claimed_by`,
};
