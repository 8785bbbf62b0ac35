import { awaitedLater, createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#ops';
import { migrations, openStore, readSchemaState, type Store, writeOnce } from '#store';
import type { Config } from '../../config.ts';
import { assertMasterKey, obtainMasterKeys } from '../../master-key.ts';
import { openBus } from '../../open-bus.ts';
import { Ailment, type Check, inMs } from './check.ts';
import { serverVersion } from './database-store.ts';

/** Whoever asks a doctor has some seconds. */
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
      throw new Ailment(
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
    const told = `${await serverVersion(opened)}, schema ${migrations.at(-1)?.version}, a commit takes ${inMs(median)}`;
    if (median > SLOWEST_COMMIT_MS) throw new Ailment(`${told}; every send waits for one`);
    return told;
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
