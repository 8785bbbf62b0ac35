import { type Database, isPassingFailure, openDatabase } from './persistence/database.ts';
import { type Chance, createChance } from './rules/chance.ts';
import type { Clock, Random } from './types.ts';

/** What every noun of the world stands on. */
export interface Ground {
  db: Database;
  clock: Clock;
  chance: Chance;
  /** Runs one action: a transaction, and what was put off until its caller has the answer. */
  act<T>(run: () => T): T;
  /**
   * Puts something off until the action is committed and its caller has gone on, once per key; forgotten when the action
   * fails. So an answer to a send always leaves before the receipts that the send brought about. Only inside an action.
   */
  afterCommit(key: string, run: () => void): void;
  /** Runs what nobody waits for, and again after a pause while the disk refuses: thrown from a timer, that would end the process. */
  eventually(run: () => void): void;
}

const TRY_AGAIN_MS = 1_000;

export interface GroundOptions {
  /** Path of the database file, or `:memory:`. */
  file: string;
  clock: Clock;
  random: Random;
}

export function createGround({ file, clock, random }: GroundOptions): Ground {
  const db = openDatabase(file);
  let putOff = new Map<string, () => void>();

  function eventually(run: () => void): void {
    if (!db.isOpen) return;
    try {
      run();
    } catch (error) {
      if (!isPassingFailure(error)) throw error;
      clock.after(TRY_AGAIN_MS, () => eventually(run));
    }
  }

  return {
    db,
    clock,
    chance: createChance(random),
    act(run) {
      if (db.inTransaction()) return db.transaction(run);
      const mine = new Map<string, () => void>();
      putOff = mine;
      const result = db.transaction(run);
      if (mine.size > 0) queueMicrotask(() => mine.forEach(eventually));
      return result;
    },
    afterCommit(key, run) {
      putOff.set(key, run);
    },
    eventually,
  };
}
