import { expect, it } from 'vitest';
import type { NumberHealthRow } from '#platform/store';
import { applyNote, type SignalNote } from './health-notes.ts';

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;

/** A number after these signals, and its events. */
function after(...steps: readonly (readonly [signal: SignalNote, at?: number])[]) {
  let row: NumberHealthRow | undefined;
  const published = steps.flatMap(([signal, at = NOW]) => {
    const note = { accountId: 'a', slotId: 's', sessionId: '1:1@s.whatsapp.net', at, signals: [signal] };
    const noted = applyNote(row, note, () => NOW - HOUR);
    row = noted.row;
    return noted.event ? [JSON.parse(noted.event.body)] : [];
  });
  return { row, published, states: published.map(({ state }) => state) };
}

const connected: SignalNote = { kind: 'connected', linkId: 'link', sessionId: '1:1@s.whatsapp.net' };
const time: SignalNote = { kind: 'time' };

it('a healthy number causes no event', () => {
  const { published, row } = after([connected], [time, NOW + HOUR]);
  expect(published).toEqual([]);
  expect(row).toMatchObject({ state: 'healthy', linked_at: NOW - HOUR, due_at: null, version: 0 });
});

it('a lock restricts the number until its end, whatever its type', () => {
  const lock = {
    kind: 'reachout_lock',
    active: true,
    type: 'RESTRICT_ALL_COMPANIONS',
    endsAt: NOW + HOUR,
  } as const;
  const { published, row } = after([connected], [lock], [lock], [time, NOW + HOUR - 1], [time, NOW + HOUR]);
  expect(published).toMatchObject([
    {
      kind: 'health',
      session_id: '1:1@s.whatsapp.net',
      previous_state: 'healthy',
      state: 'restricted',
      since_unix: NOW / 1_000,
      until_unix: (NOW + HOUR) / 1_000,
      restriction: { kind: 'reachout_timelock', type: 'RESTRICT_ALL_COMPANIONS' },
      advice: ['stop_new_chats', 'wait_until'],
    },
    { previous_state: 'restricted', state: 'healthy', since_unix: (NOW + HOUR) / 1_000, advice: [] },
  ]);
  expect(published[1]).not.toHaveProperty('restriction');
  expect(row).toMatchObject({ version: 2, due_at: null });
});

it('a lock without an end lasts a minute, and a lifted one ends', () => {
  const lock = { kind: 'reachout_lock', active: true } as const;
  expect(after([lock]).row).toMatchObject({ state: 'restricted', due_at: NOW + 60_000 });
  expect(after([lock], [{ kind: 'reachout_lock', active: false }]).states).toEqual(['restricted', 'healthy']);
});

it('a quota warns and caps, with an event for a new status and none for its use', () => {
  const cap = { kind: 'new_chat_cap', quota: 40, used: 10, cycleEndsAt: NOW + HOUR } as const;
  const { published } = after(
    [{ ...cap, warning: 'none' }],
    [{ ...cap, used: 30, warning: 'first' }],
    [{ ...cap, used: 31, warning: 'first' }],
    [{ ...cap, used: 38, warning: 'second' }],
    [{ ...cap, used: 40, warning: 'capped' }],
    [time, NOW + HOUR],
  );
  expect(published).toMatchObject([
    { state: 'watch', new_chats: { quota: 40, used: 30, warning: 'first' }, advice: ['slow_down_new_chats'] },
    { state: 'watch', new_chats: { warning: 'second' } },
    {
      state: 'restricted',
      restriction: { kind: 'new_chat_cap' },
      new_chats: { used: 40, warning: 'capped' },
    },
    { state: 'healthy' },
  ]);
  // The event has nothing of a cycle that is over.
  expect(published[3]).not.toHaveProperty('new_chats');
});

it('three new chats refused within an hour are a pattern; three within a day are not', () => {
  const refused: SignalNote = { kind: 'new_chat_refused' };
  expect(after([refused], [refused]).states).toEqual([]);
  expect(after([refused], [refused, NOW + HOUR / 2], [refused, NOW + HOUR + 1]).states).toEqual([]);
  expect(after([refused], [refused], [refused, NOW + HOUR]).states).toEqual([]);
  expect(after([refused], [refused], [refused, NOW + HOUR - 1]).states).toEqual(['watch']);
  const { row, published } = after([refused], [refused], [refused]);
  expect(row).toMatchObject({ state: 'watch', paused_until: NOW + HOUR });
  expect(published).toMatchObject([{ advice: ['ask_people_to_write_first'] }]);
});

it('a temporary ban ends with time or with a connection; a permanent one needs another link', () => {
  const ban: SignalNote = { kind: 'refused', reason: 'temporarily_banned', until: NOW + HOUR, code: 102 };
  expect(after([connected], [ban]).published).toMatchObject([
    { state: 'banned', until_unix: (NOW + HOUR) / 1_000, restriction: { kind: 'temporary_ban', code: 102 } },
  ]);
  expect(after([ban], [connected]).states).toEqual(['banned', 'healthy']);
  expect(after([ban], [time, NOW + HOUR]).states).toEqual(['banned', 'healthy']);
  const ended = (cause: 'logged_out' | 'locked' | 'banned') => [{ kind: 'ended', cause } as const] as const;
  expect(after(ended('locked')).published).toMatchObject([
    { state: 'banned', restriction: { kind: 'locked' }, advice: ['appeal_on_phone'] },
  ]);
  expect(after(ended('logged_out'), [connected]).states).toEqual(['unlinked', 'healthy']);
  expect(after(ended('banned'), [{ ...connected, linkId: 'another' }]).row).toMatchObject({
    state: 'healthy',
    link_id: 'another',
  });
});

