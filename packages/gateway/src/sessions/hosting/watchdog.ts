import type { Clock, Random } from '#kernel';
import { inBackground } from '#kernel';
import type { NetworkSession } from '#network';
import { probeTwice } from '#network';
import type { Log } from '../types.ts';

/**
 * Watches a connection that is open while nothing flows through it: after a minute of silence it probes twice, and
 * reconnects when no answer comes. One probe is not enough: after a machine stood still its timers fire before the
 * answer is read. Runs on the machine's clock, like the socket.
 */
export interface Watchdog {
  /** Something arrived. */
  sign(): void;
  /** Called every few seconds while the session is connected. */
  look(): void;
}

const SILENCE_MS = 60_000;
/** Spreads the probes of sessions that fell silent together. */
const SPREAD = 0.2;

export function createWatchdog({
  session,
  slotId,
  clock,
  random,
  log,
}: {
  session: Pick<NetworkSession, 'probe' | 'reconnect'>;
  slotId: string;
  clock: Pick<Clock, 'monotonic'>;
  random: Pick<Random, 'fraction'>;
  log: Log;
}): Watchdog {
  const afterSilence = () => clock.monotonic() + SILENCE_MS * (1 + SPREAD * random.fraction());
  let askAt = afterSilence();
  let asking = false;

  function sign(): void {
    askAt = afterSilence();
  }

  async function ask(): Promise<void> {
    asking = true;
    const askedAt = askAt;
    try {
      await probeTwice(session);
    } catch (error) {
      // Anything that arrived meanwhile counts as an answer.
      if (askAt !== askedAt) return;
      log.warn({ slotId, err: error }, 'a connection did not answer; reconnecting');
      session.reconnect();
    } finally {
      sign();
      asking = false;
    }
  }

  return {
    sign,
    look() {
      if (!asking && clock.monotonic() >= askAt)
        inBackground(ask(), log, 'a connection could not be reopened');
    },
  };
}
