import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const GATEWAY = new URL('../../packages/gateway/src/', import.meta.url);
const SOURCES = globSync('**/*.ts', { cwd: GATEWAY }).filter(
  (path) => !/\.(?:test|fixture)\.ts$|\/testing\/|^store\/migrations\//.test(path),
);

/** By Kysely, or in SQL. */
const WRITES =
  /(?:insertInto|updateTable|deleteFrom|replaceInto)\(\s*'(\w+)'|\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) ([a-z]\w*)\b/g;

/** Tables that several rooms write, each for a reason; no table is added here. */
const SHARED: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>> = {
  deliveries: {
    rooms: ['event-log', 'webhooks'],
    because: 'an event and its deliveries are one commit; `event-log` knows no webhook, which works them off',
  },
  device_periods: {
    rooms: ['accounts', 'billing', 'messages'],
    because: 'a send is counted in the statement that accepts it; an invoice closes what it bills',
  },
  media: {
    rooms: ['history', 'media'],
    because: 'a file ends with the message that it is kept with, in one statement',
  },
  media_arrivals: { rooms: ['history', 'media'], because: 'as `media`' },
  media_pins: {
    rooms: ['media', 'messages'],
    because: 'a file is pinned in the statement that accepts its send',
  },
  seal_markers: {
    rooms: ['seal-marker-store.ts', 'store'],
    because: 'a database that another one moves into loses its own first',
  },
};

function writersOf(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  for (const path of SOURCES) {
    const [room = ''] = path.split('/');
    const text = readFileSync(new URL(path, GATEWAY), 'utf8');
    for (const [, byName, inSql] of text.matchAll(WRITES)) {
      const table = byName ?? inSql ?? '';
      writers.set(table, (writers.get(table) ?? new Set()).add(room));
    }
  }
  return writers;
}

describe('a table', () => {
  const writers = writersOf();

  it('is found with its writers', () => {
    expect(writers.size).toBeGreaterThan(60);
    expect([...(writers.get('outbox') ?? [])]).toEqual(['messages']);
    expect([...(writers.get('accounts') ?? [])]).toEqual(['accounts']);
  });

  it('is written by one room, but for those that are named here with their reason', () => {
    const several = [...writers].filter(([, rooms]) => rooms.size > 1);
    expect(Object.fromEntries(several.map(([table, rooms]) => [table, [...rooms].toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(SHARED).map(([table, { rooms }]) => [table, rooms])),
    );
  });
});
