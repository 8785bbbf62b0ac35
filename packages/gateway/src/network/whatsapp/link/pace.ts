import { growingPause, type Random } from '#kernel';
import type { Absence, Refusal } from '../../port.ts';
import type { Disconnect } from './disconnect.ts';

/** How often the network is asked to let a number in: never oftener than by the web client in somebody's hands. */

/** Between attempts to connect. */
export const RECONNECT_PAUSE = { firstMs: 1_000, longestMs: 60_000, jitter: 0.3 };
/** The web client goes up to two minutes when the network has no place for it. */
const UNAVAILABLE_PAUSE = { ...RECONNECT_PAUSE, longestMs: 120_000 };

const HOUR = 3_600_000;
/** A person would try again some times a day. */
const REFUSED_PAUSE = { firstMs: HOUR, longestMs: 12 * HOUR, jitter: 0.2 };
/** A code that nobody knows may pass by itself, or never. */
const UNKNOWN_REFUSAL_PAUSE = { firstMs: 60_000, longestMs: 6 * HOUR, jitter: 0.2 };
/** After the end of a ban: clocks differ, and not all numbers of a gateway come in the same second. */
const AFTER_BAN_PAUSE = { firstMs: 30_000, longestMs: 30_000, jitter: 0.5 };

type Chance = Pick<Random, 'fraction'>;

export function pauseAfterLoss(reason: Absence['reason'], failures: number, random: Chance): number {
  const pause = reason === 'network_unavailable' ? UNAVAILABLE_PAUSE : RECONNECT_PAUSE;
  return growingPause(pause, failures, random);
}

/** `times` counts the refusals since the network has let the number in, this one included. */
export function refusalOf(
  { reason, detail, forMs, code }: Extract<Disconnect, { kind: 'refused' }>,
  { now, times, random }: { now: number; times: number; random: Chance },
): Refusal {
  const told = { reason, detail, ...(code !== undefined && { code }) };
  if (forMs !== undefined) {
    const until = now + forMs;
    return { ...told, until, retryAt: until + growingPause(AFTER_BAN_PAUSE, 1, random) };
  }
  const pause = reason === 'login_refused' ? UNKNOWN_REFUSAL_PAUSE : REFUSED_PAUSE;
  return { ...told, retryAt: now + growingPause(pause, times, random) };
}
