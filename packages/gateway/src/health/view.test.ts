import { describe, expect, it } from 'vitest';
import type { HealthCountRow, NumberHealthRow } from '#platform/store';
import { healthView } from './health.ts';
import { unknownHealth } from './state/number-health.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 15, 12, 30);
const NOON = NOW - HOUR / 2;

const hour = (starts_at: number, counts: Partial<HealthCountRow>) =>
  ({ slot_id: 's', starts_at, ...counts }) as HealthCountRow;

function view(
  counts: readonly HealthCountRow[],
  changes: Partial<NumberHealthRow> = {},
  { newChats = '[]', from = NOW - 90 * DAY } = {},
) {
  const row = { ...unknownHealth({ slotId: 's', accountId: 'a', sessionId: 'x' }, NOW), ...changes };
  return healthView({ row, newChats, counts, from, defaults: { dailyNewChats: 0 }, now: NOW });
}

describe('the health resource of a number', () => {
  it('counts the last 24 whole hours and the one that runs', () => {
    const { last_day } = view([
      hour(NOON - DAY - HOUR, { sent: 1 }),
      hour(NOON - DAY, { sent: 2 }),
      hour(NOON, { sent: 4 }),
    ]);
    expect(last_day.sent).toBe(6);
  });

  it('has the share of replies to new chats, rounded, if there are any', () => {
    expect(view([hour(NOON, { new_chats: 3, replies: 2 })]).last_day.reply_rate).toBe(0.67);
    expect(view([hour(NOON, { new_chats: 1, replies: 1 })]).last_day.reply_rate).toBe(1);
    expect(view([hour(NOON, { replies: 2 })]).last_day).not.toHaveProperty('reply_rate');
  });

  it('advises to check the numbers when many people are written to and few reply', () => {
    const advice = (new_chats: number, replies: number) =>
      view([hour(NOON, { new_chats, replies })]).advice.map(({ code }) => code);
    expect(advice(20, 1)).toEqual(['check_numbers']);
    expect(advice(20, 2)).toEqual([]);
    expect(advice(19, 0)).toEqual([]);
  });

  it('adds the new chats of the last hours, and lists days with the newest first', () => {
    const newChats = JSON.stringify([[NOON / HOUR, 2]]);
    const counts = [
      hour(NOON - 2 * DAY, { sent: 1 }),
      hour(NOON - DAY, { sent: 2 }),
      hour(NOON, { sent: 3 }),
    ];
    const { days, last_day } = view(counts, {}, { newChats, from: NOON - DAY });
    expect(last_day.new_chats).toBe(2);
    expect(days.map(({ day, sent, new_chats }) => [day, sent, new_chats])).toEqual([
      ['2026-01-15', 3, 2],
      ['2026-01-14', 2, 0],
    ]);
  });

  it('has the last message and a hold, if there are any', () => {
    const plain = view([]);
    expect(plain).not.toHaveProperty('inbound_last_unix');
    expect(plain.pacing).not.toHaveProperty('held_reason');
    const lock = { lock_until: NOW + HOUR + 1, inbound_at: NOW + 999 };
    const held = view([], lock);
    expect(held.inbound_last_unix).toBe(NOW / 1_000);
    expect(held.pacing).toMatchObject({
      held_until_unix: (NOW + HOUR) / 1_000 + 1,
      held_reason: 'reachout_timelock',
    });
  });
});
