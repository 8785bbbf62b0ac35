import { describe, expect, it } from 'vitest';
import type { NumberHealthRow } from '#platform/store';
import { unknownHealth } from '../state/number-health.ts';
import {
  budgetOf,
  DEFAULT_PACING,
  describeHold,
  holdOf,
  networkWouldRefuseNewChat,
  newChatsByHour,
  withNewChat,
} from './pacing.ts';

const NOW = Date.UTC(2026, 0, 15, 10, 20);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNLIMITED = { dailyNewChats: 0 };

const rowWith = (changes: Partial<NumberHealthRow> = {}): NumberHealthRow => ({
  ...unknownHealth({ slotId: 's', accountId: 'a', sessionId: 'x' }, NOW - 100 * DAY),
  ...changes,
});
const holdAt = (row: NumberHealthRow, now: number) =>
  holdOf({ row, newChats: '[]', defaults: UNLIMITED, now });
const chosen = (pacing: object) => ({ pacing: JSON.stringify(pacing) });

describe('a new chat', () => {
  it('is allowed without a restriction', () => {
    expect(holdAt(rowWith(), NOW)).toBeUndefined();
    expect(networkWouldRefuseNewChat(rowWith(), NOW)).toBe(false);
  });

  it('is held while the network has locked new chats, unless the owner disables that', () => {
    const lock = { lock_until: NOW + HOUR };
    expect(holdAt(rowWith(lock), NOW)).toEqual({ reason: 'reachout_timelock', until: NOW + HOUR });
    expect(networkWouldRefuseNewChat(rowWith(lock), NOW)).toBe(true);
    expect(holdAt(rowWith(lock), NOW + HOUR)).toBeUndefined();
    expect(networkWouldRefuseNewChat(rowWith(lock), NOW + HOUR)).toBe(false);
    const daring = rowWith({ ...lock, ...chosen({ hold_new_chats: false }) });
    expect(holdAt(daring, NOW)).toBeUndefined();
    expect(networkWouldRefuseNewChat(daring, NOW)).toBe(false);
  });

  it('is held when the network’s quota is used up, by its count or by ours', () => {
    const quota = { quota: 10, quota_used: 6, quota_ends: NOW + 2 * HOUR, quota_warning: 'first' } as const;
    expect(holdAt(rowWith({ ...quota, quota_spent: 3 }), NOW)).toBeUndefined();
    const spent = rowWith({ ...quota, quota_spent: 4 });
    expect(holdAt(spent, NOW)).toEqual({ reason: 'new_chat_cap', until: NOW + 2 * HOUR });
    expect(holdAt({ ...spent, ...chosen({ respect_quota: false }) }, NOW)).toBeUndefined();
    const capped = rowWith({ ...quota, quota_warning: 'capped' });
    expect(holdAt(capped, NOW)).toEqual({ reason: 'new_chat_cap', until: NOW + 2 * HOUR });
    expect(networkWouldRefuseNewChat(capped, NOW)).toBe(true);
    expect(networkWouldRefuseNewChat(capped, NOW + 2 * HOUR)).toBe(false);
    expect(networkWouldRefuseNewChat({ ...capped, ...chosen({ hold_new_chats: false }) }, NOW)).toBe(false);
    expect(networkWouldRefuseNewChat({ ...spent, lock_until: NOW }, NOW)).toBe(false);
  });

  it('is held for a while after several refusals', () => {
    const row = rowWith({ paused_until: NOW + HOUR });
    expect(holdAt(row, NOW)).toEqual({ reason: 'refused_new_chats', until: NOW + HOUR });
    expect(networkWouldRefuseNewChat(row, NOW)).toBe(true);
    const daring = { ...row, ...chosen({ pause_after_refusals: false }) };
    expect(holdAt(daring, NOW)).toBeUndefined();
    expect(networkWouldRefuseNewChat(daring, NOW)).toBe(false);
    expect(holdAt(row, NOW + HOUR)).toBeUndefined();
    expect(networkWouldRefuseNewChat(row, NOW + HOUR)).toBe(false);
  });

  it('has the longest of several holds', () => {
    const row = rowWith({ lock_until: NOW + HOUR, paused_until: NOW + 2 * HOUR });
    expect(holdAt(row, NOW)?.reason).toBe('refused_new_chats');
  });

  it('is not counted twice while a first message is queued', () => {
    const row = rowWith(chosen({ daily_new_chats: 1 }));
    const first = { row, newChats: withNewChat('[]', NOW).text, defaults: UNLIMITED, now: NOW };
    expect(holdOf(first)?.reason).toBe('new_chat_budget');
    expect(holdOf({ ...first, isBegun: true })).toBeUndefined();
  });
});

