import { type HistoryEntry, writeHistory } from '#conversations/write-commands';
import type { EventLog, NewEvent } from '#events';
import { type LoggedEvent, type PreparedEvent, writeEvents } from '#events/write-commands';
import { type Clock, sortBy } from '#kernel';
import type { Command, PgSession, PgStatement, Store } from '#platform/store';
import { defineBatch, queryBatch, sendBatch } from '#platform/store/batch';
import { unknownHealth } from '../state/number-health.ts';
import type { Count } from './counts.ts';
import { countInPostgres } from './postgres.ts';
import { reachInPostgres } from './settled.ts';
import { openSqliteHealth } from './sqlite.ts';

/** A message to a number, or one that its owner sent with the phone or another device. */
export interface Inbound {
  readonly accountId: string;
  readonly slotId: string;
  readonly sessionId: string;
  /** All addresses of the other person. */
  readonly people: readonly string[];
  readonly isOwn: boolean;
  readonly at: number;
}

/** Events to publish, with their effect on the number's health. */
interface InboundWrite {
  readonly events: readonly PreparedEvent[];
  readonly inbound: readonly Inbound[];
  /** History entries, if the number keeps its conversations. */
  readonly kept: readonly HistoryEntry[];
}

/** The time of the last inbound message needs no exact second, so a row is not written for every message. */
const NOTED_EVERY_MS = 60_000;

/**
 * Logs events as the event log does, and in the same transaction counts the messages among them, records who has
 * answered and writes the history. A repetition after a kill counts nothing twice: an event is new once, and a person
 * answers for the first time once.
 */
export const writeInbound: Command<InboundWrite, null> = {
  name: 'health.inbound',
  sqlite(db) {
    const health = openSqliteHealth(db);
    const write = writeEvents.sqlite(db);
    const keep = writeHistory.sqlite(db);
    /** For the whole batch, so that a busy number is written once. */
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
    // People, then the number, then its counts: the lock order of all writers.
    recordIncoming(client, inbound);
    countInPostgres(client, [...replies, ...received]);
    return items.map(() => null);
  },
};

/** Messages by others among the new events. */
function receivedAmong(logged: readonly LoggedEvent[]): Count[] {
  return logged
    .filter(({ kind, extension }) => kind === 'message' && extension === null)
    .map(({ slotId, at }) => ({ slotId, at, name: 'received' }));
}

/** People who answer for the first time. */
async function repliesAmong(client: PgSession, inbound: readonly Inbound[]): Promise<Count[]> {
  const people = new Map(
    inbound.flatMap((each) =>
      each.people.map((person) => [`${each.slotId} ${person}`, { ...each, person }] as const),
    ),
  );
  const written = sortBy(people, ([key]) => key).map(([, each]) => each);
  const rows = await queryBatch<{ slot_id: string; person: string; is_reply: boolean }, Answer>(
    client,
    STATEMENTS.answer,
    answers,
    written,
  );
  const answered = new Set(rows.flatMap((row) => (row.is_reply ? `${row.slot_id} ${row.person}` : [])));
  const replies = inbound.filter((each) =>
    // Once for a person with two addresses.
    each.people.map((person) => answered.delete(`${each.slotId} ${person}`)).includes(true),
  );
  return replies.map(({ slotId, at }) => ({ slotId, at, name: 'replies' }));
}

function recordIncoming(client: PgSession, inbound: readonly Inbound[]): void {
  const bySlot = new Map(inbound.map((each) => [each.slotId, each]));
  const last = sortBy(bySlot.values(), ({ slotId }) => slotId);
  sendBatch(client, STATEMENTS.incoming, lastReceived, last, [NOTED_EVERY_MS]);
}

type Answer = Inbound & { readonly person: string };

const answers = defineBatch<Answer>({
  slotId: 'text',
  person: 'text',
  at: 'bigint',
});
const lastReceived = defineBatch<Inbound>({ slotId: 'text', at: 'bigint' });

const STATEMENTS = {
  answer: {
    name: 'health.answer',
    text: `INSERT INTO known_people AS k (slot_id, person, answered_at)
           SELECT slot_id, person, at FROM ${answers.relation('d')}
           ON CONFLICT (slot_id, person) DO UPDATE SET answered_at = excluded.answered_at WHERE k.answered_at IS NULL
           RETURNING slot_id, person, k.written_at IS NOT NULL AS is_reply`,
  },
  incoming: {
    name: 'health.received',
    text: `UPDATE number_health h SET inbound_at = d.at FROM ${lastReceived.relation('d', 1)}
           WHERE h.slot_id = d.slot_id AND (h.inbound_at IS NULL OR d.at - h.inbound_at >= $1::bigint)`,
  },
} as const satisfies Record<string, PgStatement>;

/** Publishes inbound events, together with their effect on the number's health. */
export interface InboundWriter {
  emit(
    events: readonly NewEvent[],
    inbound: readonly Omit<Inbound, 'at'>[],
    kept: readonly HistoryEntry[],
  ): Promise<void>;
}

export function createInboundWriter({
  store,
  events,
  clock,
}: {
  store: Pick<Store, 'run'>;
  events: Pick<EventLog, 'prepare' | 'announce'>;
  clock: Pick<Clock, 'now'>;
}): InboundWriter {
  return {
    async emit(news, inbound, kept) {
      if (news.length === 0 && inbound.length === 0 && kept.length === 0) return;
      const prepared = news.map(events.prepare);
      const at = clock.now();
      await store.run(writeInbound, {
        events: prepared,
        inbound: inbound.map((each) => ({ ...each, at })),
        kept,
      });
      events.announce(prepared);
    },
  };
}
