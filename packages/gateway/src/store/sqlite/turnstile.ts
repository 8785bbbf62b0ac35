import type { Clock, Timer } from '#kernel';
import { StoreError } from '../errors.ts';
import type { Request } from './protocol.ts';

/** Who asks: the main thread, or one that has a port of its own. */
export interface Asker {
  answer(request: Request, answer: () => unknown): void;
}

interface Turnstile {
  hear(asker: Asker, request: Request): void;
  /** Nothing more comes from this one, and nobody waits for its answers. */
  forget(asker: Asker): void;
}

interface TurnstileParts {
  readonly answer: (request: Request) => unknown;
  readonly isInTransaction: () => boolean;
  readonly rollBack: () => void;
  /** So long one may have the database for itself: whoever stood still in the middle of a transaction must not stop all others. */
  readonly heldAtMostMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * Lets several threads use one connection. A transaction has it alone: what others ask meanwhile waits in the order in which it came. The
 * transaction of a thread that is gone, or that stood still in the middle of it, is rolled back.
 */
export function createTurnstile({
  answer,
  isInTransaction,
  rollBack,
  heldAtMostMs,
  clock,
}: TurnstileParts): Turnstile {
  let waiting: { readonly asker: Asker; readonly request: Request }[] = [];
  let holder: Asker | undefined;
  let tooLong: Timer | undefined;
  /** Those whose transaction was rolled back without their knowing: the rest of it must not be taken for statements of their own. */
  const late = new Set<Asker>();

  function serve(asker: Asker, request: Request): void {
    asker.answer(request, () => (late.has(asker) ? refuseLate(asker, request) : answer(request)));
    if (isInTransaction()) {
      if (holder === asker) return;
      holder = asker;
      tooLong = clock.after(heldAtMostMs, () => {
        late.add(asker);
        giveBack();
      });
    } else release();
  }

  function refuseLate(asker: Asker, { kind }: Request): undefined {
    if (kind === 'commit' || kind === 'rollback') late.delete(asker);
    if (kind === 'rollback') return undefined;
    throw new StoreError('transaction_timeout', 'The transaction took too long and was rolled back.');
  }

  function release(): void {
    tooLong?.cancel();
    holder = undefined;
  }

  function giveBack(): void {
    if (isInTransaction()) rollBack();
    release();
    serveWaiting();
  }

  function serveWaiting(): void {
    for (;;) {
      const next = waiting.findIndex(({ asker }) => holder === undefined || holder === asker);
      const [turn] = next === -1 ? [] : waiting.splice(next, 1);
      if (!turn) return;
      serve(turn.asker, turn.request);
    }
  }

  return {
    hear(asker, request) {
      waiting.push({ asker, request });
      serveWaiting();
    },
    forget(asker) {
      late.delete(asker);
      waiting = waiting.filter((each) => each.asker !== asker);
      if (holder === asker) giveBack();
    },
  };
}
