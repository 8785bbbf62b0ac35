import type { Reading } from '../../types.ts';

/** Opens the sealed bytes of some notes. */
export const openNotes: Reading<readonly number[], { id: number; opened: string }[]> = {
  name: 'conformance.open-notes',
  sqlite: (db, boxes) => {
    const find = db.prepare<readonly [id: number, bytes: Uint8Array]>(
      'select id, bytes from note where id = ?',
    );
    return (ids) =>
      ids.flatMap((wanted) => {
        const row = find.get(wanted);
        return row ? [{ id: row[0], opened: textIn(boxes.open(row[1], `note ${row[0]}`)) }] : [];
      });
  },
  postgres: async (client, ids, boxes) => {
    const statement = {
      name: 'conformance_open_notes',
      text: 'select id, bytes from note where id = any($1::bigint[]) order by id',
    };
    const { rows } = await client.look<{ id: number; bytes: Uint8Array }>(statement, [ids]);
    return rows.map(({ id, bytes }) => ({ id, opened: textIn(boxes.open(bytes, `note ${id}`)) }));
  },
};

/** Tries to write through a read-only connection. */
export const writeInReading: Reading<number, null> = {
  name: 'conformance.write-in-reading',
  sqlite: (db) => {
    const insert = db.prepare('insert into note (id) values (?) returning id');
    return (id) => {
      insert.all(id);
      return null;
    };
  },
  postgres: async (client, id) => {
    await client.look({ name: 'conformance_write_reading', text: 'insert into note (id) values ($1)' }, [id]);
    return null;
  },
};

function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

export const readings = [openNotes, writeInReading];
