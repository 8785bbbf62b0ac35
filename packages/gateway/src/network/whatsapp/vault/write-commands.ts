import type { Command, PgSession, PgStatement } from '#platform/store';
import { defineBatch, queryBatch, sendBatch } from '#platform/store/batch';

/** All changes of one step of a link, in one durable transaction. */
export interface Commit {
  readonly linkId: string;
  readonly fence: number;
  readonly at: number;
  readonly creds: Uint8Array | null;
  readonly puts: readonly SealedRecord[];
  readonly deletes: readonly RecordName[];
  readonly arrivals: readonly Arrival[];
  /** Digests of arrivals that the gateway has processed. */
  readonly taken: readonly string[];
}

export interface RecordName {
  readonly kind: string;
  readonly id: string;
}

export interface SealedRecord extends RecordName {
  readonly value: Uint8Array;
  readonly expiresAt: number | null;
}

export interface Arrival {
  readonly digest: string;
  readonly eventKey: string | null;
  readonly seq: number;
  readonly value: Uint8Array;
}

export interface Committed {
  /** False when another owner has a higher fence or the link is gone; nothing was written. */
  readonly accepted: boolean;
  /** For each arrival: true when neither its bytes nor its event were known. */
  readonly fresh: readonly boolean[];
}

const REFUSED: Committed = { accepted: false, fresh: [] };