it('a refused client version does not count against the number', () => {
  expect(after([{ kind: 'refused', reason: 'client_outdated', until: null }]).states).toEqual([]);
});

it('other signals expire', () => {
  for (const kind of ['deaf', 'rate_overlimit'] as const)
    expect(after([{ kind }], [time, NOW + HOUR]).states).toEqual(['watch', 'healthy']);
  expect(after([{ kind: 'repeated_text' }]).published).toMatchObject([
    { state: 'watch', advice: ['vary_texts'] },
  ]);
  const repeated: SignalNote = { kind: 'repeated_text' };
  expect(after([repeated], [time, NOW + 24 * HOUR - 1]).states).toEqual(['watch']);
  expect(after([repeated], [time, NOW + 24 * HOUR]).states).toEqual(['watch', 'healthy']);
});

it('a quota counts the chats begun since the network announced it, until the network counts them', () => {
  const cap = {
    kind: 'new_chat_cap',
    quota: 40,
    used: 10,
    cycleEndsAt: NOW + HOUR,
    warning: 'first',
  } as const;
  const { row } = after([cap]);
  const begun = (signal: Partial<typeof cap | { used: number; cycleEndsAt: number }>) => {
    const note = { accountId: 'a', slotId: 's', sessionId: 'x', at: NOW, signals: [{ ...cap, ...signal }] };
    const before = row && { ...row, quota_spent: 5 };
    return applyNote(before, note, () => undefined).row.quota_spent;
  };
  expect(begun({ used: 12 })).toBe(3);
  expect(begun({ used: 17 })).toBe(0);
  // The same count again: the network counts no more of them.
  expect(begun({ used: 10 })).toBe(0);
  expect(begun({ used: 12, cycleEndsAt: NOW + 2 * HOUR })).toBe(0);
});

it('a state keeps its start when details change, and its end is rounded up to a second', () => {
  const lock = { kind: 'reachout_lock', active: true } as const;
  const { published, row } = after(
    [{ ...lock, endsAt: NOW + HOUR + 1 }],
    [{ ...lock, endsAt: NOW + 2 * HOUR }, NOW + 5_000],
  );
  expect(published).toMatchObject([
    { since_unix: NOW / 1_000, until_unix: (NOW + HOUR) / 1_000 + 1, timestamp_unix: NOW / 1_000 },
    {
      previous_state: 'restricted',
      since_unix: NOW / 1_000,
      until_unix: (NOW + 2 * HOUR) / 1_000,
      timestamp_unix: NOW / 1_000 + 5,
    },
  ]);
  expect(row).toMatchObject({ since: NOW, version: 2 });
});

it('a number is due at the first time that changes it', () => {
  const due = (...signals: readonly SignalNote[]) =>
    after(...signals.map((each) => [each] as const)).row?.due_at;
  const lock = { kind: 'reachout_lock', active: true, endsAt: NOW + 2 * HOUR } as const;
  expect(due(lock, { kind: 'deaf' })).toBe(NOW + HOUR);
  expect(due({ kind: 'deaf' }, { kind: 'repeated_text' })).toBe(NOW + HOUR);
  const cap = { kind: 'new_chat_cap', quota: 40, used: 10, cycleEndsAt: NOW + HOUR } as const;
  expect(due({ ...cap, warning: 'none' })).toBeNull();
  expect(due(lock, { ...cap, warning: 'second' })).toBe(NOW + HOUR);
  expect(due({ kind: 'refused', reason: 'temporarily_banned', until: NOW + 60_000 }, lock)).toBe(
    NOW + 60_000,
  );
});

it('the advice for an unlinked number is to link it again, for a restricted one to begin no chats', () => {
  const advice = (...signals: readonly SignalNote[]) =>
    after(...signals.map((each) => [each] as const)).published.at(-1)?.advice;
  expect(advice({ kind: 'ended', cause: 'logged_out' })).toEqual(['link_again']);
  expect(advice({ kind: 'ended', cause: 'banned' })).toEqual(['appeal_on_phone']);
  const ban: SignalNote = { kind: 'refused', reason: 'temporarily_banned', until: NOW + HOUR };
  expect(advice(ban)).toEqual(['wait_until']);
  const cap = { kind: 'new_chat_cap', quota: 40, used: 10, cycleEndsAt: NOW + HOUR } as const;
  expect(advice({ ...cap, warning: 'second' })).toEqual(['slow_down_new_chats']);
  expect(advice({ ...cap, warning: 'capped' })).toEqual(['stop_new_chats', 'wait_until']);
});

it('a note without a change keeps the row', () => {
  const lock = { kind: 'reachout_lock', active: true, endsAt: NOW + HOUR } as const;
  for (const signal of [lock, connected]) {
    const { row } = after([connected], [signal]);
    const note = {
      accountId: 'a',
      slotId: 's',
      sessionId: '1:1@s.whatsapp.net',
      at: NOW + 1,
      signals: [signal],
    };
    expect(applyNote(row, note, () => NOW - HOUR)).toEqual({ row, isChanged: false, event: undefined });
  }
});
