import { coalesce, type Timer } from '#kernel';
import { type ClaimedSession, claimSessions, fencesOf, releaseSessions } from '../store.ts';
import type { HostedSessions } from '../types.ts';
import { type Balance, balanceOf, readLoads } from './balance.ts';
import { type Ending, type Hosting, type HostingParts, hostSession } from './hosting.ts';

/**
 * The supervisor of one process: which sessions it hosts, from the first claim to the last release.
 *
 *                    claimed under a new fence                  the first login, or its failure
 *     (unhosted) ──────────────────────────────▶ boarding ─────────────────────────────────────▶ hosted
 *         ▲                                          │                                              │
 *         │ released at shutdown or for balance,     ├── lease lost, or fence outgrown: dropped ────┤
 *         │ or the lease of a dead host lapsed       ├── the number is unlinked: written, dropped ──┤
 *         └──────────────────────────────────────────┴── taken by a stranger: rests, then again ────┘
 *
 * Only so many board at the same time, and nobody is claimed before there is room: a process that starts with thousands of sessions
 * goes on answering requests, and several that start together share them.
 *
 * Must never happen: two hostings of one number in this process, a hosting that outlives the lease, a write under an outgrown fence.
 */
export interface Host {
  readonly hosted: HostedSessions;
  readonly size: number;
  find(slotId: string): Hosting | undefined;
  /** The lease was renewed: lets go of what is not ours any more, claims what nobody hosts, gives up what others should have. */
  attend(worker: string): Promise<void>;
  /** Hosts a session that was just claimed for this process, at once, in place of any older one of the number. */
  adopt(claimed: ClaimedSession): Promise<Hosting>;
  /** Ends a link that its number has lost already, on the network and here. Answers false when the network could not be told. */
  logOut(slotId: string): Promise<boolean>;
  /** The lease is lost: lets go of everything, without a word to the database. */
  dropAll(): void;
  /** Hands everything over. Where the database cannot be reached, the lease lapses by itself. */
  stop(): Promise<void>;
}

export interface HostParts extends Omit<HostingParts, 'onChange' | 'onWritten' | 'onEnded'> {
  /** There is nobody to share with. */
  readonly alone: boolean;
}

/** Says that the state of a number has changed; carries its slot. */
export const CHANGED_TOPIC = 'sessions.changed';
/** Says that there may be sessions without a host. */
export const FREE_TOPIC = 'sessions.free';

const BOARDING_AT_ONCE = 8;
/** Sessions of one hand-over: the next host begins with these while the others are still being closed. */
const HANDED_OVER_AT_ONCE = 32;
/** A login that takes longer goes on, but keeps nobody else waiting. */
const BOARDING_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Two processes that keep taking one link from each other would never get anywhere. */
const REST_MS = 30_000;

