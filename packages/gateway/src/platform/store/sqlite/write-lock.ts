import type { Clock, Timer } from '#kernel';
import { StoreError } from '../errors.ts';
import type { Request } from './protocol.ts';

/** A waiting thread: the main thread, or one with its own port. */
export interface LockWaiter {
  answer(request: Request, answer: () => unknown): void;
}

interface WriteLock {
  handle(asker: LockWaiter, request: Request): void;
  /** Drops a thread that sends nothing more and awaits no answers. */
  forget(asker: LockWaiter): void;
}

interface WriteLockParts {
  readonly answer: (request: Request) => unknown;
  readonly isInTransaction: () => boolean;
  readonly rollBack: () => void;
  /** Time limit of one transaction: a thread that stalls inside one must not block all others. */
  readonly heldAtMostMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * Lets several threads share one connection. A transaction has it exclusively: requests of other threads wait in order of arrival. The
 * transaction of a thread that ended or stalled is rolled back.
 */
export function createWriteLock({
  answer,
  isInTransaction,
  rollBack,
  heldAtMostMs,
  clock,
}: WriteLockParts): WriteLock {
  let waiting: { readonly asker: LockWaiter; readonly request: Request }[] = [];
  let holder: LockWaiter | undefined;
  let tooLong: Timer | undefined;
  /** Threads whose transaction was rolled back without their knowledge: its remaining statements must not run on their own. */
  const late = new Set<LockWaiter>();

  function serve(asker: LockWaiter, request: Request): void {
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

  function refuseLate(asker: LockWaiter, { kind }: Request): undefined {
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
    handle(asker, request) {
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
