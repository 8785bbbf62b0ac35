import { type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import type { Store } from '#platform/store';
import type { MediaStore } from './blobs/port.ts';
import { dropOldCopies } from './inbound/arrival-queries.ts';
import { nameOf } from './library.ts';
import { dropExpiredMedia, knownObjects } from './media-queries.ts';

interface SweepParts {
  readonly store: Store;
  readonly blobs: Pick<MediaStore, 'delete' | 'list'>;
  readonly clock: Clock;
  /** By which the age of files in the media store is measured. */
  readonly machineClock: Pick<Clock, 'now'>;
  readonly log: JobLog;
}

const EVERY_MS = 60_000;
const ORPHANS_EVERY_MS = 60 * 60_000;
const PER_STEP = 200;
/** Delay after the published expiry: a send accepted in the last moment has recorded its file by then. */
const GRACE_MS = 60 * 60_000;
/** An upload is noted long before; clocks of other machines may be wrong by hours. */
const ORPHAN_AFTER_MS = DAY_MS;

/** Drops files whose time is over, and copies of those that the network still has, in small steps. */
export function startMediaRetention(parts: SweepParts): PeriodicJob {
  return startPeriodicJob({
    ...parts,
    everyMs: EVERY_MS,
    name: 'media-retention',
    work: (stopping) => dropOldMedia(parts, stopping),
  });
}

/** Deletes orphans: files of processes that died between storing and recording one, or between dropping and deleting one. */
export function startOrphanSweep(parts: SweepParts): PeriodicJob {
  return startPeriodicJob({
    ...parts,
    firstAfterMs: ORPHANS_EVERY_MS,
    everyMs: ORPHANS_EVERY_MS,
    name: 'unknown-media',
    work: (stopping) => dropOrphans(parts, stopping),
  });
}

export async function dropOldMedia(
  { store, blobs, clock }: Pick<SweepParts, 'store' | 'blobs' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  const before = clock.now() - GRACE_MS;
  for (let dropped = PER_STEP; dropped === PER_STEP && !stopping?.aborted; ) {
    const { media, objects } = await dropExpiredMedia(store, before, PER_STEP);
    dropped = media;
    for (const { account_id, id } of objects) await blobs.delete(nameOf(account_id, id));
  }
  for (let dropped = PER_STEP; dropped === PER_STEP && !stopping?.aborted; ) {
    const { copies, objects } = await dropOldCopies(store, clock.now(), PER_STEP);
    dropped = copies;
    for (const { account_id, id } of objects) await blobs.delete(nameOf(account_id, id));
  }
}

export async function dropOrphans(
  { store, blobs, machineClock }: Pick<SweepParts, 'store' | 'blobs' | 'machineClock'>,
  stopping?: AbortSignal,
): Promise<void> {
  const before = machineClock.now() - ORPHAN_AFTER_MS;
  let names: string[] = [];
  const dropUnknown = async (): Promise<void> => {
    if (names.length === 0) return;
    const objectOf = (name: string): string => name.split('/')[1] ?? '';
    const known = await knownObjects(store.read, names.map(objectOf));
    for (const name of names) if (!known.has(objectOf(name))) await blobs.delete(name);
    names = [];
  };
  for await (const { name, madeAt } of blobs.list()) {
    if (stopping?.aborted) return;
    if (madeAt < before) names.push(name);
    if (names.length === PER_STEP) await dropUnknown();
  }
  await dropUnknown();
}
