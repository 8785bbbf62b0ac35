import type { Clock, Random, SealedBox, Timer } from '#kernel';
import type { Store } from '#platform/store';
import type { Log } from '../types.ts';
import { registerWorker, removeWorker, renewLease } from './hosting-queries.ts';

/**
 * A worker's right to host sessions. One lease covers all of its sessions, so a renewal writes one row.
 *
 *     (start) ──registered──▶ held ──every 3 s──▶ renewed
 *                 ▲             │
 *                 │             ├──could not be renewed──▶ tried again every second
 *                 │             └──not renewed for 9 s, or found lapsed──▶ lost ──▶ all sessions stop
 *                 └─────────── under a new name, tried every second ────────┘
 *
 * A lease lasts 10 seconds from the start of its renewal. A worker that cannot renew stops its sessions one second earlier, by the
 * monotonic clock and without any other process; a successor waits for the full 10. A lapsed lease is never revived: the process
 * returns under a new name, and its former sessions have a higher fence by then.
 *
 * A process that has the database to itself cannot be overtaken: it waits for no other lease, and keeps its sessions when the machine
 * stands still or the disk is slow. Its lease only reports that it is alive, and is written less often.
 *
 * Leases run on the machine's own clock: time travel of the sandbox must not end them. Clocks of several machines must agree within a
 * second, as NTP keeps them; where they do not, fences still keep the older host from writing.
 */
export interface Lease {
  /** The name under which this process hosts now; undefined while it may not. */
  readonly worker: string | undefined;
  /**
   * Whether the lease is valid at this moment, by the clock alone. A process that stood still receives what came in
   * meanwhile before its timers fire, and must not act on it.
   */
  holds(): boolean;
  /** Registers, then renews until `release`. */
  start(): Promise<void>;
  /** Ends the lease at once. Idempotent. */
  release(): Promise<void>;
}

export interface LeaseParts {
  readonly store: Store;
  /** The machine's clock, which does not travel. */
  readonly clock: Clock;
  readonly random: Random;
  readonly sealedBox: Pick<SealedBox, 'keyIds'>;
  readonly log: Log;
  /** Prefix of the worker names of this process. */
  readonly machine: string;
  /** The database belongs to this process alone: no other can be alive. */
  readonly alone: boolean;
  /** After each renewal. */
  readonly onHeld: (worker: string) => void;
  /** Runs at once, whatever is under way: from now on nothing may be done in the name of the sessions. */
  readonly onLost: () => void;
}

export const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** Lease of a process that shares with no other: an idle one would do little else than renew. */
const ALONE = { leaseMs: 30_000, renewEveryMs: 10_000 };
/** Sessions have no host while the lease is lost, so the return of the database must be noticed soon. */
const TRY_AGAIN_MS = 1_000;
/** Reserve for the slowest step between noticing the loss and having stopped. */
const MARGIN_MS = 1_000;
/** How long the names of dead workers are listed. */
const DEAD_WORKERS_KEPT_MS = 10 * 60_000;

export function createLease(parts: LeaseParts): Lease {
  const { store, clock, random, sealedBox, log } = parts;
  const { leaseMs, renewEveryMs } = parts.alone ? ALONE : { leaseMs: LEASE_MS, renewEveryMs: RENEW_EVERY_MS };
  let worker: string | undefined;
  let fencing: Timer | undefined;
  let next: Timer | undefined;
  let renewing: Promise<void> | undefined;
  let released = false;
  let heldUntil = Number.NEGATIVE_INFINITY;

  function lose(reason: string): void {
    if (worker === undefined) return;
    log.warn({ worker, reason }, 'lost the lease for hosting sessions');
    worker = undefined;
    parts.onLost();
  }

  function holdFrom(startedAt: number): void {
    fencing?.cancel();
    heldUntil = parts.alone ? Number.POSITIVE_INFINITY : startedAt + LEASE_MS - MARGIN_MS;
    if (parts.alone) return;
    fencing = clock.after(heldUntil - clock.monotonic(), () => lose('it could not be renewed in time'));
  }

  async function register(): Promise<void> {
    const name = `${parts.machine}-${Buffer.from(random.bytes(4)).toString('hex')}`;
    const startedAt = clock.monotonic();
    const now = clock.now();
    const dropBefore = parts.alone ? Number.MAX_SAFE_INTEGER : now - DEAD_WORKERS_KEPT_MS;
    await registerWorker(store, {
      worker: name,
      now,
      leaseMs,
      dropBefore,
      keyIds: sealedBox.keyIds,
    });
    if (!parts.alone && clock.monotonic() >= startedAt + LEASE_MS - MARGIN_MS) return;
    worker = name;
    holdFrom(startedAt);
  }

  async function extend(name: string): Promise<void> {
    const startedAt = clock.monotonic();
    const now = clock.now();
    const heldAfter = parts.alone ? 0 : now;
    const isRenewed = await renewLease(store, { worker: name, now, leaseMs, heldAfter });
    if (worker !== name) return;
    if (isRenewed) holdFrom(startedAt);
    else lose('it had lapsed');
  }

  /** Answers whether the right is held from now on. */
  async function renew(): Promise<boolean> {
    try {
      if (worker === undefined) await register();
      else await extend(worker);
      if (worker !== undefined && !released) parts.onHeld(worker);
      return worker !== undefined;
    } catch (error) {
      log.warn({ worker, err: error }, 'could not renew the lease for hosting sessions');
      return false;
    }
  }

  function keepRenewing(isHeld: boolean): void {
    if (released) return;
    next = clock.after(isHeld ? renewEveryMs : TRY_AGAIN_MS, () => {
      renewing = renew().then(keepRenewing);
    });
  }

  return {
    get worker() {
      return worker;
    },
    holds: () => worker !== undefined && clock.monotonic() < heldUntil,
    async start() {
      keepRenewing(await renew());
    },
    async release() {
      released = true;
      next?.cancel();
      fencing?.cancel();
      await renewing;
      const name = worker;
      worker = undefined;
      if (name === undefined) return;
      await removeWorker(store, name).catch((error: unknown) =>
        log.warn({ err: error }, 'could not release the lease; it lapses'),
      );
    },
  };
}
