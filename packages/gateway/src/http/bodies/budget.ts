import { type Clock, createSystemClock, type Fault, fault } from '#kernel';

/** Who holds bytes: an account, the operator, or, of those who have shown nothing, an address. */
export type BodyHolder =
  | { readonly kind: 'account' | 'operator'; readonly id: string }
  | { readonly kind: 'anonymous'; readonly id: string };

type BodyRefusal = 'all' | 'share';

export interface BodyBudgetOptions {
  readonly maxBytes: number;
  readonly log?: { warn(fields: object, text: string): void };
  /** Bodies arrive by the machine's time. */
  readonly machineClock?: Pick<Clock, 'monotonic'>;
}

/** What this process holds of the bodies of requests, from the first byte until the answer has left. */
export interface BodyBudget {
  charge(holder: BodyHolder): BodyCharge;
  /** Bytes that are held at this moment. */
  readonly held: number;
  /** Since the start: because all was taken, and because the holder had its share. */
  readonly refused: Readonly<Record<BodyRefusal, number>>;
}

/** The bytes of one request. */
export interface BodyCharge {
  /** The fault for these bytes, where they may not be held. */
  add(bytes: number): Fault | undefined;
  release(): void;
}

/** Those who have shown nothing have this part of all, however many they are. */
const ANONYMOUS_PART = 1 / 8;
/** A flood of refusals is one line in the log now and then. */
const LOG_EVERY_MS = 10_000;

/** Bytes that several share: each holds at most as many as are left free for all the others. So nobody, and no few together, take all. */
class Pool {
  readonly maxBytes: number;
  readonly #byHolder = new Map<string, number>();
  held = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  refusal(holder: string, bytes: number): BodyRefusal | undefined {
    const free = this.maxBytes - this.held - bytes;
    if (free < 0) return 'all';
    return (this.#byHolder.get(holder) ?? 0) + bytes > free ? 'share' : undefined;
  }

  add(holder: string, bytes: number): void {
    const left = (this.#byHolder.get(holder) ?? 0) + bytes;
    this.held += bytes;
    if (left > 0) this.#byHolder.set(holder, left);
    else this.#byHolder.delete(holder);
  }
}

export function createBodyBudget({
  maxBytes,
  log = { warn: () => {} },
  machineClock = createSystemClock(),
}: BodyBudgetOptions): BodyBudget {
  const everybody = new Pool(maxBytes);
  const strangers = new Pool(maxBytes * ANONYMOUS_PART);
  const refused = { all: 0, share: 0 };
  let loggedAt = Number.NEGATIVE_INFINITY;

  function refuse(reason: BodyRefusal, { kind }: BodyHolder): Fault {
    refused[reason] += 1;
    const now = machineClock.monotonic();
    if (now - loggedAt >= LOG_EVERY_MS) {
      loggedAt = now;
      const heldBytes = everybody.held;
      log.warn(
        { reason, callers: kind, heldBytes, maxBytes, refusedSinceStart: { ...refused } },
        'request body refused',
      );
    }
    return fault(reason === 'all' ? 'too_many_bodies' : 'too_many_own_bodies');
  }

  return {
    charge(holder) {
      const isStranger = holder.kind === 'anonymous';
      // All strangers are one holder among the others, and share what that one has.
      const name = isStranger ? 'strangers' : `${holder.kind} ${holder.id}`;
      let own = 0;
      function move(bytes: number): void {
        own += bytes;
        everybody.add(name, bytes);
        if (isStranger) strangers.add(holder.id, bytes);
      }
      return {
        add(bytes) {
          const reason =
            (isStranger ? strangers.refusal(holder.id, bytes) : undefined) ?? everybody.refusal(name, bytes);
          if (reason) return refuse(reason, holder);
          move(bytes);
          return undefined;
        },
        release: () => move(-own),
      };
    },
    refused,
    get held() {
      return everybody.held;
    },
  };
}