export const commitLink: Command<Commit, Committed> = {
  name: 'network.commit',

  sqlite(db) {
    const fenceOf = db.prepare<{ fence: number }>('SELECT fence FROM network_links WHERE link_id = ?');
    const setCreds = db.prepare('UPDATE network_links SET creds = ? WHERE link_id = ?');
    const put = db.prepare(
      `INSERT INTO network_records (link_id, kind, id, value, expires_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (link_id, kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    );
    const drop = db.prepare('DELETE FROM network_records WHERE link_id = ? AND kind = ? AND id = ?');
    const arrive = db.prepare(
      `INSERT INTO network_journal (link_id, digest, event_key, seq, value, taken_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    const take = db.prepare(
      'UPDATE network_journal SET value = NULL, taken_at = ? WHERE link_id = ? AND digest = ?',
    );

    const write = (commit: Commit): Committed => {
      const { linkId, at } = commit;
      const link = fenceOf.get(linkId);
      if (!link || link.fence > commit.fence) return REFUSED;
      if (commit.creds) setCreds.run(commit.creds, linkId);
      for (const { kind, id } of commit.deletes) drop.run(linkId, kind, id);
      for (const { kind, id, value, expiresAt } of commit.puts) put.run(linkId, kind, id, value, expiresAt);
      const fresh = commit.arrivals.map(({ digest, eventKey, seq, value }) => {
        if (arrive.run(linkId, digest, eventKey, seq, value, null).changes === 1) return true;
        arrive.run(linkId, digest, null, seq, null, at);
        return false;
      });
      for (const digest of commit.taken) take.run(at, linkId, digest);
      return { accepted: true, fresh };
    };
    return (items) => items.map(write);
  },

  async postgres(client, items) {
    const fences = await lockLinks(client, items);
    const accepted = items.filter(
      ({ linkId, fence }) => (fences.get(linkId) ?? Number.POSITIVE_INFINITY) <= fence,
    );
    writeCreds(client, accepted);
    writeRecords(client, accepted);
    const fresh = await writeArrivals(client, accepted);
    writeTaken(client, accepted);
    return items.map((item) =>
      accepted.includes(item)
        ? { accepted: true, fresh: item.arrivals.map(({ digest }) => fresh.has(rowKey(item.linkId, digest))) }
        : REFUSED,
    );
  },
};

/** Locked in one order by everybody, so that two batches with the same links cannot wait for each other. */
const lock: PgStatement = {
  name: 'network.commit.lock',
  text: 'SELECT link_id, fence FROM network_links WHERE link_id = ANY($1::text[]) ORDER BY link_id FOR NO KEY UPDATE',
};

type OfLink<Row> = Row & { readonly linkId: string };
type JournalRow = OfLink<Omit<Arrival, 'value'>> & {
  readonly value: Uint8Array | null;
  readonly takenAt: number | null;
};

const credentials = defineBatch<OfLink<{ readonly creds: Uint8Array }>>({ linkId: 'text', creds: 'bytea' });
const dropped = defineBatch<OfLink<RecordName>>({ linkId: 'text', kind: 'text', id: 'text' });
const put = defineBatch<OfLink<SealedRecord>>({
  linkId: 'text',
  kind: 'text',
  id: 'text',
  value: 'bytea',
  expiresAt: 'bigint',
});
const journal = defineBatch<JournalRow>({
  linkId: 'text',
  digest: 'text',
  eventKey: 'text',
  seq: 'bigint',
  value: 'bytea',
  takenAt: 'bigint',
});
const taken = defineBatch<OfLink<{ readonly digest: string; readonly at: number }>>({
  linkId: 'text',
  digest: 'text',
  at: 'bigint',
});

const writeCredsRows: PgStatement = {
  name: 'network.commit.creds',
  text: `UPDATE network_links l SET creds = d.creds FROM ${credentials.relation('d')} WHERE l.link_id = d.link_id`,
};
const dropRecords: PgStatement = {
  name: 'network.commit.drop',
  text: `DELETE FROM network_records r USING ${dropped.relation('d')}
         WHERE r.link_id = d.link_id AND r.kind = d.kind AND r.id = d.id`,
};
const putRecords: PgStatement = {
  name: 'network.commit.put',
  text: `INSERT INTO network_records (${put.columns}) SELECT ${put.columns} FROM ${put.relation('d')}
         ON CONFLICT (link_id, kind, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
};
const insertArrivals: PgStatement = {
  name: 'network.commit.arrive',
  text: `INSERT INTO network_journal (${journal.columns}) SELECT ${journal.columns} FROM ${journal.relation('d')}
         ON CONFLICT DO NOTHING RETURNING link_id, digest`,
};
const takeArrivals: PgStatement = {
  name: 'network.commit.take',
  text: `UPDATE network_journal j SET value = NULL, taken_at = d.at FROM ${taken.relation('d')}
         WHERE j.link_id = d.link_id AND j.digest = d.digest`,
};

async function lockLinks(client: PgSession, items: readonly Commit[]): Promise<Map<string, number>> {
  const ids = [...new Set(items.map(({ linkId }) => linkId))];
  const { rows } = await client.look<{ link_id: string; fence: number | string }>(lock, [ids]);
  return new Map(rows.map(({ link_id, fence }) => [link_id, Number(fence)]));
}

function writeCreds(client: PgSession, items: readonly Commit[]): void {
  const newest = new Map(items.flatMap(({ linkId, creds }) => (creds ? [[linkId, creds] as const] : [])));
  const rows = [...newest].map(([linkId, creds]) => ({ linkId, creds }));
  sendBatch(client, writeCredsRows, credentials, rows);
}

/** One statement must not touch a row twice, so of several writes to one record only the last is made. Drops go first. */
function writeRecords(client: PgSession, items: readonly Commit[]): void {
  const drops = new Map<string, RecordName & { linkId: string }>();
  const puts = new Map<string, SealedRecord & { linkId: string }>();
  for (const item of items) {
    const { linkId } = item;
    for (const { kind, id } of item.deletes) {
      const key = rowKey(linkId, kind, id);
      puts.delete(key);
      drops.set(key, { linkId, kind, id });
    }
    for (const record of item.puts) {
      puts.set(rowKey(linkId, record.kind, record.id), { linkId, ...record });
    }
  }
  sendBatch(client, dropRecords, dropped, [...drops.values()]);
  sendBatch(client, putRecords, put, [...puts.values()]);
}

async function writeArrivals(client: PgSession, items: readonly Commit[]): Promise<Set<string>> {
  const all = items.flatMap(({ linkId, at, arrivals }) =>
    arrivals.map((arrival) => ({ linkId, at, takenAt: null, ...arrival })),
  );
  const rows = await queryBatch<{ link_id: string; digest: string }, JournalRow>(
    client,
    insertArrivals,
    journal,
    all,
  );
  const fresh = new Set(rows.map(({ link_id, digest }) => rowKey(link_id, digest)));
  const copies = all
    .filter(({ linkId, digest }) => !fresh.has(rowKey(linkId, digest)))
    .map((copy) => ({ ...copy, eventKey: null, value: null, takenAt: copy.at }));
  sendBatch(client, insertArrivals, journal, copies);
  return fresh;
}

function writeTaken(client: PgSession, items: readonly Commit[]): void {
  const all = items.flatMap(({ linkId, at, taken }) => taken.map((digest) => ({ linkId, at, digest })));
  sendBatch(client, takeArrivals, taken, all);
}

function rowKey(...parts: string[]): string {
  return parts.join('\n');
}

export const commands = [commitLink];
