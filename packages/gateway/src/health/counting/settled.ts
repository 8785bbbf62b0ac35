import { sortBy } from '#kernel';
import type { PgSession, PgStatement, SqliteSession } from '#platform/store';
import { defineBatch, queryBatch, sendBatch } from '#platform/store/batch';
import { isPersonal } from '../pacing/pacing.ts';
import type { HealthNote } from '../state/health-notes.ts';
import type { Count } from './counts.ts';
import { countInPostgres, noteInPostgres } from './postgres.ts';
import { openSqliteHealth } from './sqlite.ts';

/** A message that has left the outbox, with the fields that concern the number's health. */
export interface Settled {
  readonly accountId: string;
  readonly slotId: string;
  readonly sessionId: string;
  readonly to: string;
  readonly at: number;
  readonly isSent: boolean;
  /** The network's own code of its refusal. */
  readonly code: number | null;
}

/** New chats are not allowed, or none with this person. */
const REFUSED_AS_NEW_CHAT = 463;
/** The quota of new chats is used up. */
const CAPPED = 475;
const BADLY_ADDRESSED = 479;

/**
 * Counts outcomes of messages and the people that they reached. Runs inside the command that settles them, so that no
 * kill makes a count wrong.
 */
export const noteSettled = {
  sqlite(db: SqliteSession): (settled: readonly Settled[]) => void {
    const health = openSqliteHealth(db);
    return (settled) => {
      for (const each of settled) {
        const { slotId, to, at, isSent } = each;
        const acquaintance = isPersonal(to) ? health.person(slotId, to) : undefined;
        if (isSent && isPersonal(to) && (acquaintance?.reached_at ?? null) === null) {
          const { written_at = null, answered_at = null } = acquaintance ?? {};
          health.savePerson(slotId, to, { written_at, reached_at: at, answered_at });
        }
        const isKnown = (acquaintance?.reached_at ?? acquaintance?.answered_at ?? null) !== null;
        health.count(countsOf(each, isKnown));
        if (!isOfNewChats(each) || isKnown) continue;
        health.forgetPerson(slotId, to);
        health.note([refusalOf(each)]);
      }
    };
  },

  async postgres(client: PgSession, settled: readonly Settled[]): Promise<void> {
    const reached = settled.filter(({ isSent, to }) => isSent && isPersonal(to));
    sendBatch(client, STATEMENTS.reach, reachedRows, distinct(reached.map(reachedBy)));
    const refused = settled.filter(isOfNewChats);
    const known = await knownAmong(client, refused);
    const isKnown = (each: Settled): boolean => known.has(keyOf(reachedBy(each)));
    const asNew = refused.filter((each) => !isKnown(each));
    sendBatch(client, STATEMENTS.forget, chats, distinct(asNew.map(reachedBy)));
    await noteInPostgres(client, asNew.map(refusalOf));
    // After the number: the lock order of all writers.
    countInPostgres(
      client,
      settled.flatMap((each) => countsOf(each, isKnown(each))),
    );
  },
};

/** A person with whom a number has a chat. */
interface Reached {
  readonly slotId: string;
  readonly person: string;
  readonly at: number;
}

function reachedBy({ slotId, to, at }: Settled): Reached {
  return { slotId, person: to, at };
}

/** Records people with whom there is a chat now. */
export async function reachInPostgres(client: PgSession, people: readonly Reached[]): Promise<void> {
  await queryBatch(client, STATEMENTS.reach, reachedRows, distinct(people));
}

function isOfNewChats({ code }: Settled): boolean {
  return code === REFUSED_AS_NEW_CHAT || code === CAPPED;
}

function countsOf({ slotId, at, isSent, code }: Settled, isKnown: boolean): Count[] {
  if (isSent) return [{ slotId, at, name: 'sent' }];
  if (code === REFUSED_AS_NEW_CHAT)
    return [{ slotId, at, name: isKnown ? 'refused_463_known' : 'refused_463_unknown' }];
  return code === BADLY_ADDRESSED ? [{ slotId, at, name: 'refused_479' }] : [];
}

/** A person who was not reached is new again: the next message to them begins a new chat. */
function refusalOf({ accountId, slotId, sessionId, at, code }: Settled): HealthNote {
  const kind = code === CAPPED ? 'new_chats_capped' : 'new_chat_refused';
  return { accountId, slotId, sessionId, at, signals: [{ kind }] };
}

function keyOf({ slotId, person }: Reached): string {
  return `${slotId} ${person}`;
}

/** Each person once, in one order for all writers. */
function distinct(people: readonly Reached[]): Reached[] {
  const byKey = new Map(people.map((each) => [keyOf(each), each]));
  return sortBy(byKey.values(), keyOf);
}

async function knownAmong(client: PgSession, settled: readonly Settled[]): Promise<Set<string>> {
  const rows = await queryBatch<{ slot_id: string; person: string }, Reached>(
    client,
    STATEMENTS.known,
    chats,
    settled.map(reachedBy),
  );
  return new Set(rows.map(({ slot_id, person }) => `${slot_id} ${person}`));
}

const reachedRows = defineBatch<Reached>({ slotId: 'text', person: 'text', at: 'bigint' });
const chats = defineBatch<Reached>({ slotId: 'text', person: 'text' });

const STATEMENTS = {
  reach: {
    name: 'health.reach',
    text: `INSERT INTO known_people AS k (slot_id, person, reached_at)
           SELECT slot_id, person, at FROM ${reachedRows.relation('d')}
           ON CONFLICT (slot_id, person) DO UPDATE SET reached_at = excluded.reached_at WHERE k.reached_at IS NULL`,
  },
  known: {
    name: 'health.known',
    text: `SELECT k.slot_id, k.person FROM known_people k
           JOIN ${chats.relation('d')} ON k.slot_id = d.slot_id AND k.person = d.person
           WHERE k.reached_at IS NOT NULL OR k.answered_at IS NOT NULL`,
  },
  forget: {
    name: 'health.forget',
    text: `DELETE FROM known_people k USING ${chats.relation('d')}
           WHERE k.slot_id = d.slot_id AND k.person = d.person AND k.reached_at IS NULL AND k.answered_at IS NULL`,
  },
} as const satisfies Record<string, PgStatement>;
