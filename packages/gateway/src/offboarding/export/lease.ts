import { type Clock, neverRejects, settled, warnOf } from '#kernel';
import type { AccountExportRow, Store } from '#platform/store';
import { changeExport, takeExport } from '../offboarding-queries.ts';
import { type Progress, readProgress } from './pieces.ts';

/** Lease of a running export, renewed while this process lives. */
export interface Lease {
  /** Aborts when another process has it, or the export was dropped. */
  readonly lost: AbortSignal;
  /** Pieces made so far. */
  progress(): Progress;
  /** Writes to the export and renews the lease, unless the change ends it. False: the lease is lost. */
  change(change: Partial<AccountExportRow>): Promise<boolean>;
  /** Stops renewing. */
  stop(): void;
}

/** After it expires, another process resumes with its next poll. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;

/** Undefined when another process was faster. */
export async function takeLease(
  store: Pick<Store, 'transaction'>,
  clock: Pick<Clock, 'now' | 'after'>,
  row: AccountExportRow,
): Promise<Lease | undefined> {
  const lost = new AbortController();
  let takenUntil = clock.now() + LEASE_MS;
  if (!(await takeExport(store, row, takenUntil))) return undefined;
  let progress = readProgress(row.pieces);
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function write(change: Partial<AccountExportRow>): Promise<boolean> {
    const until = change.taken_until ?? clock.now() + LEASE_MS;
    const isOurs = await changeExport(store, { id: row.id, takenUntil }, { ...change, taken_until: until });
    if (!isOurs) lost.abort();
    takenUntil = until;
    if (change.pieces !== undefined && change.pieces !== null) progress = readProgress(change.pieces);
    return isOurs;
  }

  /** One after the other: each write matches the lease by the values of the one before. */
  function change(wanted: Partial<AccountExportRow>): Promise<boolean> {
    const written = last.then(() => (lost.signal.aborted ? false : write(wanted)));
    // The caller gets the error.
    last = settled(written);
    return written;
  }

  function keepRenewing(): void {
    if (isStopped || lost.signal.aborted) return;
    timer = clock.after(RENEW_EVERY_MS, () => {
      // A failed renewal is retried; if failures persist, another process takes over.
      neverRejects(change({}).catch(warnOf('the lease of an export was not renewed')).then(keepRenewing));
    });
  }

  let timer = { cancel: () => {} };
  keepRenewing();
  return {
    lost: lost.signal,
    progress: () => progress,
    change,
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}
