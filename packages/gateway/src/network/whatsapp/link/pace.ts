import { growingPause, HOUR_MS, type Random } from '#kernel';
import type { OfflinePeriod, Refusal } from '../../port.ts';
import type { Disconnect } from './disconnect.ts';

/** Pace of logins: never faster than the official web client. */

/** Between attempts to connect. */
export const RECONNECT_PAUSE = { firstMs: 1_000, longestMs: 60_000, jitter: 0.3 };
/** The web client waits up to two minutes when the network is at capacity. */
const UNAVAILABLE_PAUSE = { ...RECONNECT_PAUSE, longestMs: 120_000 };

/** Between logins for which a person is needed; one who asks for a login gets it sooner. */
const PASSKEY_PAUSE = { firstMs: 60_000, longestMs: HOUR_MS, jitter: 0.2 };
export const PASSKEY_ASKED_AGAIN_MS = 60_000;
/** As often as a person would retry in a day. */
const REFUSED_PAUSE = { firstMs: HOUR_MS, longestMs: 12 * HOUR_MS, jitter: 0.2 };
/** An unknown refusal may be temporary or permanent. */
const UNKNOWN_REFUSAL_PAUSE = { firstMs: 60_000, longestMs: 6 * HOUR_MS, jitter: 0.2 };
/** After the end of a ban; covers clock skew and spreads the numbers of a gateway. */
const AFTER_BAN_PAUSE = { firstMs: 30_000, longestMs: 30_000, jitter: 0.5 };

type Chance = Pick<Random, 'fraction'>;

export function pauseAfterLoss(reason: OfflinePeriod['reason'], failures: number, random: Chance): number {
  if (reason === 'passkey_required') return growingPause(PASSKEY_PAUSE, failures, random);
  const pause = reason === 'network_unavailable' ? UNAVAILABLE_PAUSE : RECONNECT_PAUSE;
  return growingPause(pause, failures, random);
}

/** `times` counts the refusals since the last accepted login, this one included. */
export function refusalOf(
  { reason, detail, forMs, code }: Extract<Disconnect, { kind: 'refused' }>,
  { now, times, random }: { now: number; times: number; random: Chance },
): Refusal {
  const common = { reason, detail, ...(code !== undefined && { code }) };
  if (forMs !== undefined) {
    const until = now + forMs;
    return { ...common, until, retryAt: until + growingPause(AFTER_BAN_PAUSE, 1, random) };
  }
  const pause = reason === 'login_refused' ? UNKNOWN_REFUSAL_PAUSE : REFUSED_PAUSE;
  return { ...common, retryAt: now + growingPause(pause, times, random) };
}
