import { atEndOfTurn, type Clock, neverRejects } from '#kernel';
import { isStoreError, StoreError, type StoreErrorCode } from './errors.ts';
import type { AnyCommand, Command, CommittedBatch } from './types.ts';

/** All waiting items of one command, in order of arrival. */
export interface Group {
  readonly command: AnyCommand;
  readonly items: readonly unknown[];
}

interface GroupCommit {
  run<I, O>(command: Command<I, O>, item: I): Promise<O>;
  /** Refuses new items; resolves when all accepted items were answered. */
  drain(): Promise<void>;
}

interface GroupCommitOptions {
  /** Writes a whole batch in one transaction, all or nothing. Resolves to the outputs of each group after its durable commit. */
  readonly commit: (groups: readonly Group[]) => Promise<readonly (readonly unknown[])[]>;
  /** Maximum number of batches in progress. */
  readonly lanes: number;
  /** Minimum number of waiting items that start a further batch beside one in progress; fewer wait for it to end. */
  readonly worthAnotherLane?: number;
  /** So many waiting items start a batch in the middle of a turn of the event loop: the database works while the turn brings more. */
  readonly worthLeavingAtOnce?: number;
  /** Concurrent batches lock rows: with this set, no two of them carry items with the same lock (`Command.locks`). */
  readonly keepApart?: boolean;
  /** Maximum number of waiting items; more are refused. */
  readonly capacity: number;
  readonly largestBatch: number;
}

interface Waiting {
  readonly command: AnyCommand;
  readonly item: unknown;
  /** The lock that its write takes, where that matters. */
  readonly lock: string | undefined;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets many callers share one durable commit. New items wait while a batch is written; when a lane is free, all waiting items become
 * the next batch. There is no timer: a lone item is written at once, and batches grow with load.
 */
export function createGroupCommit({
  commit,
  lanes,
  worthAnotherLane = 1,
  worthLeavingAtOnce = Number.POSITIVE_INFINITY,
  keepApart = false,
  capacity,
  largestBatch,
}: GroupCommitOptions): GroupCommit {
  const locked = new Set<string>();
  let waiting: Waiting[] = [];
  let underWay = 0;
  let startPending = false;
  let drained: (() => void) | undefined;
  let draining = false;

  function mayStart(): boolean {
    if (underWay === 0) return waiting.length > 0;
    return underWay < lanes && waiting.length >= worthAnotherLane;
  }

  /** Defers a few items to the end of this turn of the event loop, so that all items of the turn travel together. */
  function startSoon(): void {
    if (!mayStart()) return;
    if (waiting.length >= worthLeavingAtOnce) startBatches();
    else if (!startPending) {
      startPending = true;
      atEndOfTurn(startBatchesOfTurn);
    }
  }

  function startBatchesOfTurn(): void {
    startPending = false;
    startBatches();
  }

  function startBatches(): void {
    while (mayStart()) {
      const batch = nextBatch();
      if (batch.length === 0) break;
      underWay += 1;
      neverRejects(write(batch));
    }
    if (draining && underWay === 0) drained?.();
  }

  /** Items that need a lock of another batch wait here, where further items can join them. */
  function nextBatch(): readonly Waiting[] {
    const free = locked.size === 0 ? waiting : waiting.filter(({ lock }) => !lock || !locked.has(lock));
    const batch = free.slice(0, largestBatch);
    if (batch.length === waiting.length) waiting = [];
    else {
      const taken = new Set(batch);
      waiting = waiting.filter((each) => !taken.has(each));
    }
    for (const { lock } of batch) if (lock) locked.add(lock);
    return batch;
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    const callers = byCommand(batch);
    try {
      const outputs = await commit(callers.map(toGroup));
      for (const [group, members] of callers.entries()) {
        for (const [index, caller] of members.entries()) caller.resolve(outputs[group]?.[index]);
      }
    } catch (error) {
      const nothingWritten = !isStoreError(error, 'commit_unknown');
      if (batch.length > 1 && nothingWritten && !isOutage(error)) await writeOneByOne(batch);
      else for (const caller of batch) caller.reject(error);
    }
    underWay -= 1;
    for (const { lock } of batch) if (lock) locked.delete(lock);
    startBatches();
  }

  /** Isolates a bad item so that it fails alone. When the database itself fails, the rest is not tried. */
  async function writeOneByOne(batch: readonly Waiting[]): Promise<void> {
    let outage: unknown;
    for (const caller of batch) {
      try {
        if (outage) throw outage;
        const [outputs] = await commit([toGroup([caller])]);
        caller.resolve(outputs?.[0]);
      } catch (error) {
        if (isOutage(error)) outage = error;
        caller.reject(error);
      }
    }
  }

  return {
    run<I, O>(command: Command<I, O>, item: I) {
      if (draining) return Promise.reject(new StoreError('closed', 'The store is closed.'));
      if (waiting.length >= capacity) {
        return Promise.reject(
          new StoreError('queue_full', `${capacity} writes are waiting already; try again shortly.`),
        );
      }
      return new Promise<O>((resolve, reject) => {
        // The batch answers each caller with the output of its own command: here unknown becomes O again.
        const lock = keepApart ? command.locks?.(item) : undefined;
        waiting.push({ command, item, lock, resolve: resolve as Waiting['resolve'], reject });
        startSoon();
      });
    },
    drain() {
      draining = true;
      return new Promise((resolve) => {
        drained = resolve;
        startBatches();
      });
    },
  };
}

function byCommand(batch: readonly Waiting[]): Waiting[][] {
  const groups = new Map<AnyCommand, Waiting[]>();
  for (const caller of batch) {
    const group = groups.get(caller.command);
    if (group) group.push(caller);
    else groups.set(caller.command, [caller]);
  }
  return [...groups.values()];
}

function toGroup(callers: Waiting[]): Group {
  const [first] = callers;
  if (!first) throw new TypeError('A group has at least one caller.');
  return { command: first.command, items: callers.map((caller) => caller.item) };
}

const outages = new Set<StoreErrorCode>(['unavailable', 'unreachable', 'read_only', 'closed']);

/** The database fails, independent of what is written. */
function isOutage(error: unknown): boolean {
  return error instanceof StoreError && outages.has(error.code);
}

type Commit = (groups: readonly Group[]) => Promise<readonly (readonly unknown[])[]>;

/** Measures how long each commit takes. */
export function timedCommit(
  commit: Commit,
  clock: Pick<Clock, 'monotonic'>,
  onCommit: ((batch: CommittedBatch) => void) | undefined,
): Commit {
  if (!onCommit) return commit;
  return async (groups) => {
    const startedAt = clock.monotonic();
    const report = (ok: boolean): void => {
      const items = groups.reduce((sum, group) => sum + group.items.length, 0);
      onCommit({ items, seconds: (clock.monotonic() - startedAt) / 1_000, ok });
    };
    try {
      const outputs = await commit(groups);
      report(true);
      return outputs;
    } catch (error) {
      report(false);
      throw error;
    }
  };
}
