import type { DatabaseSync } from 'node:sqlite';
import type { BoxOpener } from '#kernel';
import { StoreError } from '../errors.ts';
import type { AnyReading, SqliteReadings, SqliteStatement } from '../types.ts';

type Answer = (input: never) => unknown;

/** Answers readings inside the reader thread. */
export function createReadings(
  db: DatabaseSync,
  readings: ReadonlyMap<string, AnyReading>,
  boxes: BoxOpener,
): (name: string, input: unknown) => unknown {
  const answers = new Map<string, Answer>();
  const session: SqliteReadings = {
    prepare<Row>(sql: string) {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      // The rows have the shape that the reading's author claims by its type.
      return statement as unknown as SqliteStatement<Row>;
    },
  };

  function answerOf(name: string): Answer {
    const known = answers.get(name);
    if (known) return known;
    const reading = readings.get(name);
    if (!reading) throw new StoreError('unknown_command', `No reading module has the reading ${name}.`);
    const answer = reading.sqlite(session, boxes);
    answers.set(name, answer);
    return answer;
  }

  // One look at the file for the whole reading: by itself every statement would take its locks and forget all pages that the last one read.
  const begin = db.prepare('BEGIN');
  const end = db.prepare('COMMIT');
  return (name, input) => {
    const answer = answerOf(name);
    begin.run();
    try {
      // The caller handed the input in together with this very reading.
      return answer(input as never);
    } finally {
      end.run();
    }
  };
}
