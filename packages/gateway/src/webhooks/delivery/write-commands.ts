import type { LaneName } from '#events';
import type { Command, DeliveryRow, Packing, PgStatement } from '#platform/store';
import { defineBatch } from '#platform/store/batch';

/** Outcome of an attempt: the delivery's new state, or its end. */
export type DeliveryResult = UpdatedDelivery | DroppedDelivery;

interface ResultOfDelivery {
  readonly seq: number;
  /** Number of tries when it was taken. The write changes nothing when another process has written one meanwhile. */
  readonly triesBefore: number;
}

export interface UpdatedDelivery extends ResultOfDelivery {
  readonly drop: false;
  /** Null: as it is, pending or on hold. */
  readonly status: Exclude<DeliveryRow['status'], 'pending'> | null;
  /** Null: as it is. */
  readonly url: string | null;
  readonly dueAt: number;
  readonly tries: number;
  readonly attempts: string;
  /** Null: as it is. */
  readonly event: string | null;
  /** Sealed; null: as they are. */
  readonly answers: Uint8Array | null;
}

interface DroppedDelivery extends ResultOfDelivery {
  readonly drop: true;
}

/** One behind the other, each as these values; those of a dropped one are null from the third on. */
type PackedResult = readonly [
  seq: number,
  triesBefore: number,
  dueAt: number | null,
  tries: number,
  attempts: string,
  status: UpdatedDelivery['status'],
  url: string | null,
  event: string | null,
  answers: string | null,
];
const VALUES_EACH = 9;

const packing = {
  pack: (results: readonly DeliveryResult[]) =>
    results.flatMap((result): (string | number | null)[] => {
      const { seq, triesBefore } = result;
      if (result.drop) return [seq, triesBefore, null, null, null, null, null, null, null];
      const { dueAt, tries, attempts, status, url, event, answers } = result;
      return [seq, triesBefore, dueAt, tries, attempts, status, url, event, asText(answers)];
    }),
  unpack(packed: readonly unknown[]): DeliveryResult[] {
    const results: DeliveryResult[] = [];
    for (let at = 0; at < packed.length; at += VALUES_EACH) {
      const values = packed.slice(at, at + VALUES_EACH) as unknown as PackedResult;
      const [seq, triesBefore, dueAt, tries, attempts, status, url, event, packedAnswers] = values;
      if (dueAt === null) {
        results.push({ seq, triesBefore, drop: true });
        continue;
      }
      const answers = packedAnswers === null ? null : Buffer.from(packedAnswers, 'latin1');
      results.push({ seq, triesBefore, drop: false, dueAt, tries, attempts, status, url, event, answers });
    }
    return results;
  },
} satisfies Packing<readonly DeliveryResult[]>;

