import type { Command, PgSession } from '#platform/store';
import { beginInPostgres, type NewChatsOf } from '../counting/postgres.ts';
import { noteSettled, type Settled } from '../counting/settled.ts';

/** A transaction must begin with a query, which the rooms that use these parts have run before. */
async function ask(client: PgSession): Promise<void> {
  await client.query({ name: 'health.testing.ask', text: 'SELECT 1' }, []);
}

/** Parts of other rooms' commands, as commands of their own. */
export const settle: Command<Settled, null> = {
  name: 'health.testing.settle',
  sqlite(db) {
    const note = noteSettled.sqlite(db);
    return (items) => {
      note(items);
      return items.map(() => null);
    };
  },
  async postgres(client, items) {
    await ask(client);
    await noteSettled.postgres(client, items);
    return items.map(() => null);
  },
};

export const begin: Command<readonly NewChatsOf[], null> = {
  name: 'health.testing.begin',
  sqlite() {
    throw new TypeError('This command runs on PostgreSQL only.');
  },
  async postgres(client, items) {
    await ask(client);
    beginInPostgres(client, items.flat());
    return items.map(() => null);
  },
};

export const commands = [settle, begin];
