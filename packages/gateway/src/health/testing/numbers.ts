import type { Store } from '#platform/store';
import { COUNTS } from '../counting/counts.ts';
import { unknownHealth } from '../state/number-health.ts';

export const MODULES = ['./commands.ts', '../write-commands.ts'].map(
  (path) => new URL(path, import.meta.url),
);
export const NOON = Date.UTC(2026, 6, 18, 12);
export const ADA = '15550002001@s.whatsapp.net';
export const BEN = '15550002002@s.whatsapp.net';
export const GROUP = '120363041234567890@g.us';

interface Person {
  readonly slot_id: string;
  readonly person: string;
  readonly written_at?: number;
  readonly reached_at?: number;
  readonly answered_at?: number;
}

let slots = 0;
/** A slot that no other test has. */
export const newSlot = (): string => `slot_${++slots}`;

/** Reads the tables of numbers. */
export function createNumbers(current: () => Store) {
  const all = async (slotId: string) => ({
    people: await current()
      .read.selectFrom('known_people')
      .select(['person', 'written_at', 'reached_at', 'answered_at'])
      .where('slot_id', '=', slotId)
      .orderBy('person')
      .execute(),
    health: await current()
      .read.selectFrom('number_health')
      .selectAll()
      .where('slot_id', '=', slotId)
      .executeTakeFirst(),
  });
  return {
    people: async (slotId: string) => (await all(slotId)).people,
    health: async (slotId: string) => (await all(slotId)).health,
    /** Counts without zeros. */
    async counts(slotId: string) {
      const rows = await current()
        .read.selectFrom('health_counts')
        .selectAll()
        .where('slot_id', '=', slotId)
        .orderBy('starts_at')
        .execute();
      return rows.map((row) =>
        Object.fromEntries(COUNTS.flatMap((name) => (row[name] === 0 ? [] : [[name, row[name]]]))),
      );
    },
    async states(slotId: string): Promise<string[]> {
      const rows = await current()
        .read.selectFrom('events')
        .select('body')
        .where('slot_id', '=', slotId)
        .orderBy('seq')
        .execute();
      return rows.map(({ body }) => JSON.parse(body).state);
    },
    async know(...people: readonly Person[]): Promise<void> {
      const nothing = { written_at: null, reached_at: null, answered_at: null };
      const rows = people.map((person) => ({ ...nothing, ...person }));
      await current().transaction((trx) => trx.insertInto('known_people').values(rows).execute());
    },
    async write(slotId: string, changes: Partial<ReturnType<typeof unknownHealth>> = {}): Promise<void> {
      const row = unknownHealth({ slotId, accountId: 'acc_1', sessionId: 'session' }, NOON);
      await current().transaction((trx) =>
        trx
          .insertInto('number_health')
          .values({ ...row, ...changes })
          .execute(),
      );
    },
  };
}
