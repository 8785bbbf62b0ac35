import { describe, expect, it } from 'vitest';
import { roomOf, tableWriters } from './table-writers.ts';

/** Tables with several writing rooms and the reason; add no further one. */
const SHARED: Readonly<Record<string, { readonly rooms: readonly string[]; readonly because: string }>> = {
  deliveries: {
    rooms: ['events', 'webhooks'],
    because: 'an event and its deliveries are one commit; `events` knows no webhook, which works them off',
  },
  device_periods: {
    rooms: ['accounts', 'billing', 'messages'],
    because: 'a send is counted in the statement that accepts it; an invoice closes what it bills',
  },
  media: {
    rooms: ['conversations', 'media'],
    because: 'a file ends with the message that it is kept with, in one statement',
  },
  media_arrivals: { rooms: ['conversations', 'media'], because: 'as `media`' },
  media_pins: {
    rooms: ['media', 'messages'],
    because: 'a file is pinned in the statement that accepts its send',
  },
  seal_markers: {
    rooms: ['app', 'platform/store'],
    because: 'a database that another one moves into loses its own first',
  },
};

describe('a table', () => {
  const writers = new Map(
    [...tableWriters()].map(([table, files]) => [table, new Set([...files].map(roomOf))]),
  );

  it('is detected with its writers', () => {
    expect(writers.size).toBeGreaterThan(60);
    expect([...(writers.get('outbox') ?? [])]).toEqual(['messages']);
    expect([...(writers.get('accounts') ?? [])]).toEqual(['accounts']);
  });

  it('is written by one room, except for those named here with a reason', () => {
    const several = [...writers].filter(([, rooms]) => rooms.size > 1);
    expect(Object.fromEntries(several.map(([table, rooms]) => [table, [...rooms].toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(SHARED).map(([table, { rooms }]) => [table, rooms])),
    );
  });
});
