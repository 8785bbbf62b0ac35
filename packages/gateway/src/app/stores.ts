import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '#config';
import { type Clock, createSealedBox, type MasterKeys, type Random, type SealedBox } from '#kernel';
import type { Log } from '#platform/observe';
import {
  lockDatabase,
  lockDataDir,
  makeUsableDirectory,
  migrations,
  openStore,
  type Store,
  type StoreOptions,
} from '#platform/store';
import { heapLimitMb } from './hosting/thread-sizing.ts';
import { keepToMasterKey, obtainMasterKeys } from './master-key.ts';

interface Parts {
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onCommit: StoreOptions['onCommit'];
}

/** Keys with which another thread of this process creates the same box. */
interface Keys {
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
}

/** For each of the two threads of the embedded database: they hold statements and data in transit, and cache little. */
const DATABASE_HEAP = { share: 0.25, leastMb: 256, mostMb: 2_048 };

/** Opens the database, locked for this process where it is a file, and the key that seals its secrets. */
export async function openStores(
  config: Config,
  { clock, machineClock, random, log, onCommit }: Parts,
  opened: AsyncDisposableStack,
): Promise<{ store: Store; sealedBox: SealedBox; keys: Keys }> {
  makeUsableDirectory(config.dataDir);
  const isEmbedded = config.databaseUrl.startsWith('sqlite:');
  const lock = isEmbedded ? lockDataDir(config.dataDir) : undefined;
  opened.defer(() => lock?.release());
  const databaseLock = lockDatabase(config.databaseUrl);
  opened.defer(() => databaseLock.release());
  const masterKeys = obtainMasterKeys(config, random);
  const store = await openStore({
    url: config.databaseUrl,
    commandModules: findModules('write-commands'),
    readingModules: findModules('readings'),
    masterKeys,
    migrations,
    clock: machineClock,
    log,
    heapMb: heapLimitMb(DATABASE_HEAP),
    ...(onCommit && { onCommit }),
  });
  opened.defer(() => store.close());
  const { fingerprintKey } = await keepToMasterKey(store, masterKeys, { random, now: clock.now() });
  const keys = { masterKeys, fingerprintKey };
  return { store, sealedBox: createSealedBox({ ...keys, random }), keys };
}

/** The sources, or the bundle with the same layout. */
const ROOT = path.dirname(import.meta.dirname);
const ROOMS = '{*,platform/*,surfaces/*}';

/**
 * Finds the modules that the threads of the embedded database import: every `<room>/write-commands` and `<room>/readings`. A room
 * registers one by containing it.
 */
export function findModules(name: 'write-commands' | 'readings'): URL[] {
  return globSync(`${ROOMS}/${name}.{ts,cjs}`, { cwd: ROOT }).map((file) =>
    pathToFileURL(path.join(ROOT, file)),
  );
}
