import { expect, it } from 'vitest';
import type { NumberHealthRow } from '#store';
import { applyNote, type SignalNote } from './note.ts';

const NOW = Date.UTC(2026, 0, 15);
const HOUR = 3_600_000;

/** A number as it stands after all of this, and what was told of it. */
function after(...steps: readonly (readonly [signal: SignalNote, at?: number])[]) {
  let row: NumberHealthRow | undefined;
  const told = steps.flatMap(([signal, at = NOW]) => {
    const note = { accountId: 'a', slotId: 's', sessionId: '1:1@s.whatsapp.net', at, signals: [signal] };
    const noted = applyNote(row, note, () => NOW - HOUR);
    row = noted.row;
    return noted.event ? [JSON.parse(noted.event.body)] : [];
  });
  return { row, told, states: told.map(({ state }) => state) };
}

const connected: SignalNote = { kind: 'connected', linkId: 'link', sessionId: '1:1@s.whatsapp.net' };
const time: SignalNote = { kind: 'time' };

it('a number that does well is told of by nobody', () => {
  const { told, row } = after([connected], [time, NOW + HOUR]);
  expect(told).toEqual([]);
  expect(row).toMatchObject({ state: 'healthy', linked_at: NOW - HOUR, due_at: null, version: 0 });
});

it('a lock restricts it until its end, whatever the network calls it', () => {
  const lock = {
    kind: 'reachout_lock',
    active: true,
    type: 'RESTRICT_ALL_COMPANIONS',
    endsAt: NOW + HOUR,
  } as const;
  const { told, row } = after([connected], [lock], [lock], [time, NOW + HOUR - 1], [time, NOW + HOUR]);
  expect(told).toMatchObject([
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
  expect(told[1]).not.toHaveProperty('restriction');
  expect(row).toMatchObject({ version: 2, due_at: null });
});

it('a lock without an end is one for a minute, and one that is lifted is over', () => {
  const lock = { kind: 'reachout_lock', active: true } as const;
  expect(after([lock]).row).toMatchObject({ state: 'restricted', due_at: NOW + 60_000 });
  expect(after([lock], [{ kind: 'reachout_lock', active: false }]).states).toEqual(['restricted', 'healthy']);
});

it('a quota warns, caps, and is told when its word changes and not when it is used', () => {
  const cap = { kind: 'new_chat_cap', quota: 40, used: 10, cycleEndsAt: NOW + HOUR } as const;
  const { told } = after(
    [{ ...cap, warning: 'none' }],
    [{ ...cap, used: 30, warning: 'first' }],
    [{ ...cap, used: 31, warning: 'first' }],
    [{ ...cap, used: 38, warning: 'second' }],
    [{ ...cap, used: 40, warning: 'capped' }],
    [time, NOW + HOUR],
  );
  expect(told).toMatchObject([
    { state: 'watch', new_chats: { quota: 40, used: 30, warning: 'first' }, advice: ['slow_down_new_chats'] },
    { state: 'watch', new_chats: { warning: 'second' } },
    {
      state: 'restricted',
      restriction: { kind: 'new_chat_cap' },
      new_chats: { used: 40, warning: 'capped' },
    },
    { state: 'healthy' },
  ]);
  // What was said of a cycle that is over is not said any more.
  expect(told[3]).not.toHaveProperty('new_chats');
});

it('three new chats refused within an hour are a pattern; three within a day are not', () => {
  const refused: SignalNote = { kind: 'new_chat_refused' };
  expect(after([refused], [refused]).states).toEqual([]);
  expect(after([refused], [refused, NOW + HOUR / 2], [refused, NOW + HOUR + 1]).states).toEqual([]);
  const { row, told } = after([refused], [refused], [refused]);
  expect(row).toMatchObject({ state: 'watch', paused_until: NOW + HOUR });
  expect(told).toMatchObject([{ advice: ['ask_people_to_write_first'] }]);
});

it('a ban for a time ends by itself or with a connection; one for good needs another link', () => {
  const ban: SignalNote = { kind: 'refused', reason: 'temporarily_banned', until: NOW + HOUR, code: 102 };
  expect(after([connected], [ban]).told).toMatchObject([
    { state: 'banned', until_unix: (NOW + HOUR) / 1_000, restriction: { kind: 'temporary_ban', code: 102 } },
  ]);
  expect(after([ban], [connected]).states).toEqual(['banned', 'healthy']);
  expect(after([ban], [time, NOW + HOUR]).states).toEqual(['banned', 'healthy']);
  const ended = (cause: 'logged_out' | 'locked' | 'banned') => [{ kind: 'ended', cause } as const] as const;
  expect(after(ended('locked')).told).toMatchObject([
    { state: 'banned', restriction: { kind: 'locked' }, advice: ['appeal_on_phone'] },
  ]);
  expect(after(ended('logged_out'), [connected]).states).toEqual(['unlinked', 'healthy']);
  expect(after(ended('banned'), [{ ...connected, linkId: 'another' }]).row).toMatchObject({
    state: 'healthy',
    link_id: 'another',
  });
});

it('a client that is refused is not the number’s fault', () => {
  expect(after([{ kind: 'refused', reason: 'client_outdated', until: null }]).states).toEqual([]);
});

it('other signs of trouble pass', () => {
  for (const kind of ['deaf', 'rate_overlimit'] as const)
    expect(after([{ kind }], [time, NOW + HOUR]).states).toEqual(['watch', 'healthy']);
  expect(after([{ kind: 'repeated_text' }]).told).toMatchObject([{ state: 'watch', advice: ['vary_texts'] }]);
  const repeated: SignalNote = { kind: 'repeated_text' };
  expect(after([repeated], [time, NOW + 24 * HOUR - 1]).states).toEqual(['watch']);
  expect(after([repeated], [time, NOW + 24 * HOUR]).states).toEqual(['watch', 'healthy']);
});

it('a quota counts the chats begun since the network named it, until the network counts them', () => {
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
  // The same number again: the network counts no more of them.
  expect(begun({ used: 10 })).toBe(0);
  expect(begun({ used: 12, cycleEndsAt: NOW + 2 * HOUR })).toBe(0);
});

it('a state lasts since it began, whatever changes within it, and an end within a second is rounded up', () => {
  const lock = { kind: 'reachout_lock', active: true } as const;
  const { told, row } = after(
    [{ ...lock, endsAt: NOW + HOUR + 1 }],
    [{ ...lock, endsAt: NOW + 2 * HOUR }, NOW + 5_000],
  );
  expect(told).toMatchObject([
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

it('a number is looked at again at the first of the times that change it', () => {
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

it('an unlinked number is to be linked again, and a restricted one begins no chats', () => {
  const advice = (...signals: readonly SignalNote[]) =>
    after(...signals.map((each) => [each] as const)).told.at(-1)?.advice;
  expect(advice({ kind: 'ended', cause: 'logged_out' })).toEqual(['link_again']);
  expect(advice({ kind: 'ended', cause: 'banned' })).toEqual(['appeal_on_phone']);
  const ban: SignalNote = { kind: 'refused', reason: 'temporarily_banned', until: NOW + HOUR };
  expect(advice(ban)).toEqual(['wait_until']);
  const cap = { kind: 'new_chat_cap', quota: 40, used: 10, cycleEndsAt: NOW + HOUR } as const;
  expect(advice({ ...cap, warning: 'second' })).toEqual(['slow_down_new_chats']);
  expect(advice({ ...cap, warning: 'capped' })).toEqual(['stop_new_chats', 'wait_until']);
});

it('a note that changes nothing leaves the row as it is', () => {
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
