import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSteppedClock, createSystemClock } from './clock.ts';

describe('a stepped clock', () => {
  it('stands still until it is moved, then moves wall and monotonic time alike', () => {
    const clock = createSteppedClock(1_000);
    expect(clock.now()).toBe(1_000);
    clock.advance(250);
    expect(clock.now()).toBe(1_250);
    expect(clock.monotonic()).toBe(250);
  });

  it('fires timers in the order of their due times, each at its own due time', () => {
    const clock = createSteppedClock(0);
    const seen: string[] = [];
    clock.after(30, () => seen.push(`late at ${clock.now()}`));
    clock.after(10, () => seen.push(`early at ${clock.now()}`));
    clock.after(10, () => seen.push(`early too at ${clock.now()}`));
    clock.advance(100);
    expect(seen).toEqual(['early at 10', 'early too at 10', 'late at 30']);
    expect(clock.now()).toBe(100);
  });

  it('fires timers that a timer sets on the way, in the same journey', () => {
    const clock = createSteppedClock(0);
    const seen: number[] = [];
    const tick = (): void => {
      seen.push(clock.now());
      clock.after(10, tick);
    };
    clock.after(10, tick);
    clock.advance(35);
    expect(seen).toEqual([10, 20, 30]);
  });

  it('does not fire cancelled timers, also among thousands', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.boolean()), { maxLength: 3_000 }), (plan) => {
        const clock = createSteppedClock(0);
        const fired: number[] = [];
        const timers = plan.map(([due, keep]) => ({ keep, timer: clock.after(due, () => fired.push(due)) }));
        for (const { keep, timer } of timers) if (!keep) timer.cancel();
        clock.advance(1_000);
        const expected = plan.flatMap(([due, keep]) => (keep ? [due] : [])).sort((a, b) => a - b);
        expect(fired).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('wakes a sleeper, or rejects it when it is aborted', async () => {
    const clock = createSteppedClock(0);
    const asleep = clock.sleep(1_000);
    clock.advance(1_000);
    await asleep;

    const abort = new AbortController();
    const disturbed = clock.sleep(1_000, abort.signal);
    abort.abort(new Error('get up'));
    await expect(disturbed).rejects.toThrow('get up');
    await expect(clock.sleep(1, abort.signal)).rejects.toThrow('get up');
  });
});

describe('the system clock', () => {
  it('fires a timer hours away at once when it is moved past it, and otherwise runs at the machine’s pace', async () => {
    const clock = createSystemClock();
    const farAway = clock.sleep(5 * 3_600_000);
    const soon = clock.sleep(5);
    const before = clock.now();
    await soon;
    clock.advance(6 * 3_600_000);
    await farAway;
    expect(clock.now() - before).toBeGreaterThanOrEqual(6 * 3_600_000);
  });

  it('returns whole milliseconds, also after it was moved', () => {
    const clock = createSystemClock();
    clock.after(1.5, () => {});
    clock.advance(1_000);
    clock.advance(0.25);
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  it('accepts delays that exceed the limit of a machine timer', () => {
    const clock = createSystemClock();
    let fired = false;
    clock.after(90 * 86_400_000, () => {
      fired = true;
    });
    clock.advance(89 * 86_400_000);
    expect(fired).toBe(false);
    clock.advance(86_400_001);
    expect(fired).toBe(true);
  });
});
