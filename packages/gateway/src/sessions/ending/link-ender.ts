import type { Bus } from '#bus';
import { type Clock, coalesce, neverRejects, type Timer } from '#kernel';
import type { NetworkDriver } from '#network';
import type { Store } from '#store';
import { type EndingLink, leaveEndingLink, linkHasEnded, takeEndingLinks } from '../store.ts';
import type { Log } from '../types.ts';

/**
 * Unlinks what nobody wants any more: links of deleted sessions whose host could not do it, links that pairing has replaced, and
 * whatever an interrupted pairing left behind. Each is logged in once more to say goodbye, so that the phone does not go on showing a
 * device that is none.
 *
 *     (left to end) ──taken──▶ logging in ──the network was told, or knows no such device──▶ forgotten
 *           ▲                      │
 *           └── not reached: ──────┴──30 days after it was left──▶ forgotten
 *               a growing pause
 *
 * Until then its keys are kept under a name that no session has: whatever the number is linked to meanwhile, this link is none.
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
  readonly driver: Pick<NetworkDriver, 'open' | 'forget'>;
  /** The gateway's sense of time, in which it is told since when a link is to end. */
  readonly clock: Pick<Clock, 'now'>;
  readonly machineClock: Clock;
  readonly log: Log;
}

const AT_ONCE = 4;
/** Longer than one can take; whoever dies over it is relieved after this. */
const TAKEN_MS = 60_000;
const LOGIN_PATIENCE_MS = 15_000;
const PAUSE = { shortestMs: 2_000, longestMs: 5 * 60_000 };
/** The network drops by itself a device that did not log in for so long. */
const GIVE_UP_AFTER_MS = 30 * 24 * 60 * 60_000;

export function createLinkEnder(parts: EnderParts): LinkEnder {
  const { store, bus, driver, clock, machineClock, log } = parts;
  const stopping = new AbortController();
  /** For what could not be ended: whoever looks around may do so seldom. */
  const waiting = new Set<Timer>();

  async function end(link: EndingLink): Promise<void> {
    const { linkId } = link;
    if (await unlink(link)) return linkHasEnded(store, linkId);
    if (stopping.signal.aborted) return leaveEndingLink(store, linkId);
    const age = clock.now() - link.since;
    if (age < GIVE_UP_AFTER_MS) return tryLater(linkId, pauseAt(age));
    log.warn({ linkId }, 'could not unlink in 30 days; the network has dropped the device by itself');
    await driver.forget(linkId);
    await linkHasEnded(store, linkId);
  }

  async function tryLater(linkId: string, pauseMs: number): Promise<void> {
    await leaveEndingLink(store, linkId, machineClock.now() + pauseMs);
    if (stopping.signal.aborted) return;
    const timer = machineClock.after(pauseMs, () => {
      waiting.delete(timer);
      neverRejects(attend());
    });
    waiting.add(timer);
  }

  async function unlink({ linkId, fence }: EndingLink): Promise<boolean> {
    const arrived = Promise.withResolvers<void>();
    const session = driver.open({
      linkId,
      fence,
      onState({ kind }) {
        if (kind === 'connected' || kind === 'ended') arrived.resolve();
      },
      // Whoever ended the link does not want to hear of it any more.
      onStanding() {},
      onEvents: async () => {},
    });
    const patience = machineClock.after(LOGIN_PATIENCE_MS, () => arrived.resolve());
    stopping.signal.addEventListener('abort', () => arrived.resolve(), { once: true });
    await arrived.promise;
    patience.cancel();
    if (!stopping.signal.aborted) return session.logOut();
    await session.close();
    return false;
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

  const attend = coalesce(() =>
    endAll().catch((error: unknown) =>
      log.warn({ err: error }, 'could not unlink what nobody wants any more'),
    ),
  );

  const asked = bus.subscribe(ENDING_TOPIC, () => neverRejects(attend()));

  return {
    attend,
    stop() {
      asked.stop();
      stopping.abort();
      for (const timer of waiting) timer.cancel();
      return attend();
    },
  };
}

/** Half of how long it has been tried already: no count needs to be kept. */
function pauseAt(ageMs: number): number {
  return Math.min(Math.max(Math.ceil(ageMs / 2), PAUSE.shortestMs), PAUSE.longestMs);
}
