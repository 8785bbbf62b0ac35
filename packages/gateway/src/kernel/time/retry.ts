import { SEND_RETRY_DELAYS_SECONDS, WEBHOOK_RETRY_DELAYS_SECONDS } from '@parley/contract/plain';
import type { Random } from '../random.ts';

/** Retry schedule. The first attempt is immediate; `delaysMs[n]` is the pause after attempt n + 1 failed. */
export interface RetrySchedule {
  readonly delaysMs: readonly number[];
  /** A fraction: 0.1 spreads each pause by ±10 %, so that clients that failed together do not return together. */
  readonly jitter: number;
}

/** Sends to the network: five attempts. */
export const SEND_RETRIES: RetrySchedule = inSeconds(SEND_RETRY_DELAYS_SECONDS);

/** Webhook deliveries: four attempts, then the dead letters. */
export const WEBHOOK_RETRIES: RetrySchedule = inSeconds(WEBHOOK_RETRY_DELAYS_SECONDS);

/** The pause after `failedAttempts` failures, or undefined after the last attempt. */
export function pauseBeforeRetry(
  schedule: RetrySchedule,
  failedAttempts: number,
  random: Pick<Random, 'fraction'>,
): number | undefined {
  const delay = schedule.delaysMs[failedAttempts - 1];
  return delay === undefined ? undefined : spread(delay, schedule.jitter, random);
}

/** Doubles from `firstMs` to `longestMs`, for unlimited retries such as a lost connection. */
export function growingPause(
  { firstMs, longestMs, jitter }: { firstMs: number; longestMs: number; jitter: number },
  failures: number,
  random: Pick<Random, 'fraction'>,
): number {
  const doubled = Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30), longestMs);
  return spread(doubled, jitter, random);
}

function spread(delayMs: number, jitter: number, random: Pick<Random, 'fraction'>): number {
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random.fraction()));
}

function inSeconds(delays: readonly number[]): RetrySchedule {
  return { delaysMs: delays.map((seconds) => seconds * 1_000), jitter: 0.1 };
}
