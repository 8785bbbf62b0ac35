import { type Clock, coalesce, DAY_MS, neverRejects, type Timer } from '#kernel';
import type { NetworkDriver } from '#network';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { finishUnlinkJob, releaseUnlinkJob, takeUnlinkJobs, type UnlinkJob } from '../session-queries.ts';
import type { Log } from '../types.ts';

/**
 * Unlinks links that are no longer wanted: those of deleted sessions whose host could not unlink, those that pairing has replaced, and
 * those of interrupted pairings. Each logs in once more to unlink, so that the phone stops showing its device.
 *
 *     (queued) ──taken──▶ logging in ──unlinked, or unknown to the network──▶ forgotten
 *        ▲                    │
 *        └── not reached: ────┴──30 days after it was queued──▶ forgotten
 *            a growing pause
 *
 * Until then its keys are kept under a name that no session has, whichever link the number gets meanwhile.
 */
export interface UnlinkJobRunner {
  attend(): Promise<void>;
  /** Stops; jobs that are not done stay queued for the next process. */
  stop(): Promise<void>;
}

/** Published when there are links to unlink. */
export const ENDING_TOPIC = 'sessions.ending';

export interface UnlinkJobParts {
  readonly store: Store;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly driver: Pick<NetworkDriver, 'open' | 'forget'>;
  /** The gateway's clock, on which the age of a job is measured. */
  readonly clock: Pick<Clock, 'now'>;
  readonly machineClock: Clock;
  readonly log: Log;
}

const AT_ONCE = 4;
/** Lease of a job, longer than one takes. After it expires, another process resumes. */
const TAKEN_MS = 60_000;
const LOGIN_PATIENCE_MS = 15_000;
const PAUSE = { shortestMs: 2_000, longestMs: 5 * 60_000 };
/** The network drops a device that did not log in for this long. */
const GIVE_UP_AFTER_MS = 30 * DAY_MS;

export function createUnlinkJobRunner(parts: UnlinkJobParts): UnlinkJobRunner {
  const { store, bus, driver, clock, machineClock, log } = parts;
  const stopping = new AbortController();
  /** Timers that retry failed jobs, so that the periodic run may be infrequent. */
  const waiting = new Set<Timer>();

  async function end(link: UnlinkJob): Promise<void> {
    const { linkId } = link;
    if (await unlink(link)) return finishUnlinkJob(store, linkId);
    if (stopping.signal.aborted) return releaseUnlinkJob(store, linkId);
    const age = clock.now() - link.since;
    if (age < GIVE_UP_AFTER_MS) return tryLater(linkId, pauseAt(age));
    log.warn({ linkId }, 'could not unlink in 30 days; the network has dropped the device');
    await driver.forget(linkId);
    await finishUnlinkJob(store, linkId);
  }

  async function tryLater(linkId: string, pauseMs: number): Promise<void> {
    await releaseUnlinkJob(store, linkId, machineClock.now() + pauseMs);
    if (stopping.signal.aborted) return;
    const timer = machineClock.after(pauseMs, () => {
      waiting.delete(timer);
      neverRejects(attend());
    });
    waiting.add(timer);
  }

  async function unlink({ linkId, fence }: UnlinkJob): Promise<boolean> {
    const arrived = Promise.withResolvers<void>();
    const session = driver.open({
      linkId,
      fence,
      onState({ kind }) {
        if (kind === 'connected' || kind === 'ended') arrived.resolve();
      },
      // The health of a link that is being unlinked is of no interest.
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
      const links = await takeUnlinkJobs(store, { machineNow, until, limit: AT_ONCE });
      if (links.length === 0) return;
      await Promise.all(links.map(end));
    }
  }

  const attend = coalesce(() =>
    endAll().catch((error: unknown) => log.warn({ err: error }, 'could not run the unlink jobs')),
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

/** Half of the job's age: needs no stored count of attempts. */
function pauseAt(ageMs: number): number {
  return Math.min(Math.max(Math.ceil(ageMs / 2), PAUSE.shortestMs), PAUSE.longestMs);
}
