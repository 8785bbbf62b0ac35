import type { Command, PgStatement, SqliteSession } from '#platform/store';
import { writeInbound } from './counting/inbound.ts';
import { noteInPostgres } from './counting/postgres.ts';
import { openSqliteHealth } from './counting/sqlite.ts';
import type { HealthNote } from './state/health-notes.ts';

/** Runs inside the transactions of other rooms. The caller announces the account's events after the commit. */
export type { Count } from './counting/counts.ts';
export { beginInPostgres, countInPostgres, type NewChatsOf, noteInPostgres } from './counting/postgres.ts';
export { noteSettled, type Settled } from './counting/settled.ts';
export { type ContactHistory, openSqliteHealth, type SqliteHealth } from './counting/sqlite.ts';
export {
  type Hold,
  holdOf,
  isPersonal,
  type NewChatsInHour,
  type PacedRow,
  withNewChat,
} from './pacing/pacing.ts';
export type { HealthNote } from './state/health-notes.ts';
export { unknownHealth } from './state/number-health.ts';

/** A note of a host counts while its fence is current; other notes always count. */
export interface FencedNote extends HealthNote {
  readonly fence: number | null;
}

/** Returns whether there are events to announce. */
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
    const written = await noteInPostgres(client, items.filter(isOurs));
    return items.map((item) => written && isOurs(item));
  },
};

/** No session changes its host until the batch is over. */
const holdHosts: PgStatement = {
  name: 'health.hold_hosts',
  text: 'SELECT slot_id, fence FROM sessions WHERE slot_id = ANY($1::text[]) ORDER BY slot_id FOR SHARE',
};

export const commands = [noteHealth, writeInbound];
