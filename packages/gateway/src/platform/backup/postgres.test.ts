import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { migrations, openStore } from '#platform/store';
import { createPostgresDatabase, requirePostgres, type TestDatabase } from '#platform/store/testing';
import { backUp, contextOfMarker, giveUpRestore, INSTALLATION, restore } from './index.ts';

const box = createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom });
const clock = createSystemClock();
let folder: string;
let database: TestDatabase;
const open = () => openStore({ url: database.url, commandModules: [], migrations, clock });

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  database = await createPostgresDatabase(requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL));
  const store = await open();
  const now = clock.now();
  await store.transaction(async (trx) => {
    const sealed = box.seal(randomBytes(16), contextOfMarker(INSTALLATION));
    await trx.insertInto('seal_markers').values({ name: INSTALLATION, sealed, made_at: 0 }).execute();
    const lease = { started_at: now, last_seen: now, lease_expires_at: now + 60_000, key_ids: null };
    await trx
      .insertInto('workers')
      .values({ worker: 'machine-1', ...lease })
      .execute();
  });
  await store.close();
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('includes a dump of PostgreSQL, and extracts it once its original is stopped and shut', async () => {
  const dump = path.join(folder, 'dump');
  writeFileSync(dump, 'PGDMP and so on');
  const [file, dataDir] = [path.join(folder, 'backup'), path.join(folder, 'data')];
  const mediaUrl = `file:${path.join(dataDir, 'media')}`;
  const made = await backUp({
    ...{ file, dump, dataDir: folder, mediaUrl, databaseUrl: database.url },
    ...{ version: '1.2.3', box, clock, random: systemRandom, onProgress: () => {} },
  });
  expect(made).toMatchObject({
    dialect: 'postgres',
    rows: { workers: 1 },
    entries: [{ name: 'parley.dump' }],
  });

  const putBack = (url: string | undefined, isGone = false) =>
    restore({ file, dataDir, mediaUrl, box, original: { url, isGone }, clock, onProgress: () => {} });
  await expect(putBack(undefined)).rejects.toThrow('could still run');
  await expect(putBack(database.url, true)).rejects.toThrow(
    'the original still runs (machine-1); stop it first',
  );
  expect(readdirSync(folder)).not.toContain('data');

  const store = await open();
  await store.transaction((trx) => trx.updateTable('workers').set({ lease_expires_at: 0 }).execute());
  await store.close();
  await putBack(database.url);
  expect(readFileSync(path.join(dataDir, 'parley.dump'), 'utf8')).toBe('PGDMP and so on');
  await expect(open()).rejects.toThrow('was restored elsewhere from a backup');
  await giveUpRestore(database.url);
  await (await open()).close();
});
