import { defineBatch } from '../../batch.ts';
import type { Command, PgSession, SqliteSession } from '../../types.ts';

/** Tables of the conformance suite: notes, each of which may refer to another one. */
export type Note = {
  id: number;
  text: string | null;
  bytes: Uint8Array | null;
  /** Another note's id, with a foreign key that is checked only at COMMIT. */
  about: number | null;
};

export function note(id: number, rest: Partial<Note> = {}): Note {
  return { id, text: null, bytes: null, about: null, ...rest };
}

const written = defineBatch<Note>({ id: 'bigint', text: 'text', bytes: 'bytea', about: 'bigint' });

function insertSqlite(db: SqliteSession): (items: Note[]) => void {
  const insert = db.prepare(`insert into note (${written.columns}) values (${written.placeholders})`);
  return (items) => {
    for (const item of items) insert.run(...written.values(item));
  };
}

async function insertPostgres(client: PgSession, items: Note[]): Promise<void> {
  await client.query(
    {
      name: 'conformance_insert_notes',
      text: `insert into note (${written.columns}) select ${written.columns} from ${written.relation('d')}`,
    },
    written.arrays(items),
  );
}

/** Writes notes; a duplicate or a dangling reference is an error of the database. */
export const writeNote: Command<Note, { id: number; place: number; together: number }> = {
  name: 'conformance.write-note',
  sqlite: (db) => {
    const insert = insertSqlite(db);
    return (items) => {
      insert(items);
      return items.map(({ id }, place) => ({ id, place, together: items.length }));
    };
  },
  postgres: async (client, items) => {
    await insertPostgres(client, items);
    return items.map(({ id }, place) => ({ id, place, together: items.length }));
  },
};

/** Writes notes, then throws when one of them says so. */
export const writeOrThrow: Command<Note, string> = {
  name: 'conformance.write-or-throw',
  sqlite: (db) => {
    const insert = insertSqlite(db);
    return (items) => {
      insert(items);
      return items.map(refuseSecrets);
    };
  },
  postgres: async (client, items) => {
    await insertPostgres(client, items);
    return items.map(refuseSecrets);
  },
};

function refuseSecrets({ text }: Note): string {
  if (text?.startsWith('secret')) throw new RangeError(`This note is ${text}.`);
  return `kept ${text}`;
}

/** Returns no answer for its last item. */
export const answerTooFew: Command<Note, number> = {
  name: 'conformance.answer-too-few',
  sqlite: (db) => {
    const insert = insertSqlite(db);
    return (items) => {
      insert(items);
      return items.slice(1).map(({ id }) => id);
    };
  },
  postgres: async (client, items) => {
    await insertPostgres(client, items);
    return items.slice(1).map(({ id }) => id);
  },
};

/** Returns a value that cannot leave the writer thread. */
export const answerUnsendable: Command<Note, () => void> = {
  name: 'conformance.answer-unsendable',
  sqlite: (db) => {
    const insert = insertSqlite(db);
    return (items) => {
      insert(items);
      return items.map(() => () => {});
    };
  },
  postgres: async (client, items) => {
    await insertPostgres(client, items);
    return items.map(() => () => {});
  },
};

/** Reads what other commands of the same transaction may have written. */
export const readNote: Command<number, Note | undefined> = {
  name: 'conformance.read-note',
  sqlite: (db) => {
    const find = db.prepare<Note>(`select ${written.columns} from note where id = ?`);
    return (ids) => ids.map((id) => find.get(id));
  },
  postgres: async (client, ids) => {
    const { rows } = await client.query<Note>(
      {
        name: 'conformance_find_notes',
        text: `select ${written.columns} from note where id = any($1::bigint[])`,
      },
      [ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id));
  },
};

/** Writes its notes, then ends its connection: the thread that holds it, or the server's end of it. */
export const dieMidway: Command<Note, never> = {
  name: 'conformance.die-midway',
  sqlite: (db) => {
    const insert = insertSqlite(db);
    return (items) => {
      insert(items);
      return process.exit(1);
    };
  },
  postgres: async (client, items) => {
    await insertPostgres(client, items);
    await client.query(
      { name: 'conformance_die', text: 'select pg_terminate_backend(pg_backend_pid())' },
      [],
    );
    return [];
  },
};

export const commands = [writeNote, writeOrThrow, answerTooFew, answerUnsendable, readNote, dieMidway];
