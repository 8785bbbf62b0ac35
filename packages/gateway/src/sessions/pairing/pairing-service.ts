import { type Clock, coalesce, neverRejects } from '#kernel';
import type { Bus } from '#platform/bus';
import { type Attempt, type AttemptParts, conductAttempt } from './attempt.ts';
import { dropOldOnboardings, endOrphans, openOnboardingsOf, takeOnboardings } from './onboarding-queries.ts';

/** Published when attempts were opened, answered or ended; their worker rereads them. */
export const ONBOARDINGS_TOPIC = 'onboardings';
/** Published when a poll of this attempt would get a different answer. */
export function shownTopic(id: string): string {
  return `onboarding.${id}`;
}

/** Conducts pairing attempts, whichever process opened them. */
export interface PairingService {
  /** Runs after each renewal of the lease: takes up new attempts, ends those without a worker. */
  attend(worker: string): Promise<void>;
  /** Cancels everything under way: the lease is lost, or the process stops. */
  cancelAll(): Promise<void>;
  stop(): Promise<void>;
}

export interface PairingServiceParts
  extends Omit<AttemptParts, 'worker' | 'onShown' | 'onOver' | 'onOutcome'> {
  readonly onPairingEnded?: AttemptParts['onOutcome'];
  readonly bus: Bus;
  readonly machineClock: Pick<Clock, 'now'>;
}

const SWEEP_EVERY_MS = 60 * 60_000;

export function createPairingService(parts: PairingServiceParts): PairingService {
  const { store, bus, clock, machineClock, log } = parts;
  const attempts = new Map<string, Attempt>();
  let owner: string | undefined;
  let sweptAt = machineClock.now();

  const look = coalesce(async () => {
    if (owner === undefined) return;
    try {
      await attendTheOpen(owner);
      await takeUpTheNew(owner);
    } catch (error) {
      log.warn({ err: error }, 'could not read the pairing attempts');
    }
  });

  /** Passes on the answers of owners, and cancels attempts that have ended. */
  async function attendTheOpen(worker: string): Promise<void> {
    const before = [...attempts.values()];
    if (before.length === 0) return;
    const open = await openOnboardingsOf(store.read, worker);
    for (const attempt of before) {
      const answer = open.get(attempt.id);
      if (answer) attempt.take(answer);
    }
    await Promise.all(before.filter(({ id }) => !open.has(id)).map((attempt) => attempt.cancel()));
  }

  async function takeUpTheNew(worker: string): Promise<void> {
    const taken = await takeOnboardings(store, { worker, now: clock.now() });
    // The lease was lost meanwhile: the next worker ends these attempts as orphans.
    if (owner !== worker) return;
    for (const row of taken) {
      attempts.set(
        row.id,
        conductAttempt(
          {
            ...parts,
            worker,
            onShown: (id) => bus.publish(shownTopic(id), null),
            onOver: (id) => attempts.delete(id),
            onOutcome: (outcome) => parts.onPairingEnded?.(outcome),
          },
          row,
        ),
      );
    }
  }

  async function endWhatIsLeft(): Promise<void> {
    const now = clock.now();
    const machineNow = machineClock.now();
    await endOrphans(store, { now, machineNow });
    if (machineNow - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = machineNow;
    await dropOldOnboardings(store, now);
  }

  async function cancelAll(): Promise<void> {
    owner = undefined;
    await Promise.all([...attempts.values()].map((attempt) => attempt.cancel()));
  }

  const opened = bus.subscribe(ONBOARDINGS_TOPIC, () => neverRejects(look()));

  return {
    async attend(worker) {
      owner = worker;
      await look();
      await endWhatIsLeft();
    },
    cancelAll,
    async stop() {
      opened.stop();
      await cancelAll();
      await look();
    },
  };
}
