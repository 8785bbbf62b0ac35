import { existsSync } from 'node:fs';
import type { Clock, SealedBox } from '#kernel';
import { isStoreError, lockDatabase, type Visit, visitDatabase } from '#platform/store';
import { SafekeepingError } from './archive.ts';
import { type About, installationOf } from './installation.ts';

/**
 * Prevents the original of a backup from running beside its copy: two clients with the same keys break each other's encryption. A
 * reachable original is checked for running gateways and shut once the copy is complete; for an unreachable one the operator has to
 * confirm.
 */
interface Original {
  /** Prevents any gateway from starting on it. */
  shut(backupId: string, now: number): Promise<void>;
  close(): Promise<void>;
}

const GONE: Original = { shut: async () => {}, close: async () => {} };

interface OriginalOptions {
  readonly about: About;
  /** Address given by the operator; otherwise the location in the backup is checked. */
  readonly url: string | undefined;
  /** The operator confirms that the original is gone. */
  readonly isGone: boolean;
  readonly box: Pick<SealedBox, 'open'>;
  readonly clock: Pick<Clock, 'now'>;
}

export async function findOriginal(options: OriginalOptions): Promise<Original> {
  const { about, url = nearby(about), isGone } = options;
  const found = url === undefined ? undefined : await openOriginal(url, options);
  if (found) return found;
  if (options.url !== undefined)
    throw new SafekeepingError(
      'the database that --original names is not the one that the backup was made of',
    );
  if (isGone) return GONE;
  throw new SafekeepingError(
    `the original (${about.origin.database} on ${about.origin.host}) could still run, and two gateways with the same keys break each other's numbers; name its database with --original, or say --original-is-gone when it will never start again`,
  );
}

/** Path of an embedded database on this machine, if there is one; its identity is checked later. */
function nearby({ origin }: About): string | undefined {
  const path = /^sqlite:(.*)$/.exec(origin.database)?.[1];
  return path !== undefined && existsSync(path) ? origin.database : undefined;
}

/** Undefined when it belongs to another installation, or was moved out of reach. */
async function openOriginal(
  url: string,
  { about, box, clock }: OriginalOptions,
): Promise<Original | undefined> {
  await using opened = new AsyncDisposableStack();
  const visit = await visitDatabase(url);
  opened.defer(() => visit.close());
  const { installation } = about.origin;
  if (installation === null || (await knownInstallation(visit, box)) !== installation) return undefined;
  const mark = await visit.mark();
  if (mark?.name === 'restoredElsewhere') {
    if (mark.of === about.id) return GONE;
    throw new SafekeepingError(
      'another backup of this installation was restored already, and lives elsewhere',
    );
  }
  if (mark) return undefined;
  const lock = lockOf(url);
  opened.defer(() => lock.release());
  const live = await visit.liveWorkers(clock.now());
  // For an embedded database the lock is more reliable: a killed process leaves a lease behind, but no lock.
  if (!url.startsWith('sqlite:') && live.length > 0)
    throw new SafekeepingError(`the original still runs (${live.join(', ')}); stop it first`);
  const held = opened.move();
  return {
    shut: (backupId, now) => visit.setMark('restoredElsewhere', backupId, now),
    close: () => held.disposeAsync(),
  };
}

async function knownInstallation(visit: Visit, box: Pick<SealedBox, 'open'>): Promise<string | null> {
  return installationOf(visit, box).catch((error: unknown) => {
    if (error instanceof SafekeepingError || isStoreError(error, 'not_a_database')) return null;
    throw error;
  });
}

function lockOf(url: string): ReturnType<typeof lockDatabase> {
  try {
    return lockDatabase(url);
  } catch (error) {
    if (!isStoreError(error, 'data_dir_in_use')) throw error;
    throw new SafekeepingError('the original still runs; stop it first');
  }
}
