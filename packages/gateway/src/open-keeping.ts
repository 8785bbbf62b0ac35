import type { Config } from '#config';
import { type Clock, createSealedBox, type MasterKeys, type Random, type SealedBox } from '#kernel';
import type { Log } from '#ops';
import { lockDatabase, lockDataDir, migrations, openStore, type Store, type StoreOptions } from '#store';
import { heapLimitMb } from './hosting/heap-limit.ts';
import { keepToMasterKey, obtainMasterKeys } from './master-key.ts';
import { findModules } from './store-modules.ts';

interface Parts {
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onCommit: StoreOptions['onCommit'];
}

/** What another thread of this process makes the same box of. */
interface Keys {
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
}

/** Of each of the two threads of the embedded database: they hold statements and what is on its way, and keep nothing. */
const DATABASE_HEAP = { share: 0.25, leastMb: 256, mostMb: 2_048 };

/** The database, held by this process alone where it is a file, and the key under which its secrets are sealed. */
export async function openKeeping(
  config: Config,
  { clock, machineClock, random, log, onCommit }: Parts,
  opened: AsyncDisposableStack,
): Promise<{ store: Store; sealedBox: SealedBox; keys: Keys }> {
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
