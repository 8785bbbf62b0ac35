import { type ApiError, apiError, type Clock, createSystemClock } from '#kernel';

/** Owner of held bytes: an account, the operator, or, without credentials, an address. */
export type BodyHolder =
  | { readonly kind: 'account' | 'operator'; readonly id: string }
  | { readonly kind: 'anonymous'; readonly id: string };

type BodyRefusal = 'all' | 'share';

export interface BodyBudgetOptions {
  readonly maxBytes: number;
  readonly log?: { warn(fields: object, text: string): void };
  /** Bodies arrive on the machine's clock. */
  readonly machineClock?: Pick<Clock, 'monotonic'>;
}

/** Memory that request bodies hold in this process, from the first byte until the response has left. */
export interface BodyBudget {
  charge(holder: BodyHolder): BodyCharge;
  /** Bytes currently held. */
  readonly held: number;
  /** Refusals since the start: because the whole budget was used, and because the holder had used its share. */
  readonly refused: Readonly<Record<BodyRefusal, number>>;
}

/** The bytes of one request. */
export interface BodyCharge {
  /** Returns an error if these bytes exceed the budget. */
  add(bytes: number): ApiError | undefined;
  release(): void;
}

/** All clients without credentials share this part of the budget. */
const ANONYMOUS_PART = 1 / 8;
/** A flood of refusals is logged at most this often. */
const LOG_EVERY_MS = 10_000;

/**
 * Bytes shared by several holders: each holds at most as many as are free for all the others. So no single holder, and no few
 * together, take everything.
 */
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

  function refuse(reason: BodyRefusal, { kind }: BodyHolder): ApiError {
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
    return apiError(reason === 'all' ? 'too_many_bodies' : 'too_many_own_bodies');
  }

  return {
    charge(holder) {
      const isStranger = holder.kind === 'anonymous';
      // All clients without credentials are one holder among the others, and share its part.
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
