import { LISTENERS_TOPIC, READERS_TOPIC, type ReaderNews } from '#events';
import { coalesce, neverRejects, writeLine } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import type { ClaimedSession } from '../session-queries.ts';
import type { HostedSessions } from '../types.ts';
import { type Balance, balanceOf } from './balance.ts';
import type { Hosting } from './hosting.ts';
import {
  claimSessions,
  fencesOf,
  readLoads,
  releaseSessions,
  removeAllWorkers,
  removeWorker,
} from './hosting-queries.ts';
import { HostingPool, type PoolParts } from './pool.ts';

/** Published when the state of a number has changed; carries its slot. */
export const CHANGED_TOPIC = 'sessions.changed';
/** Published when there may be sessions without a host. */
export const FREE_TOPIC = 'sessions.free';

interface HostParts extends Omit<PoolParts, 'onFreeSlot' | 'onWritten'> {
  /** No other process shares the database. */
  readonly alone: boolean;
}

/** Sessions of one hand-over: the next host begins with these while the others are still closed. */
const HANDED_OVER_AT_ONCE = 32;

/**
 * Decides which sessions this process hosts, from the first claim to the last release; the pool runs them.
 *
 *                    claimed under a new fence
 *     (unhosted) ──────────────────────────────▶ in the pool
 *         ▲                                          │
 *         │ released at shutdown or for balance,     ├── lease lost, or fence outgrown: stopped
 *         │ or the lease of a dead host lapsed       └── the number is unlinked: written, stopped
 *         └──────────────────────────────────────────┘
 *
 * A limited number of sessions log in at the same time, and none is claimed without a free slot: a process that starts with thousands
 * of sessions still answers requests, and processes that start together share them.
 *
 * Must never happen: a hosting that outlives the lease, a write under an outgrown fence.
 */
export class SessionHost {
  readonly hosted: HostedSessions;
  readonly #parts: HostParts;
  readonly #pool: HostingPool;
  readonly #freed: { stop(): void };
  readonly #listeners: { stop(): void };
  readonly #readers: { stop(): void };
  #worker: string | undefined;
  #isGiving = false;
  /** Sessions that the last comparison found assigned to this worker in the database only. */
  #unhosted: ReadonlyMap<string, number> = new Map();

