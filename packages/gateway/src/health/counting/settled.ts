import type { PgSession, PgStatement, SqliteSession } from '#store';
import { defineBatch } from '#store/batch';
import { isPersonal } from '../pacing/people.ts';
import type { HealthNote } from '../standing/note.ts';
import type { Count } from './counts.ts';
import { countInPostgres, noteInPostgres } from './postgres.ts';
import { openSqliteHealth } from './sqlite.ts';

/** A message that has come to its end, as far as it bears on the number's health. */
export interface Settled {
  readonly accountId: string;
  readonly slotId: string;
  readonly sessionId: string;
  readonly to: string;
  readonly at: number;
  readonly isSent: boolean;
  /** The network's own number of its refusal. */
  readonly code: number | null;
}

/** No new chat is allowed, or none with this person. */
const REFUSED_AS_NEW_CHAT = 463;
const BADLY_ADDRESSED = 479;

/** Counts how messages ended, and whom they reached. Runs inside the command that ends them, so that no kill makes a count wrong. */
export const noteSettled = {
  sqlite(db: SqliteSession): (settled: readonly Settled[]) => void {
    const health = openSqliteHealth(db);
    return (settled) => {
      for (const each of settled) {
        const { slotId, to, at, isSent, code } = each;
        const acquaintance = isPersonal(to) ? health.person(slotId, to) : undefined;
        if (isSent && isPersonal(to) && (acquaintance?.reached_at ?? null) === null) {
          const { written_at = null, answered_at = null } = acquaintance ?? {};
          health.savePerson(slotId, to, { written_at, reached_at: at, answered_at });
        }
        const isKnown = (acquaintance?.reached_at ?? acquaintance?.answered_at ?? null) !== null;
        health.count(countsOf(each, isKnown));
        if (code !== REFUSED_AS_NEW_CHAT || isKnown) continue;
        health.forgetPerson(slotId, to);
        health.note([refusalOf(each)]);
      }
    };
  },

  async postgres(client: PgSession, settled: readonly Settled[]): Promise<void> {
    const reached = settled.filter(({ isSent, to }) => isSent && isPersonal(to));
    if (reached.length > 0)
      client.send(STATEMENTS.reach, reachedRows.arrays(distinct(reached.map(reachedBy))));
    const refused = settled.filter(({ code }) => code === REFUSED_AS_NEW_CHAT);
    const known = refused.length > 0 ? await knownAmong(client, refused) : new Set<string>();
    const isKnown = (each: Settled): boolean => known.has(keyOf(reachedBy(each)));
    const asNew = distinct(refused.filter((each) => !isKnown(each)).map(reachedBy));
    if (asNew.length > 0) {
      client.send(STATEMENTS.forget, chats.arrays(asNew));
      await noteInPostgres(client, refused.filter((each) => !isKnown(each)).map(refusalOf));
    }
    // Behind the number, as everybody does who writes to both.
    countInPostgres(
      client,
      settled.flatMap((each) => countsOf(each, isKnown(each))),
    );
  },
};

/** A person to whom a number has a chat. */
interface Reached {
  readonly slotId: string;
  readonly person: string;
  readonly at: number;
}

function reachedBy({ slotId, to, at }: Settled): Reached {
  return { slotId, person: to, at };
}

/** Notes with whom there is a chat now. */
export async function reachInPostgres(client: PgSession, people: readonly Reached[]): Promise<void> {
  if (people.length > 0) await client.query(STATEMENTS.reach, reachedRows.arrays(distinct(people)));
}

function countsOf({ slotId, at, isSent, code }: Settled, isKnown: boolean): Count[] {
  if (isSent) return [{ slotId, at, name: 'sent' }];
  if (code === REFUSED_AS_NEW_CHAT)
    return [{ slotId, at, name: isKnown ? 'refused_463_known' : 'refused_463_unknown' }];
  return code === BADLY_ADDRESSED ? [{ slotId, at, name: 'refused_479' }] : [];
}

/** Whoever was not reached is new again: to write to them once more is to begin once more. */
function refusalOf({ accountId, slotId, sessionId, at }: Settled): HealthNote {
  return { accountId, slotId, sessionId, at, signals: [{ kind: 'new_chat_refused' }] };
}

function keyOf({ slotId, person }: Reached): string {
  return `${slotId} ${person}`;
}

/** Each person once, in one order for everybody. */
function distinct(people: readonly Reached[]): Reached[] {
  const byKey = new Map(people.map((each) => [keyOf(each), each]));
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

async function knownAmong(client: PgSession, settled: readonly Settled[]): Promise<Set<string>> {
  const { rows } = await client.query<{ slot_id: string; person: string }>(
    STATEMENTS.known,
    chats.arrays(settled.map(reachedBy)),
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
