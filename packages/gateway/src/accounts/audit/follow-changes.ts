import { type Clock, coalesce, neverRejects, settled, type Timer } from '#kernel';
import type { Store } from '#platform/store';
import { entriesAfter, lastEntryNumber } from './audit-queries.ts';

/** Reads the audit log as it grows, so that what is remembered of accounts can be forgotten when it changes. */
export interface ChangeFollower {
  /** Grows with every change seen. */
  readonly position: number;
  /** True when every change that is older than one second has been seen. Asking keeps it true. */
  isRecent(): boolean;
  /** Resolves when every change that was committed before this call has been seen. */
  upToDate(): Promise<void>;
  close(): void;
}

const STALE_AFTER_MS = 1_000;
const READ_EVERY_MS = 400;
const CHANGES_PER_READ = 500;

/** `onChange` gets the account concerned, or null when it concerns all. */
export function followChanges({
  store,
  clock,
  onChange,
}: {
  store: Store;
  clock: Clock;
  onChange: (accountId: string | null) => void;
}): ChangeFollower {
  let position: number | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: Timer | undefined;
  let closed = false;

  async function readOn(): Promise<void> {
    const startedAt = clock.monotonic();
    if (position === undefined) {
      position = await lastEntryNumber(store.read);
    } else {
      while ((await readPage(position)) === CHANGES_PER_READ);
    }
    readAt = startedAt;
  }

  async function readPage(after: number): Promise<number> {
    const changes = await entriesAfter(store.read, after, CHANGES_PER_READ);
    for (const change of changes) {
      position = change.number;
      onChange(change.account_id);
    }
    return changes.length;
  }

  // The current read may have begun before a change that the caller knows of, so the caller gets the next one.
  const upToDate = coalesce(readOn);

  /** Reads the log in the background while callers ask, so that they need not wait for it. */
  function keepReading(): void {
    if (closed) return;
    timer ??= clock.after(READ_EVERY_MS, () => {
      timer = undefined;
      if (clock.monotonic() - askedAt < STALE_AFTER_MS)
        // What fails here fails again for those who wait for it.
        neverRejects(settled(upToDate()).then(keepReading));
    });
  }

  return {
    get position() {
      return position ?? -1;
    },
    isRecent() {
      askedAt = clock.monotonic();
      keepReading();
      return askedAt - readAt <= STALE_AFTER_MS;
    },
    upToDate,
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}
