import { expect, it } from 'vitest';
import { createSeededRandom, type Random } from '#kernel';
import { judge, type NumberUse, rateNotice, UNUSED_ACCOUNT, UNUSED_NUMBER } from './limits.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

/**
 * A bucket of milliseconds: each send costs an interval, time refills it. In whole numbers, so that nothing is
 * rounded.
 */
function createBucket(intervalMs: number, burst: number) {
  const capacity = intervalMs * burst;
  let level = capacity;
  let at = START;
  return {
    hasOne(now: number): boolean {
      level = Math.min(capacity, level + now - at);
      at = now;
      return level >= intervalMs;
    },
    take: () => {
      level -= intervalMs;
    },
  };
}

/** A list of all sends since the number was quiet for a minute; a late one postpones all that follow. */
function createPlan(perMinute: number) {
  const intervalMs = MINUTE / perMinute;
  let run: number[] = [];
  return {
    hasOne(now: number): boolean {
      if (now - (run.at(-1) ?? 0) >= MINUTE) run = [];
      const [first = now] = run;
      if (now - first < MINUTE && run.length < perMinute) return true;
      return run.every((at, index) => now >= at + (run.length - index) * intervalMs);
    },
    take: (now: number) => {
      run.push(now);
    },
  };
}

/** The specification as a plain model: buckets, and a list of all sends. */
function createModel(sendsPerMinute: number, numbers: number) {
  const account = createBucket(50, 40);
  const each = Array.from({ length: numbers }, () => ({
    plan: createPlan(sendsPerMinute),
    session: createBucket(1_000, 5),
    run: [] as number[],
    pausedUntil: 0,
  }));

  return (index: number, now: number): 'admitted' | 'cooldown' | 'session' | 'account' => {
    const number = each[index];
    if (!number) throw new RangeError('no such number');
    const { plan, session } = number;
    const buckets = [plan, session, account];
    const [planHas, sessionHas, accountHas] = buckets.map((bucket) => bucket.hasOne(now));
    if (now < number.pausedUntil) return 'cooldown';
    if (!planHas || !sessionHas) return 'session';
    if (!accountHas) return 'account';
    for (const bucket of buckets) bucket.take(now);
    const last = number.run.at(-1);
    if (last !== undefined && now - last >= MINUTE) number.run = [];
    number.run.push(now);
    if (number.run.length === 100) {
      number.run = [];
      number.pausedUntil = now + 5 * MINUTE;
    }
    return 'admitted';
  };
}

const NAMES = {
  cooldown: 'cooldown',
  session_rate_exceeded: 'session',
  account_rate_exceeded: 'account',
} as const;

/** Plans whose interval is a whole number of milliseconds. */
const PACES = [10, 20, 30, 60, 600, 6_000];
/** From a hammering client to one that pauses. */
const GAPS = [1, 60, 400, 1_100, 2_500, 30_000];

/** Runs one client against both; returns all answers and the first mismatch. */
function play(random: Random): { reasons: Set<string>; mistake?: string } {
  const sendsPerMinute = PACES[random.below(PACES.length)] ?? 10;
  const gap = GAPS[random.below(GAPS.length)] ?? 1;
  const numbers = 1 + random.below(16);
  const model = createModel(sendsPerMinute, numbers);
  const uses = new Map<number, NumberUse>();
  let account = UNUSED_ACCOUNT;
  let now = START;
  const reasons = new Set<string>();
  for (let step = 0; step < 300; step++) {
    // Now and then a pause that resets runs, or ends a cooldown.
    now += random.below(60) === 0 ? random.below(400_000) : random.below(2 * gap);
    const index = random.below(numbers);
    const use = uses.get(index) ?? UNUSED_NUMBER;
    const verdict = judge(use, account, { sendsPerMinute }, now);
    const said = verdict.admitted ? 'admitted' : NAMES[verdict.code];
    const expected = model(index, now);
    if (said !== expected) return { reasons, mistake: `step ${step}: ${said} instead of ${expected}` };
    reasons.add(said);
    if (verdict.admitted) {
      uses.set(index, verdict.number);
      account = verdict.account;
    } else {
      const later = now + Math.ceil(verdict.retryAfterMs);
      if (!judge(use, account, { sendsPerMinute }, later).admitted) {
        return { reasons, mistake: `step ${step}: refused after the wait that ${said} asked for` };
      }
    }
    const { remaining } = rateNotice(uses.get(index) ?? UNUSED_NUMBER, account, { sendsPerMinute }, now);
    const oneMore = judge(uses.get(index) ?? UNUSED_NUMBER, account, { sendsPerMinute }, now).admitted;
    if (remaining > 0 !== oneMore) return { reasons, mistake: `step ${step}: ${remaining} left is not true` };
  }
  return { reasons };
}

it('all limits together agree with the plain model, whatever the plan, the pace and the number of numbers', () => {
  const reasons = new Set<string>();
  for (let seed = 1; seed <= 500; seed++) {
    const outcome = play(createSeededRandom(seed));
    expect(outcome.mistake, `seed ${seed}`).toBeUndefined();
    for (const each of outcome.reasons) reasons.add(each);
  }
  expect([...reasons].sort()).toEqual(['account', 'admitted', 'cooldown', 'session']);
});
