import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '#config';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { createLog } from '#platform/observe';
import { migrations, openStore, type Store } from '#platform/store';
import type { TestDatabase } from '#platform/store/testing';
import { createDatabase, databaseNames } from '../testing/index.ts';
import { type App, createApp } from './create-app.ts';

const [key, otherKey] = [systemRandom.bytes(32), systemRandom.bytes(32)];
const WRONG =
  /The master key is not the one that this database is sealed under; set PARLEY_MASTER_KEY to that/;

describe.each(databaseNames)('the master key of a database (%s)', (name) => {
  let database: TestDatabase;
  let dataDir: string;
  const opened: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    database = await createDatabase(name);
    dataDir = mkdtempSync(join(tmpdir(), 'parley-test-'));
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });

  async function start(masterKey: Uint8Array): Promise<App> {
    const config = loadConfig({
      PARLEY_DATA_DIR: dataDir,
      PARLEY_DATABASE_URL: database.url,
      PARLEY_MASTER_KEY: Buffer.from(masterKey).toString('base64'),
    });
    const app = await createApp(config, { log: createLog('silent') });
    opened.push(app);
    return app;
  }

  async function inDatabase(work: (store: Store) => Promise<unknown>): Promise<void> {
    const clock = createSystemClock();
    const store = await openStore({ url: database.url, commandModules: [], migrations, clock });
    await work(store);
    await store.close();
  }

  test('is the one of its first start; any other stops the start', async () => {
    await (await start(key)).close();
    await expect(start(otherKey)).rejects.toThrow(WRONG);
    await (await start(key)).close();
  });

  test('is recognized by data sealed before there was a marker', async () => {
    const { seal } = createSealedBox({ masterKeys: [key], random: systemRandom });
    await inDatabase((store) =>
      store.transaction((trx) =>
        trx
          .insertInto('network_links')
          .values({ link_id: 'old', fence: 1, creds: seal(Buffer.from('creds'), 'x'), created_at: 0 })
          .execute(),
      ),
    );
    await expect(start(otherKey)).rejects.toThrow(WRONG);
    await (await start(key)).close();
    await expect(start(otherKey)).rejects.toThrow(WRONG);
  });
});
