import { rmSync, statSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { awaitedLater, createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import {
  makeUsableDirectory,
  migrations,
  openStore,
  readSchemaState,
  type Store,
  StoreError,
  writeOnce,
} from '#platform/store';
import { openBus } from '../../app/bus.ts';
import { assertMasterKey, obtainMasterKeys } from '../../app/master-key.ts';
import type { Config } from '../../config/config.ts';
import { type Check, CheckFailure, inMs } from './check.ts';
import { serverVersion } from './database-queries.ts';

const LEAST_FREE_BYTES = 512 * 1024 ** 2;

/** The data dir is writable, for this user only. */
export const folder: Check = {
  name: 'folder',
  async run({ dataDir }) {
    const probe = path.join(dataDir, 'doctor.probe');
    try {
      makeUsableDirectory(dataDir);
      writeFileSync(probe, 'x', { flush: true });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new CheckFailure(
        error instanceof StoreError ? message : `${dataDir} cannot be written to (${code})`,
      );
    } finally {
      rmSync(probe, { force: true });
    }
    const { mode } = statSync(dataDir);
    const others = (mode & 0o077) === 0 ? '' : '; others on this machine may look into it (chmod 700)';
    return `${dataDir} can be written to${others}`;
  },
};

export const diskSpace: Check = {
  name: 'disk space',
  async run({ dataDir, mediaUrl }) {
    const folders = new Set([
      dataDir,
      mediaUrl.startsWith('file:') ? mediaUrl.slice('file:'.length) : dataDir,
    ]);
    const found: string[] = [];
    for (const each of folders) {
      const { bavail, blocks, bsize } = await statfs(nearestFolder(each));
      const summary = `${inGb(bavail * bsize)} of ${inGb(blocks * bsize)} left for ${each}`;
      if (bavail * bsize < LEAST_FREE_BYTES)
        throw new CheckFailure(`${summary}; the gateway stops writing when none is`);
      found.push(summary);
    }
    return found.join(', ');
  },
};

/** It may not be made yet. */
function nearestFolder(wanted: string): string {
  return statSync(wanted, { throwIfNoEntry: false }) ? wanted : nearestFolder(path.dirname(wanted));
}

function inGb(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

/** Limit, so that the check takes a few seconds. */
const CHECKED_UP_TO_BYTES = 4 * 1024 ** 3;
const WRITES = 5;
const SLOWEST_COMMIT_MS = 1_000;

const clock = createSystemClock();

/** Opened once for all checks; a database of another release is left as it is. */
export interface OpenedStore {
  /** Rejects with what is wrong. */
  readonly store: Promise<Store>;
  /** Undefined when it cannot be opened, which is for the check of the store to report. */
  ifOpened(): Promise<Store | undefined>;
  close(): Promise<void>;
}

export function openForDoctor(config: Config): OpenedStore {
  const store = (async () => {
    const { applied, pending } = await readSchemaState(config.databaseUrl, migrations);
    const [found, known] = [applied.at(-1)?.version ?? 0, migrations.at(-1)?.version ?? 0];
    if (found > 0 && pending.length > 0)
      throw new CheckFailure(
        `it has schema version ${found}; this release brings it to ${known} with its first start`,
      );
    return openStore({
      url: config.databaseUrl,
      commandModules: [],
      migrations,
      checkedUpToBytes: CHECKED_UP_TO_BYTES,
      clock,
    });
  })();
  awaitedLater(store);
  return {
    store,
    ifOpened,
    close: async () => (await ifOpened())?.close(),
  };

  async function ifOpened(): Promise<Store | undefined> {
    const [outcome] = await Promise.allSettled([store]);
    return outcome.status === 'fulfilled' ? outcome.value : undefined;
  }
}

export const masterKeyIn = ({ ifOpened }: OpenedStore): Check => ({
  name: 'master key',
  async run(config) {
    const masterKeys = obtainMasterKeys(config, systemRandom);
    const opened = await ifOpened();
    if (!opened) return 'there is one; the database could not be asked';
    await assertMasterKey(opened, createSealedBox({ masterKeys, random: systemRandom }));
    return masterKeys.length > 1 ? 'opens the database; it is being changed' : 'opens the database';
  },
});

export const databaseIn = ({ store }: OpenedStore): Check => ({
  name: 'store',
  async run() {
    const opened = await store;
    await opened.check();
    const times: number[] = [];
    for (let write = 0; write < WRITES; write++) {
      const startedAt = clock.monotonic();
      await writeOnce(opened);
      times.push(clock.monotonic() - startedAt);
    }
    const [, , median = 0] = times.sort((a, b) => a - b);
    const summary = `${await serverVersion(opened)}, schema ${migrations.at(-1)?.version}, a commit takes ${inMs(median)}`;
    if (median > SLOWEST_COMMIT_MS) throw new CheckFailure(`${summary}; every send waits for one`);
    return summary;
  },
});

export const bus: Check = {
  name: 'bus',
  async run(config) {
    const opened = await openBus(config, { clock, random: systemRandom, log: createLog('silent') });
    try {
      const startedAt = clock.monotonic();
      await opened.check();
      return config.busUrls.length === 0
        ? 'in this process'
        : `answers in ${inMs(clock.monotonic() - startedAt)}`;
    } finally {
      await opened.close();
    }
  },
};