export function createHost(parts: HostParts): Host {
  const { store, bus, clock, machineClock, log } = parts;
  const hostings = new Map<string, Hosting>();
  const boarding = new Set<Hosting>();
  const resting = new Map<string, Timer>();
  const leaving = new Map<string, Promise<void>>();
  const listeners = new Set<(slotId: string) => void>();
  let owner: string | undefined;
  let round: Timer | undefined;
  let isGiving = false;
  let forsaken: ReadonlyMap<string, number> = new Map();
  let stopped = false;

  function changed(slotId: string): void {
    for (const listener of listeners) listener(slotId);
  }

  function board(claimed: ClaimedSession): Hosting {
    const { slotId } = claimed.number;
    resting.get(slotId)?.cancel();
    resting.delete(slotId);
    const hosting = hostSession(
      {
        ...parts,
        onChange: changed,
        onWritten: (slot) => bus.publish(CHANGED_TOPIC, slot),
        onEnded: (ended, ending) => finish(ended, ending, claimed),
      },
      claimed,
    );
    hostings.set(slotId, hosting);
    boarding.add(hosting);
    const tooLong = machineClock.after(BOARDING_MS, arrive);
    hosting.arrived.then(arrive);
    function arrive(): void {
      tooLong.cancel();
      if (boarding.delete(hosting)) void claimMore();
    }
    changed(slotId);
    keepLooking();
    return hosting;
  }

  function finish(hosting: Hosting, ending: Ending, claimed: ClaimedSession): void {
    const { slotId } = hosting.hosted.number;
    if (hostings.get(slotId) !== hosting) return;
    const gone = letGo(hosting);
    if (ending !== 'replaced') return;
    log.warn({ slotId }, 'another client uses the link of this number; trying again later');
    const rest = machineClock.after(REST_MS, async () => {
      await gone;
      if (resting.get(slotId) === rest) board(claimed);
    });
    resting.set(slotId, rest);
  }

  function letGo(hosting: Hosting, leave = hosting.close): Promise<void> {
    const { slotId } = hosting.hosted.number;
    hostings.delete(slotId);
    const gone = leave()
      .catch((error: unknown) => log.warn({ slotId, err: error }, 'a session could not be closed in order'))
      .finally(() => {
        if (leaving.get(slotId) === gone) leaving.delete(slotId);
      });
    leaving.set(slotId, gone);
    changed(slotId);
    return gone;
  }

  /** One watch for all sessions, as long as there are any. */
  function keepLooking(): void {
    if (round || hostings.size === 0 || stopped) return;
    round = machineClock.after(LOOK_EVERY_MS, () => {
      round = undefined;
      for (const hosting of hostings.values()) hosting.lookAfter();
      keepLooking();
    });
  }

  const claimMore = coalesce(() =>
    claimWhileThereIsRoom().catch((error: unknown) => log.warn({ err: error }, 'could not claim sessions')),
  );

  async function weigh(worker: string): Promise<Balance> {
    if (parts.alone) return { room: Number.POSITIVE_INFINITY, excess: 0 };
    const { loads, total } = await readLoads(store.read, machineClock.now());
    return balanceOf(worker, loads, total, isGiving);
  }

  async function claimWhileThereIsRoom(): Promise<void> {
    for (;;) {
      const worker = owner;
      if (worker === undefined || stopped) return;
      const limit = Math.min(BOARDING_AT_ONCE - boarding.size, (await weigh(worker)).room);
      if (limit <= 0) return;
      const now = clock.now();
      const claimed = await claimSessions(store, { worker, limit, now, machineNow: machineClock.now() });
      // One link must not be opened twice, so whoever still leaves has left before it boards again.
      await Promise.all(claimed.map(({ number }) => leaving.get(number.slotId)));
      // Lost meanwhile: they are free again without a word of ours.
      if (owner !== worker || stopped) return;
      for (const each of claimed) if (!hostings.has(each.number.slotId)) board(each);
      if (claimed.length < limit) return;
    }
  }

  async function compareWithDatabase(worker: string): Promise<void> {
    // Only those that were here before the look: one that boards meanwhile is not in what is read.
    const before = [...hostings.values()];
    const restingBefore = [...resting];
    const fences = await fencesOf(store.read, worker);
    for (const hosting of before) {
      const { number, fence } = hosting.hosted;
      if (hostings.get(number.slotId) === hosting && fences.get(number.slotId) !== fence) letGo(hosting);
    }
    for (const [slotId, rest] of restingBefore) {
      if (fences.has(slotId) || resting.get(slotId) !== rest) continue;
      rest.cancel();
      resting.delete(slotId);
    }
    await freeTheForsaken(worker, fences);
  }

  /**
   * Sessions that are ours by the word of the database alone: the answer to a claim was lost, or a hand-over could not be written. One that is
   * just being claimed looks the same for a moment, so it takes two looks.
   */
  async function freeTheForsaken(worker: string, fences: ReadonlyMap<string, number>): Promise<void> {
    const seenBefore = forsaken;
    forsaken = new Map(
      [...fences].filter(([slotId]) => !hostings.has(slotId) && !resting.has(slotId) && !leaving.has(slotId)),
    );
    const slotIds = [...forsaken.keys()].filter((slotId) => seenBefore.get(slotId) === forsaken.get(slotId));
    if (slotIds.length === 0) return;
    log.warn({ worker, sessions: slotIds.length }, 'frees sessions that it was given without hearing of it');
    await releaseSessions(store, { worker, slotIds, now: clock.now() });
  }

  async function giveUpExcess(worker: string): Promise<void> {
    const { excess } = await weigh(worker);
    isGiving = excess > 0;
    if (!isGiving || owner !== worker || stopped) return;
    // One that has no connection has waited long enough for somebody.
    const given = [...hostings.values()].filter(({ isUp }) => isUp).slice(0, excess);
    log.info({ worker, sessions: given.length }, 'hands sessions over to a worker that has fewer');
    await handOver(worker, given);
  }

  function dropAll(): void {
    owner = undefined;
    for (const hosting of [...hostings.values()]) letGo(hosting);
    for (const rest of resting.values()) rest.cancel();
    resting.clear();
  }

  async function handOver(worker: string, given: readonly Hosting[]): Promise<void> {
    const slotIds = given.map(({ hosted }) => hosted.number.slotId);
    await Promise.all(given.map((hosting) => letGo(hosting, hosting.handOver)));
    try {
      await releaseSessions(store, { worker, slotIds, now: clock.now() });
      bus.publish(FREE_TOPIC, null);
    } catch (error) {
      log.warn({ err: error }, 'could not hand the sessions over');
    }
  }

  const freed = bus.subscribe(FREE_TOPIC, () => void claimMore());

  return {
    hosted: {
      get: (slotId) => (parts.mayHost() ? hostings.get(slotId)?.hosted : undefined),
      connected: () =>
        parts.mayHost() ? [...hostings].filter(([, { isUp }]) => isUp).map(([slotId]) => slotId) : [],
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    get size() {
      return hostings.size;
    },
    find: (slotId) => hostings.get(slotId),
    async attend(worker) {
      owner = worker;
      await compareWithDatabase(worker);
      await claimMore();
      await giveUpExcess(worker);
    },
    async adopt(claimed) {
      const older = hostings.get(claimed.number.slotId);
      if (older) await letGo(older);
      return board(claimed);
    },
    async logOut(slotId) {
      const hosting = hostings.get(slotId);
      if (!hosting) return false;
      let isTold = false;
      await letGo(hosting, async () => {
        isTold = await hosting.logOut();
      });
      return isTold;
    },
    dropAll,
    async stop() {
      const worker = owner;
      stopped = true;
      freed.stop();
      round?.cancel();
      await claimMore();
      const left = [...hostings.values()];
      while (worker !== undefined && left.length > 0)
        await handOver(worker, left.splice(0, HANDED_OVER_AT_ONCE));
      dropAll();
      await Promise.all(leaving.values());
    },
  };
}
