import type { Command, PgSession, SqliteSession } from '#platform/store';
import type { HistoryEntry } from './entry.ts';
import { writeInPostgres } from './writing/postgres.ts';
import { openSqliteWriter } from './writing/sqlite.ts';

export type { HistoryEntry } from './entry.ts';

/**
 * Writes history entries. Run it inside the hot command of the cause, so that the history has a message exactly when
 * its event is logged. A history that was switched off meanwhile takes none.
 */
export const writeHistory = {
  sqlite(db: SqliteSession): (entries: readonly HistoryEntry[]) => void {
    return openSqliteWriter(db);
  },
  async postgres(client: PgSession, entries: readonly HistoryEntry[]): Promise<void> {
    if (entries.length > 0) await writeInPostgres(client, entries);
  },
};

/** Writes entries that come without an event. */
export const keepEntries: Command<readonly HistoryEntry[], null> = {
  name: 'history.keep',
  sqlite(db) {
    const write = writeHistory.sqlite(db);
    return (items) =>
      items.map((entries) => {
        write(entries);
        return null;
      });
  },
  async postgres(client, items) {
    await writeHistory.postgres(client, items.flat());
    return items.map(() => null);
  },
};

export const commands = [keepEntries];
