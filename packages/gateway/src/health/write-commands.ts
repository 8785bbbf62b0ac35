import type { Command, PgStatement, SqliteSession } from '#store';
import { tellEvents } from './counting/inbound.ts';
import { noteInPostgres } from './counting/postgres.ts';
import { openSqliteHealth } from './counting/sqlite.ts';
import type { HealthNote } from './standing/note.ts';

/**
 * Written inside the transactions of other rooms. Whoever uses these announces the account's events after the commit.
 */
export type { Count } from './counting/counts.ts';
export { countInPostgres, noteInPostgres } from './counting/postgres.ts';
export { noteSettled, type Settled } from './counting/settled.ts';
export { type Acquaintance, openSqliteHealth, type SqliteHealth } from './counting/sqlite.ts';
export { beginInPostgres, type NewChatsOf } from './pacing/new-chats.ts';
export { type Hold, holdOf, type NewChatsInHour, type PacedRow, withNewChat } from './pacing/pacing.ts';
export { isPersonal } from './pacing/people.ts';
export type { HealthNote } from './standing/note.ts';
export { unknownHealth } from './standing/standing.ts';

/** Notes of a host count while it is one; others always. */
export interface FencedNote extends HealthNote {
  readonly fence: number | null;
}

/** Answers whether there is something to announce. */
export const noteHealth: Command<FencedNote, boolean> = {
  name: 'health.note',
  sqlite(db: SqliteSession) {
    const { note } = openSqliteHealth(db);
    const isHost = db.prepare<{ fence: number }>(
      'SELECT fence FROM sessions WHERE slot_id = ? AND fence = ?',
    );
    return (items) =>
      items.map((item) => {
        if (item.fence !== null && !isHost.get(item.slotId, item.fence)) return false;
        return note([item]);
      });
  },
  async postgres(client, items) {
    const slotIds = items.map(({ slotId }) => slotId);
    const { rows } = await client.look<{ slot_id: string; fence: number }>(holdHosts, [slotIds]);
    const fences = new Map(rows.map(({ slot_id, fence }) => [slot_id, fence]));
    const isOurs = ({ slotId, fence }: FencedNote): boolean => fence === null || fences.get(slotId) === fence;
    const told = await noteInPostgres(client, items.filter(isOurs));
    return items.map((item) => told && isOurs(item));
  },
};

/** Until the batch is over no session changes hands. */
const holdHosts: PgStatement = {
  name: 'health.hold_hosts',
  text: 'SELECT slot_id, fence FROM sessions WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR SHARE',
};

export const commands = [noteHealth, tellEvents];
