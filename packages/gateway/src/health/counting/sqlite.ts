import { writeEvents } from '#events/write-commands';
import type { KnownPersonRow, NumberHealthRow, SqliteSession, SqliteStatement } from '#platform/store';
import { applyNote, type HealthNote } from '../state/health-notes.ts';
import { COUNTS, type Count, numberHealthRows, sumUp } from './counts.ts';

/** History of a number with a person. Cached: nearly every message goes to the same people. */
export type ContactHistory = Pick<KnownPersonRow, 'written_at' | 'reached_at' | 'answered_at'>;

/** Health operations for the commands of several rooms, inside their transactions. */
export interface SqliteHealth {
  find(slotId: string): NumberHealthRow | undefined;
  save(row: NumberHealthRow): void;
  count(counts: readonly Count[]): void;
  /** Writes the effect of the notes and its events. Returns whether there are events. */
  note(notes: readonly HealthNote[]): boolean;
  person(slotId: string, person: string): ContactHistory | undefined;
  savePerson(slotId: string, person: string, acquaintance: ContactHistory): void;
  forgetPerson(slotId: string, person: string): void;
}

export function openSqliteHealth(db: SqliteSession): SqliteHealth {
  const rows = db.memory<NumberHealthRow>('health.numbers');
  const people = db.memory<ContactHistory | null>('health.people');
  const findRow = db.prepare<NumberHealthRow>('SELECT * FROM number_health WHERE slot_id = ?');
  const makeRow = db.prepare(
    `INSERT INTO number_health (${numberHealthRows.columns}) VALUES (${numberHealthRows.placeholders})`,
  );
  const updates = new Map<string, SqliteStatement<never>>();
  const add = new Map(
    COUNTS.map((name) => [
      name,
      db.prepare(
        `INSERT INTO health_counts (slot_id, starts_at, ${name}) VALUES (?, ?, ?)
         ON CONFLICT (slot_id, starts_at) DO UPDATE SET ${name} = ${name} + excluded.${name}`,
      ),
    ]),
  );
  const findPerson = db.prepare<ContactHistory>(
    'SELECT written_at, reached_at, answered_at FROM known_people WHERE slot_id = ? AND person = ?',
  );
  const writePerson = db.prepare(
    `INSERT INTO known_people (slot_id, person, written_at, reached_at, answered_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (slot_id, person) DO UPDATE SET
       written_at = excluded.written_at, reached_at = excluded.reached_at, answered_at = excluded.answered_at`,
  );
  const dropPerson = db.prepare('DELETE FROM known_people WHERE slot_id = ? AND person = ?');
  const findLink = db.prepare<{ created_at: number }>(
    'SELECT created_at FROM network_links WHERE link_id = ?',
  );
  const write = writeEvents.sqlite(db);

  function find(slotId: string): NumberHealthRow | undefined {
    const known = rows.get(slotId);
    if (known) return known;
    const row = findRow.get(slotId);
    // As a copy: SQLite's object is a dictionary, and every later read of it would be a search.
    if (row) rows.set(slotId, { ...row });
    return row;
  }

  function updateOf(columns: readonly string[]): SqliteStatement<never> {
    const assignments = columns.map((column) => `${column} = ?`).join(', ');
    const known = updates.get(assignments);
    if (known) return known;
    const made = db.prepare<never>(`UPDATE number_health SET ${assignments} WHERE slot_id = ?`);
    updates.set(assignments, made);
    return made;
  }

  /** Writes changed columns only: a new chat changes two, and writing all costs more than the message itself. */
  function save(row: NumberHealthRow): void {
    const before = find(row.slot_id);
    if (before) {
      const changed = numberHealthRows.fields.filter((column) => row[column] !== before[column]);
      if (changed.length === 0) return;
      updateOf(changed).run(...changed.map((column) => row[column]), row.slot_id);
    } else {
      makeRow.run(...numberHealthRows.values(row));
    }
    rows.set(row.slot_id, row);
  }

  function count(counts: readonly Count[]): void {
    for (const { slotId, startsAt, sums } of sumUp(counts))
      for (const [name, by] of sums) add.get(name)?.run(slotId, startsAt, by);
  }

  return {
    find,
    save,
    count,
    note(notes) {
      const published = notes.flatMap((note) => {
        const { row, isChanged, event } = applyNote(
          find(note.slotId),
          note,
          (linkId) => findLink.get(linkId)?.created_at,
        );
        if (isChanged) save(row);
        count((note.counts ?? []).map((name) => ({ slotId: note.slotId, at: note.at, name })));
        return event ?? [];
      });
      write(published);
      return published.length > 0;
    },
    person(slotId, person) {
      const key = `${slotId} ${person}`;
      const known = people.get(key);
      if (known !== undefined) return known ?? undefined;
      const found = findPerson.get(slotId, person);
      people.set(key, found ? { ...found } : null);
      return found;
    },
    savePerson(slotId, person, acquaintance) {
      const { written_at, reached_at, answered_at } = acquaintance;
      writePerson.run(slotId, person, written_at, reached_at, answered_at);
      people.set(`${slotId} ${person}`, acquaintance);
    },
    forgetPerson(slotId, person) {
      dropPerson.run(slotId, person);
      people.set(`${slotId} ${person}`, null);
    },
  };
}
