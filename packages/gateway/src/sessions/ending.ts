import type { Bus } from '#bus';
import type { Clock } from '#kernel';
import type { NetworkDriver } from '#network';
import type { Store } from '#store';
import type { Log } from './log.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { type EndingLink, linkHasEnded, takeEndingLinks } from './store.ts';

/**
 * Unlinks what nobody wants any more: links of deleted sessions that had no host, links that pairing has replaced, and whatever an
 * interrupted pairing left behind. Each is logged in once more to say goodbye, so that the phone does not go on showing a device that
 * is none; when the network cannot be reached in time, the link is forgotten here all the same.
 */
export interface LinkEnder {
  attend(): Promise<void>;
  /** Leaves to the next process what has not ended yet. */
  stop(): Promise<void>;
}

/** Says that there are links to end. */
export const ENDING_TOPIC = 'sessions.ending';

export interface EnderParts {
  readonly store: Store;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly driver: Pick<NetworkDriver, 'open'>;
  readonly machineClock: Clock;
  readonly log: Log;
}

const AT_ONCE = 4;
/** Longer than one can take; whoever dies over it is relieved after this. */
const TAKEN_MS = 60_000;
const LOGIN_PATIENCE_MS = 15_000;

export function createLinkEnder({ store, bus, driver, machineClock, log }: EnderParts): LinkEnder {
  const stopping = new AbortController();

  async function end({ linkId, fence }: EndingLink): Promise<void> {
    const arrived = Promise.withResolvers<void>();
    const session = driver.open({
      linkId,
      fence,
      onState({ kind }) {
        if (kind === 'connected' || kind === 'ended') arrived.resolve();
      },
      // Whoever ended the link does not want to hear of it any more.
      onEvents: async () => {},
    });
    const patience = machineClock.after(LOGIN_PATIENCE_MS, () => arrived.resolve());
    stopping.signal.addEventListener('abort', () => arrived.resolve(), { once: true });
    await arrived.promise;
    patience.cancel();
    if (stopping.signal.aborted) return session.close();
    await session.logOut();
    await linkHasEnded(store, linkId);
  }

  async function endAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const machineNow = machineClock.now();
      const until = machineNow + TAKEN_MS;
      const links = await takeEndingLinks(store, { machineNow, until, limit: AT_ONCE });
      if (links.length === 0) return;
      await Promise.all(links.map(end));
    }
  }

  const attend = oneAtATime(() =>
    endAll().catch((error: unknown) =>
      log.warn({ err: error }, 'could not unlink what nobody wants any more'),
    ),
  );

  const asked = bus.subscribe(ENDING_TOPIC, () => void attend());

  return {
    attend,
    stop() {
      asked.stop();
      stopping.abort();
      return attend();
    },
  };
}