function asText(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Writes the outcomes of many deliveries at a time. */
export const writeResults: Command<readonly DeliveryResult[], null> = {
  name: 'webhooks.write-results',
  packing,

  sqlite(db) {
    const update = db.prepare(
      `UPDATE deliveries
       SET status = coalesce(?, status), url = coalesce(?, url), due_at = ?, tries = ?, attempts = ?, event = coalesce(?, event),
           answers = coalesce(?, answers)
       WHERE seq = ? AND tries = ? AND status IN ('pending', 'paused')`,
    );
    const remove = db.prepare(
      `DELETE FROM deliveries WHERE seq = ? AND tries = ? AND status IN ('pending', 'paused')`,
    );
    const write = (result: DeliveryResult): void => {
      const { seq, triesBefore } = result;
      if (result.drop) remove.run(seq, triesBefore);
      else {
        const { status, url, dueAt, tries, attempts, event, answers } = result;
        update.run(status, url, dueAt, tries, attempts, event, answers, seq, triesBefore);
      }
    };
    return (items) =>
      items.map((results) => {
        results.forEach(write);
        return null;
      });
  },

  async postgres(client, items) {
    const results = items.flat();
    const updated = results.filter((each) => !each.drop);
    if (updated.length > 0) await client.query(updateDeliveries, updates.arrays(updated));
    const dropped = results.filter((each) => each.drop);
    if (dropped.length > 0) await client.query(removeDeliveries, drops.arrays(dropped));
    return items.map(() => null);
  },
};

const updates = defineBatch<UpdatedDelivery>({
  seq: 'bigint',
  triesBefore: 'bigint',
  status: 'text',
  url: 'text',
  dueAt: 'bigint',
  tries: 'bigint',
  attempts: 'text',
  event: 'text',
  answers: 'bytea',
});
const drops = defineBatch<ResultOfDelivery>({ seq: 'bigint', triesBefore: 'bigint' });

const updateDeliveries: PgStatement = {
  name: 'webhooks.write-results',
  text: `UPDATE deliveries d
         SET status = coalesce(s.status, d.status), url = coalesce(s.url, d.url), due_at = s.due_at, tries = s.tries,
             attempts = s.attempts, event = coalesce(s.event, d.event), answers = coalesce(s.answers, d.answers)
         FROM ${updates.relation('s')}
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')`,
};

const removeDeliveries: PgStatement = {
  name: 'webhooks.drop',
  text: `DELETE FROM deliveries d USING ${drops.relation('s')}
         WHERE d.seq = s.seq AND d.tries = s.tries_before AND d.status IN ('pending', 'paused')`,
};

/** Asks for a lane, or for more time with it. */
interface LaneClaim extends LaneName {
  readonly claimedBy: string;
  readonly now: number;
  /** End of the lease, after which another process may take the lane. */
  readonly until: number;
}

interface LaneLease {
  readonly mine: boolean;
  readonly until: number;
  /** Since when its receiver does nothing but fail, as it was written down; null: it was not. */
  readonly failingSince: number | null;
}

interface LaneRow {
  readonly account_id: string;
  readonly url: string;
  readonly claimed_by: string;
  readonly claimed_until: number;
  readonly failing_since: number | null;
}

/**
 * A lane belongs to one process at a time, so that its concurrency, its order and its breaker hold for all processes together, and so that
 * a delivery in hand needs no mark of its own.
 */
export const claimLane: Command<LaneClaim, LaneLease> = {
  name: 'webhooks.claim-lane',

  sqlite(db) {
    const findFailing = db.prepare<Pick<LaneRow, 'failing_since'>>(
      'SELECT failing_since FROM failing_receivers WHERE account_id = ? AND url = ?',
    );
    const write = db.prepare(
      `INSERT INTO webhook_lanes (account_id, url, claimed_by, claimed_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (account_id, url) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until`,
    );
    // A data directory belongs to one process: a lane of another is a lane of the dead.
    const claim = ({ accountId, url, claimedBy, until }: LaneClaim): LaneLease => {
      write.run(accountId, url, claimedBy, until);
      return { mine: true, until, failingSince: findFailing.get(accountId, url)?.failing_since ?? null };
    };
    return (claims) => claims.map(claim);
  },

  async postgres(client, claims) {
    const values = claimed.arrays(claims);
    await client.query(insertLanes, values);
    await client.query(takeLanes, values);
    const { rows } = await client.query<LaneRow>(selectLanes, named.arrays(claims));
    const lanes = new Map(rows.map((row) => [`${row.account_id} ${row.url}`, row]));
    return claims.map(({ accountId, url, claimedBy, until }) => {
      const lane = lanes.get(`${accountId} ${url}`);
      const mine = lane?.claimed_by === claimedBy && lane.claimed_until === until;
      return { mine, until: lane?.claimed_until ?? until, failingSince: lane?.failing_since ?? null };
    });
  },
};

interface LaneRelease extends LaneName {
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
    await client.query(removeLanes, released.arrays(releases));
    return releases.map(() => null);
  },
};

const named = defineBatch<LaneName>({ accountId: 'text', url: 'text' });
const claimed = defineBatch<LaneClaim>({
  accountId: 'text',
  url: 'text',
  claimedBy: 'text',
  now: 'bigint',
  until: 'bigint',
});
const released = defineBatch<LaneRelease>({ accountId: 'text', url: 'text', claimedBy: 'text' });

/** Sorted like every other access to several lanes: two processes must not wait for each other. */
const insertLanes: PgStatement = {
  name: 'webhooks.claim-lane.insert',
  text: `INSERT INTO webhook_lanes (account_id, url, claimed_by, claimed_until)
         SELECT account_id, url, claimed_by, 0 FROM ${claimed.relation('c')}
         ORDER BY account_id, url ON CONFLICT DO NOTHING`,
};
const takeLanes: PgStatement = {
  name: 'webhooks.claim-lane.take',
  text: `UPDATE webhook_lanes l SET claimed_by = free.claimed_by, claimed_until = free.until
         FROM (
           SELECT l.account_id, l.url, c.claimed_by, c.until
           FROM ${claimed.relation('c')}
           JOIN webhook_lanes l ON l.account_id = c.account_id AND l.url = c.url
           WHERE l.claimed_by = c.claimed_by OR l.claimed_until <= c.now
           ORDER BY l.account_id, l.url FOR UPDATE OF l SKIP LOCKED
         ) free
         WHERE l.account_id = free.account_id AND l.url = free.url`,
};
const selectLanes: PgStatement = {
  name: 'webhooks.claim-lane.read',
  text: `SELECT l.*, f.failing_since FROM webhook_lanes l
         JOIN ${named.relation('c')} ON l.account_id = c.account_id AND l.url = c.url
         LEFT JOIN failing_receivers f ON f.account_id = l.account_id AND f.url = l.url`,
};
const removeLanes: PgStatement = {
  name: 'webhooks.release-lane',
  text: `DELETE FROM webhook_lanes l USING ${released.relation('r')}
         WHERE l.account_id = r.account_id AND l.url = r.url AND l.claimed_by = r.claimed_by`,
};
