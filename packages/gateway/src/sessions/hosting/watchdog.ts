import type { Clock, Random } from '#kernel';
import { inBackground } from '#kernel';
import type { NetworkSession } from '#network';
import { probeTwice } from '#network';
import type { Log } from '../types.ts';

/**
 * Looks after a connection that says it is open while nothing flows through it: after a minute of silence it is asked for a sign of
 * life, twice, and made anew when none comes. Once would not do: a machine that stood still for a while hears its own alarm before it
 * hears the answer. Runs on the machine's clock, for a socket knows no other.
 */
export interface Watchdog {
  /** Something came through. */
  sign(): void;
  /** Called every few seconds while the session is connected. */
  look(): void;
}

const SILENCE_MS = 60_000;
/** Sessions that fell silent together are not asked together. */
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
      // Whatever came through meanwhile is a sign as good as an answer.
      if (askAt !== askedAt) return;
      log.warn({ slotId, err: error }, 'a connection gave no sign of life and is made anew');
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
        inBackground(ask(), log, 'a connection could not be made anew');
    },
  };
}
