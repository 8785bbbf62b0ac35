import type { Clock, Random, SealedBox, Timer } from '#kernel';
import type { Store } from '#store';
import type { Log } from '../types.ts';
import { registerWorker, removeWorker, renewLease } from './store.ts';

/**
 * A worker's right to host sessions. One lease stands for all of its sessions, so renewing costs one row however many there are.
 *
 *     (start) ──registered──▶ held ──every 3 s──▶ renewed
 *                 ▲             │
 *                 │             ├──could not be renewed──▶ tried again every second
 *                 │             └──not renewed for 9 s, or found lapsed──▶ lost ──▶ everything is let go
 *                 └─────────── under a new name, tried every second ────────┘
 *
 * A lease lasts 10 seconds from the moment at which its renewal began. Whoever cannot renew lets go one second before, by the
 * monotonic clock, without having to reach anybody; whoever takes over waits for the full 10. A lapsed lease is never revived: the
 * process comes back under a new name, and what it hosted before has a higher fence by then.
 *
 * A process that has the database to itself cannot be overtaken: it waits for nobody's lease, and lets go of nothing when the machine
 * stands still for a while or the disk is slow. Its lease only says that it is alive, and is written less often.
 *
 * Leases run on the machine's own clock: the time travel of the sandbox must not end them. Several machines are expected to keep
 * their clocks within a second of each other, as NTP does; where they do not, fences still keep the older host from writing.
 */
export interface Lease {
  /** The name under which this process hosts at this moment; undefined while it may not. */
  readonly worker: string | undefined;
  /**
   * Whether it may be used in this very moment, by the clock alone. A process that stood still hears what came in meanwhile before it hears
   * its own alarm, and must not act on it.
   */
  holds(): boolean;
  /** Registers, then keeps renewing until `release`. */
  start(): Promise<void>;
  /** Ends the right at once. Idempotent. */
  release(): Promise<void>;
}

export interface LeaseParts {
  readonly store: Store;
  /** The machine's, which does not travel. */
  readonly clock: Clock;
  readonly random: Random;
  readonly sealedBox: Pick<SealedBox, 'keyIds'>;
  readonly log: Log;
  /** What the names of this process begin with. */
  readonly machine: string;
  /** Nobody else can be alive, because the database belongs to this process alone. */
  readonly alone: boolean;
  /** After each renewal. */
  readonly onHeld: (worker: string) => void;
  /** At once, whatever else is under way: nothing may be done in the name of the sessions any more. */
  readonly onLost: () => void;
}

export const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** An idle process that shares with nobody would do little else than renew. */
const ALONE = { leaseMs: 30_000, renewEveryMs: 10_000 };
/** Nobody hosts a number whose host has lost its lease: a database that is back is to be noticed soon. */
const TRY_AGAIN_MS = 1_000;
/** Kept free for the slowest step between noticing and having let go. */
const MARGIN_MS = 1_000;
/** Names of processes that are gone are shown for so long. */
const DEAD_WORKERS_KEPT_MS = 10 * 60_000;

export function createLease(parts: LeaseParts): Lease {
  const { store, clock, random, sealedBox, log } = parts;
  const { leaseMs, renewEveryMs } = parts.alone ? ALONE : { leaseMs: LEASE_MS, renewEveryMs: RENEW_EVERY_MS };
  let worker: string | undefined;
  let fencing: Timer | undefined;
  let next: Timer | undefined;
  let renewing: Promise<void> | undefined;
  let hasFailed = false;
  let released = false;
  let heldUntil = 0;

  function lose(reason: string): void {
    if (worker === undefined) return;
    log.warn({ worker, reason }, 'lost the right to host sessions');
    worker = undefined;
    fencing?.cancel();
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

  async function renew(): Promise<void> {
    try {
      if (worker === undefined) await register();
      else await extend(worker);
      hasFailed = false;
      if (worker !== undefined && !released) parts.onHeld(worker);
    } catch (error) {
      hasFailed = true;
      log.warn({ worker, err: error }, 'could not renew the right to host sessions');
    }
  }

  function keepRenewing(): void {
    if (released) return;
    const isHeld = worker !== undefined && !hasFailed;
    next = clock.after(isHeld ? renewEveryMs : TRY_AGAIN_MS, () => {
      renewing = renew().finally(keepRenewing);
    });
  }

  return {
    get worker() {
      return worker;
    },
    holds: () => worker !== undefined && clock.monotonic() < heldUntil,
    async start() {
      await renew();
      keepRenewing();
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
        log.warn({ err: error }, 'could not give the lease back; it lapses by itself'),
      );
    },
  };
}