describe('a quota of new chats', () => {
  const quota = { quota: 10, quota_used: 10, quota_warning: 'first' } as const;

  it('without an end holds for an hour', () => {
    const hold = { reason: 'new_chat_cap', until: NOW + HOUR };
    expect(holdAt(rowWith(quota), NOW)).toEqual(hold);
    expect(holdAt(rowWith({ ...quota, quota_ends: NOW + 2 * HOUR }), NOW)?.until).toBe(NOW + 2 * HOUR);
    expect(networkWouldRefuseNewChat(rowWith({ ...quota, quota_warning: 'capped' }), NOW)).toBe(true);
  });

  it('holds when a refusal has shown that it is used up, although the network never reported it', () => {
    const refused = { quota: null, quota_warning: 'capped', quota_ends: NOW + HOUR } as const;
    expect(holdAt(rowWith(refused), NOW)).toEqual({ reason: 'new_chat_cap', until: NOW + HOUR });
    expect(holdAt(rowWith(refused), NOW + HOUR)).toBeUndefined();
  });

  it('of zero is no limit, and a missing count is zero', () => {
    expect(holdAt(rowWith({ ...quota, quota: 0 }), NOW)).toBeUndefined();
    expect(holdAt(rowWith({ ...quota, quota: 1, quota_used: null }), NOW)).toBeUndefined();
    expect(holdAt(rowWith({ ...quota, quota: 1, quota_used: null, quota_spent: 1 }), NOW)).toBeDefined();
  });

  it('does not hold a message to a person whose first is queued, and the network’s cap does', () => {
    const sent = { newChats: '[]', defaults: UNLIMITED, now: NOW, isBegun: true };
    expect(holdOf({ ...sent, row: rowWith(quota) })).toBeUndefined();
    expect(holdOf({ ...sent, row: rowWith({ ...quota, quota_warning: 'capped' }) })?.reason).toBe(
      'new_chat_cap',
    );
  });
});

describe('the budget of new chats', () => {
  it('grows with the age of the link', () => {
    const pacing = { ...DEFAULT_PACING, daily_new_chats: 40, warm_up_days: 9 };
    const budgets = [0, 1, 8, 9, 500].map((days) => budgetOf(NOW - days * DAY, pacing, NOW));
    expect(budgets).toEqual([4, 8, 36, 40, 40]);
    expect(budgetOf(NOW, { ...pacing, warm_up_days: 0 }, NOW)).toBe(40);
    expect(budgetOf(NOW, { ...pacing, daily_new_chats: 1 }, NOW)).toBe(1);
    expect(budgetOf(NOW, DEFAULT_PACING, NOW)).toBeUndefined();
  });

  it('holds within every 24 hours, whenever they begin', () => {
    const defaults = { dailyNewChats: 5 };
    let newChats = '[]';
    let now = NOW;
    const begun: number[] = [];
    while (begun.length < 60) {
      const hold = holdOf({ row: rowWith(), newChats, defaults, now });
      if (hold) now = hold.until;
      else {
        begun.push(now);
        newChats = withNewChat(newChats, now).text;
        now += 7 * MINUTE;
      }
    }
    for (const [index, at] of begun.entries()) {
      const within = begun.filter((each) => each >= at && each < at + DAY).length;
      expect(within, `from the ${index}th on`).toBeLessThanOrEqual(5);
    }
    // A client that waits as announced does not wait much longer than necessary.
    expect((now - NOW) / DAY).toBeLessThan(13);
  });

  it('is available again when enough of the oldest hours have expired', () => {
    const hour = NOW / HOUR - 1 / 3;
    const newChats = JSON.stringify([
      [hour - 3, 1],
      [hour - 2, 1],
      [hour - 1, 1],
    ]);
    const until = (dailyNewChats: number) =>
      holdOf({ row: rowWith(), newChats, defaults: { dailyNewChats }, now: NOW })?.until;
    expect(until(3)).toBe((hour - 3 + 25) * HOUR);
    expect(until(2)).toBe((hour - 2 + 25) * HOUR);
    expect(until(1)).toBe((hour - 1 + 25) * HOUR);
    expect(until(4)).toBeUndefined();
  });

  it('keeps one day of hours, and returns older ones once', () => {
    let text = '[]';
    const handedOn = Array.from({ length: 100 }, (_, hour) => {
      const next = withNewChat(text, NOW + hour * HOUR);
      text = next.text;
      return next.past;
    }).flat();
    expect(newChatsByHour(text)).toHaveLength(25);
    const everyHour = Array.from({ length: 100 }, (_, hour) => ({
      at: NOW + hour * HOUR - 20 * MINUTE,
      by: 1,
    }));
    expect([...handedOn, ...newChatsByHour(text)]).toEqual(everyHour);
  });
});

it('describes reason and end of a hold', () => {
  expect(describeHold({ reason: 'new_chat_budget', until: Date.UTC(2026, 0, 1, 14, 0, 0, 1) })).toBe(
    'its budget of new chats is used up, until 2026-01-01T14:00:01Z',
  );
});
