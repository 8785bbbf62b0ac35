import type { SendRequest } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { createRepeats, createSendWatch, SPAM_RECIPIENTS } from './watch-sends.ts';

const HOUR = 3_600_000;

describe('the same text', () => {
  const offer = 'Our offer of the week: two for one.';

  it('to many people is detected once', () => {
    const repeats = createRepeats();
    const noticed = Array.from({ length: 2 * SPAM_RECIPIENTS }, (_, index) =>
      repeats.note('s', offer, `person ${index}`, 0),
    );
    expect(noticed.indexOf(true)).toBe(SPAM_RECIPIENTS - 1);
    expect(noticed.filter(Boolean)).toHaveLength(1);
  });

  it('does not count when it goes to the same few, is a greeting, of another number, or spread over days', () => {
    const repeats = createRepeats();
    const noticed = Array.from({ length: 3 * SPAM_RECIPIENTS }, (_, index) => [
      repeats.note('s', offer, `person ${index % 5}`, 0),
      repeats.note('s', 'Thank you!', `person ${index}`, 0),
      repeats.note(`s${index}`, offer, `person ${index}`, 0),
      repeats.note('t', `${offer} ${index}`, `person ${index}`, 0),
      repeats.note('u', offer, `person ${index}`, index * HOUR * 2),
    ]);
    expect(noticed.flat()).not.toContain(true);
  });

  it('counts each person once, and restarts after a day', () => {
    const repeats = createRepeats();
    const day = 24 * HOUR;
    for (let index = 1; index < SPAM_RECIPIENTS; index++) repeats.note('s', offer, `person ${index}`, 0);
    expect(repeats.note('s', offer, 'person 1', day - 1)).toBe(false);
    expect(repeats.note('s', offer, 'one more', day)).toBe(false);
    for (let index = 1; index < SPAM_RECIPIENTS - 1; index++)
      expect(repeats.note('s', offer, `person ${index}`, day)).toBe(false);
    expect(repeats.note('s', offer, 'the last', 2 * day - 1)).toBe(true);
  });

  it('is tracked while it is among the last twenty texts', () => {
    const noticed = (others: number): boolean => {
      const repeats = createRepeats();
      for (let index = 1; index < SPAM_RECIPIENTS; index++) repeats.note('s', offer, `person ${index}`, 0);
      for (let index = 0; index < others; index++) repeats.note('s', `${offer} ${index}`, 'person', 0);
      return repeats.note('s', offer, 'one more', 0);
    };
    expect(noticed(19)).toBe(true);
    expect(noticed(20)).toBe(false);
  });

  it('needs twenty characters', () => {
    const noticed = (text: string): boolean => {
      const repeats = createRepeats();
      const outcomes = Array.from({ length: SPAM_RECIPIENTS }, (_, index) =>
        repeats.note('s', text, `person ${index}`, 0),
      );
      return outcomes.includes(true);
    };
    expect(noticed('x'.repeat(20))).toBe(true);
    expect(noticed('x'.repeat(19))).toBe(false);
  });
});

it('an accepted text to many people is recorded once, and held sends are counted by reason', () => {
  const notes: unknown[] = [];
  const watch = createSendWatch({
    follower: { note: (subject, learned) => void notes.push([subject, learned]) },
    clock: { now: () => 0 },
  });
  const number = { accountId: 'a', slotId: 's', phone: '15550001001', plan: 'pro' } as const;
  const text = { kind: 'text', text: 'Our offer of the week: two for one.' } as const;
  const hold = { reason: 'new_chat_budget', until: 1 } as const;
  for (let index = 0; index < 2 * SPAM_RECIPIENTS; index++) {
    const send = { ...text, to: `person ${index}` } as SendRequest;
    watch.observe(number, 'x', send, { kind: 'replayed' });
    watch.observe(number, 'x', send, { kind: 'refused', code: 'c' });
    watch.observe(number, 'x', { ...send, kind: 'location' } as SendRequest, { kind: 'admitted' });
  }
  expect(notes).toEqual([]);
  for (let index = 0; index < 2 * SPAM_RECIPIENTS; index++)
    watch.observe(number, 'x', { ...text, to: `person ${index}` } as SendRequest, { kind: 'admitted' });
  expect(notes).toEqual([
    [{ number, sessionId: 'x', fence: null }, { signals: [{ kind: 'repeated_text' }] }],
  ]);
  for (let index = 0; index < 2; index++)
    watch.observe(number, 'x', text as SendRequest, { kind: 'refused', code: 'c', hold });
  expect([...watch.heldBack]).toEqual([['new_chat_budget', 2]]);
});
