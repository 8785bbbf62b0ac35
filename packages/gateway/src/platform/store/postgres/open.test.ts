import { describe, expect, it } from 'vitest';
import { type Clock, createSteppedClock } from '#kernel';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { createRetry } from './open.ts';

/** Fails in these ways, one after the other, then succeeds; each attempt takes `eachTakesMs`. */
function retried(failures: readonly StoreErrorCode[], eachTakesMs: number) {
  const stepped = createSteppedClock();
  const clock: Pick<Clock, 'sleep' | 'monotonic'> = {
    monotonic: () => stepped.monotonic(),
    sleep: async (ms) => stepped.advance(ms),
  };
  let attempts = 0;
  const work = async (): Promise<string> => {
    const code = failures[attempts];
    attempts += 1;
    stepped.advance(eachTakesMs);
    if (code) throw new StoreError(code, 'not this time');
    return 'done';
  };
  return { outcome: createRetry(clock)(work), attempts: () => attempts };
}

describe('work that failed', () => {
  it('against another transaction is repeated, however long its detection took', async () => {
    const { outcome, attempts } = retried(['conflict', 'conflict'], 3_000);
    expect(await outcome).toBe('done');
    expect(attempts()).toBe(3);
  });

  it('against others repeatedly is given up', async () => {
    const { outcome, attempts } = retried(Array(9).fill('conflict'), 1);
    await expect(outcome).rejects.toMatchObject({ code: 'conflict' });
    expect(attempts()).toBe(5);
  });

  it('because the server was briefly away, or had become a standby, is repeated', async () => {
    const { outcome } = retried(['unreachable', 'read_only'], 100);
    expect(await outcome).toBe('done');
  });

  it('because the server is away is given up when it has taken long', async () => {
    const { outcome, attempts } = retried(['unreachable'], 3_000);
    await expect(outcome).rejects.toMatchObject({ code: 'unreachable' });
    expect(attempts()).toBe(1);
  });

  it.each<StoreErrorCode>(['commit_unknown', 'statement_failed'])(
    'permanently (%s) is not repeated',
    async (code) => {
      const { outcome, attempts } = retried([code], 1);
      await expect(outcome).rejects.toMatchObject({ code });
      expect(attempts()).toBe(1);
    },
  );
});