  constructor(parts: HostParts) {
    this.#parts = parts;
    const pool = new HostingPool({
      ...parts,
      onFreeSlot: () => neverRejects(this.#claimMore()),
      onWritten: (slot) => parts.bus.publish(CHANGED_TOPIC, slot),
    });
    this.#pool = pool;
    this.#freed = parts.bus.subscribe(FREE_TOPIC, () => neverRejects(this.#claimMore()));
    this.#listeners = parts.bus.subscribe(LISTENERS_TOPIC, (slotId) =>
      pool.get(String(slotId))?.noticeListeners(),
    );
    this.#readers = parts.bus.subscribe(READERS_TOPIC, (news) => {
      // Published by another process of this gateway.
      const { accountId, slotId, forMs } = news as ReaderNews;
      for (const hosting of slotId === undefined ? pool.all() : [pool.get(slotId)]) {
        if (hosting?.hosted.number.accountId === accountId) hosting.noticeReader(forMs);
      }
    });
    this.hosted = {
      get: (slotId) => (parts.mayHost() ? pool.get(slotId)?.hosted : undefined),
      connected: () =>
        parts.mayHost() ? pool.all().flatMap(({ isUp, hosted }) => (isUp ? hosted.number.slotId : [])) : [],
      onChange: (listener) => pool.onChange(listener),
    };
  }

  get size(): number {
    return this.#pool.size;
  }

  find(slotId: string): Hosting | undefined {
    return this.#pool.get(slotId);
  }

  /**
   * Runs after each renewal of the lease: stops what is no longer assigned here, claims sessions without a host,
   * releases the excess.
   */
  async attend(worker: string): Promise<void> {
    this.#worker = worker;
    await this.#compareWithDatabase(worker);
    await this.#claimMore();
    await this.#giveUpExcess(worker);
  }

  /** Hosts a session that was just claimed for this process, in place of any older hosting of the number. */
  async adopt(claimed: ClaimedSession): Promise<Hosting> {
    const older = this.#pool.get(claimed.number.slotId);
    if (older) await this.#pool.stopHosting(older);
    return this.#pool.start(claimed);
  }

  /**
   * Ends a link that its number has lost already, on the network and here. False when the network could not be
   * reached.
   */
  async logOut(slotId: string): Promise<boolean> {
    const hosting = this.#pool.get(slotId);
    if (!hosting) return false;
    writeLine(this.#parts.log, 'info', 'session.state', {
      slotId,
      status: 'logged_out',
      reason: 'asked_for',
    });
    let isSent = false;
    await this.#pool.stopHosting(hosting, async () => {
      isSent = await hosting.logOut();
    });
    return isSent;
  }

  /** Stops everything after the lease is lost, without a write to the database. */
  dropAll(): void {
    this.#worker = undefined;
    this.#pool.stopAll();
  }

  /** Hands everything over. When the database is out of reach, the lease lapses. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#freed.stop();
    this.#listeners.stop();
    this.#readers.stop();
    await this.#claimMore();
    const left = this.#pool.all();
    while (worker !== undefined && left.length > 0)
      await this.#handOver(worker, left.splice(0, HANDED_OVER_AT_ONCE));
    await this.#pool.stop();
  }

  readonly #claimMore = coalesce(() =>
    this.#claimWhileThereIsRoom().catch((error: unknown) =>
      this.#parts.log.warn({ err: error }, 'could not claim sessions'),
    ),
  );

  async #claimWhileThereIsRoom(): Promise<void> {
    const { store, clock, machineClock, log } = this.#parts;
    for (;;) {
      const worker = this.#worker;
      if (worker === undefined) return;
      const limit = Math.min(this.#pool.freeSlots, (await this.#weigh(worker)).room);
      if (limit <= 0) return;
      const now = clock.now();
      const claimed = await claimSessions(store, { worker, limit, now, machineNow: machineClock.now() });
      await Promise.all(claimed.map(({ number }) => this.#pool.hasLeft(number.slotId)));
      // The lease was lost or the host stopped meanwhile: these sessions are free again when the lease is gone.
      if (this.#worker !== worker) return;
      for (const each of claimed) {
        const { slotId } = each.number;
        if (this.#pool.get(slotId)) continue;
        const { from } = each;
        writeLine(log, 'info', 'session.state', {
          slotId,
          status: 'claimed',
          worker,
          ...(from !== null && { from }),
        });
        this.#pool.start(each);
      }
      if (claimed.length < limit) return;
    }
  }

  async #weigh(worker: string): Promise<Balance> {
    if (this.#parts.alone) return { room: Number.POSITIVE_INFINITY, excess: 0 };
    const { loads, total } = await readLoads(this.#parts.store.read, this.#parts.machineClock.now());
    return balanceOf(worker, loads, total, this.#isGiving);
  }

  async #compareWithDatabase(worker: string): Promise<void> {
    const pool = this.#pool;
    // Only hostings from before the read: one that starts meanwhile is not in its result.
    const before = pool.all();
    const restingBefore = pool.resting();
    const fences = await fencesOf(this.#parts.store.read, worker);
    for (const hosting of before) {
      const { number, fence } = hosting.hosted;
      if (pool.get(number.slotId) === hosting && fences.get(number.slotId) !== fence)
        neverRejects(pool.stopHosting(hosting));
    }
    const restingNow = new Map(pool.resting());
    for (const [slotId, rest] of restingBefore) {
      if (!fences.has(slotId) && restingNow.get(slotId) === rest) pool.wake(slotId);
    }
    await this.#freeUnhosted(worker, fences);
  }

  /**
   * Releases sessions that are assigned to this worker in the database only: the answer to a claim was lost, or a
   * hand-over could not be written. A session that is just being claimed looks the same for a moment, so two
   * comparisons in a row must find it.
   */
  async #freeUnhosted(worker: string, fences: ReadonlyMap<string, number>): Promise<void> {
    const before = this.#unhosted;
    const now = new Map([...fences].filter(([slotId]) => !this.#pool.knows(slotId)));
    this.#unhosted = now;
    const slotIds = [...now.keys()].filter((slotId) => before.get(slotId) === now.get(slotId));
    if (slotIds.length === 0) return;
    const { store, clock, log } = this.#parts;
    log.warn(
      { worker, sessions: slotIds.length },
      'releases sessions that are assigned to it but not hosted',
    );
    await releaseSessions(store, { worker, slotIds, now: clock.now() });
  }

  async #giveUpExcess(worker: string): Promise<void> {
    const { excess } = await this.#weigh(worker);
    this.#isGiving = excess > 0;
    if (this.#worker !== worker) return;
    // A session without a connection has waited long enough.
    const given = this.#pool
      .all()
      .filter(({ isUp }) => isUp)
      .slice(0, excess);
    if (given.length === 0) return;
    this.#parts.log.info(
      { worker, sessions: given.length },
      'hands sessions over to a worker that has fewer',
    );
    await this.#handOver(worker, given);
  }

  async #handOver(worker: string, given: readonly Hosting[]): Promise<void> {
    const { store, bus, clock, log } = this.#parts;
    const slotIds = given.map(({ hosted }) => hosted.number.slotId);
    await Promise.all(given.map((hosting) => this.#pool.stopHosting(hosting, hosting.handOver)));
    try {
      await releaseSessions(store, { worker, slotIds, now: clock.now() });
      bus.publish(FREE_TOPIC, null);
    } catch (error) {
      log.warn({ err: error }, 'could not hand the sessions over');
    }
  }
}

/** Removes a worker that is known to be dead: others take over at once, without waiting for its lease to lapse. */
export async function expireWorkerLease(
  { store, bus }: { store: Store; bus: Pick<Bus, 'publish'> },
  worker: string,
): Promise<void> {
  await removeWorker(store, worker);
  bus.publish(FREE_TOPIC, null);
}

/** Removes all workers. Call it only when no process hosts sessions. */
export async function expireAllWorkerLeases(store: Store): Promise<void> {
  await removeAllWorkers(store);
}
