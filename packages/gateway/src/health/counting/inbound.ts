import { type LoggedEvent, type PreparedEvent, writeEvents } from '#event-log/write-commands';
import { type HistoryEntry, writeHistory } from '#history/write-commands';
import type { Command, PgSession, PgStatement } from '#store';
import { defineBatch } from '#store/batch';
import { unknownHealth } from '../standing/standing.ts';
import type { Count } from './counts.ts';
import { countInPostgres } from './postgres.ts';
import { reachInPostgres } from './settled.ts';
import { openSqliteHealth } from './sqlite.ts';

/** Somebody has written to a number, or it has written to somebody with its phone or another device. */
export interface Inbound {
  readonly accountId: string;
  readonly slotId: string;
  readonly sessionId: string;
  /** Every address under which they may be written to. */
  readonly people: readonly string[];
  readonly isOwn: boolean;
  readonly at: number;
}

/** What is told to the outside, and what it says about the number's health. */
export interface Telling {
  readonly events: readonly PreparedEvent[];
  readonly inbound: readonly Inbound[];
  /** What the number keeps of it, if it keeps its conversations. */
  readonly kept: readonly HistoryEntry[];
}

/** When somebody wrote last need not be known to the second, and a row is not written for every message. */
const NOTED_EVERY_MS = 60_000;

/**
 * Logs events as the event log would by itself, and in the same transaction counts the messages among them, notes who has answered and keeps what is to
 * be kept. Told again after a kill, it counts nothing twice: an event is new once, and somebody answers for the first time once.
 */
export const tellEvents: Command<Telling, null> = {
  name: 'health.tell',
  sqlite(db) {
    const health = openSqliteHealth(db);
    const write = writeEvents.sqlite(db);
    const keep = writeHistory.sqlite(db);
    /** Of the whole batch, so that a number that hears much is written to once. */
    let counts: Count[] = [];
    function note({ accountId, slotId, sessionId, people, at, isOwn }: Inbound): void {
      if (isOwn) {
        for (const person of people) reach(slotId, person, at);
        return;
      }
      let isReply = false;
      for (const person of people) {
        const known = health.person(slotId, person);
        if ((known?.answered_at ?? null) !== null) continue;
        const { written_at = null, reached_at = null } = known ?? {};
        health.savePerson(slotId, person, { written_at, reached_at, answered_at: at });
        isReply ||= written_at !== null;
      }
      if (isReply) counts.push({ slotId, at, name: 'replies' });
      const row = health.find(slotId) ?? unknownHealth({ slotId, accountId, sessionId }, at);
      if (row.inbound_at === null || at - row.inbound_at >= NOTED_EVERY_MS)
        health.save({ ...row, inbound_at: at });
    }
    function reach(slotId: string, person: string, at: number): void {
      const known = health.person(slotId, person);
      if ((known?.reached_at ?? null) !== null) return;
      const { written_at = null, answered_at = null } = known ?? {};
      health.savePerson(slotId, person, { written_at, reached_at: at, answered_at });
    }
    return (items) => {
      counts = [];
      for (const { events, inbound, kept } of items) {
        counts.push(...receivedAmong(write(events)));
        keep(kept);
        for (const each of inbound) note(each);
      }
      health.count(counts);
      return items.map(() => null);
    };
  },
  async postgres(client, items) {
    const logged = await writeEvents.postgres(
      client,
      items.flatMap(({ events }) => events),
    );
    const received = receivedAmong(logged);
    await writeHistory.postgres(
      client,
      items.flatMap(({ kept }) => kept),
    );
    const { own = [], inbound = [] } = Object.groupBy(
      items.flatMap((item) => item.inbound),
      ({ isOwn }) => (isOwn ? 'own' : 'inbound'),
    );
    await reachInPostgres(
      client,
      own.flatMap(({ slotId, people, at }) => people.map((person) => ({ slotId, person, at }))),
    );
    const replies = await repliesAmong(client, inbound);
    // People, then the number, then its counts: as everybody does who writes to several of them.
    hear(client, inbound);
    countInPostgres(client, [...replies, ...received]);
    return items.map(() => null);
  },
};

/** Of what is new, what others have written. */
function receivedAmong(logged: readonly LoggedEvent[]): Count[] {
  return logged
    .filter(({ kind, extension }) => kind === 'message' && extension === null)
    .map(({ slotId, at }) => ({ slotId, at, name: 'received' }));
}

/** Who of them answers for the first time. */
async function repliesAmong(client: PgSession, inbound: readonly Inbound[]): Promise<Count[]> {
  if (inbound.length === 0) return [];
  const people = new Map(
    inbound.flatMap((each) =>
      each.people.map((person) => [`${each.slotId} ${person}`, { ...each, person }] as const),
    ),
  );
  const written = [...people].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
  const { rows } = await client.query<{ slot_id: string; person: string; is_reply: boolean }>(
    STATEMENTS.answer,
    answers.arrays(written),
  );
  const answered = new Set(rows.flatMap((row) => (row.is_reply ? `${row.slot_id} ${row.person}` : [])));
  const replies = inbound.filter((each) =>
    // Once for somebody who has two addresses.
    each.people.map((person) => answered.delete(`${each.slotId} ${person}`)).includes(true),
  );
  return replies.map(({ slotId, at }) => ({ slotId, at, name: 'replies' }));
}

function hear(client: PgSession, inbound: readonly Inbound[]): void {
  const last = [...new Map(inbound.map((each) => [each.slotId, each])).values()].sort((one, other) =>
    one.slotId < other.slotId ? -1 : 1,
  );
  if (last.length > 0) client.send(STATEMENTS.heard, [NOTED_EVERY_MS, ...heard.arrays(last)]);
}

const answers = defineBatch<Inbound & { readonly person: string }>({
  slotId: 'text',
  person: 'text',
  at: 'bigint',
});
const heard = defineBatch<Inbound>({ slotId: 'text', at: 'bigint' });

const STATEMENTS = {
  answer: {
    name: 'health.answer',
    text: `INSERT INTO known_people AS k (slot_id, person, answered_at)
           SELECT slot_id, person, at FROM ${answers.relation('d')}
           ON CONFLICT (slot_id, person) DO UPDATE SET answered_at = excluded.answered_at WHERE k.answered_at IS NULL
           RETURNING slot_id, person, k.written_at IS NOT NULL AS is_reply`,
  },
  heard: {
    name: 'health.heard',
    text: `UPDATE number_health h SET inbound_at = d.at FROM ${heard.relation('d', 1)}
           WHERE h.slot_id = d.slot_id AND (h.inbound_at IS NULL OR d.at - h.inbound_at >= $1::bigint)`,
  },
} as const satisfies Record<string, PgStatement>;
