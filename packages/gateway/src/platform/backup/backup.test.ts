import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { lockDatabase, migrations, openStore, type Store } from '#platform/store';
import { backUp, checkBackup, contextOfMarker, giveUpRestore, INSTALLATION, restore } from './index.ts';

const [key, otherKey] = [systemRandom.bytes(32), systemRandom.bytes(32)];
const boxUnder = (masterKey: Uint8Array) =>
  createSealedBox({ masterKeys: [masterKey], random: systemRandom });
const box = boxUnder(key);
const clock = createSystemClock();
const PHOTO = randomBytes(200_000);

let folder: string;
let dataDir: string;
let elsewhere: string;
let file: string;
const inside = (...names: string[]): string => path.join(dataDir, ...names);

async function inDatabase<T>(of: string, work: (store: Store) => Promise<T>): Promise<T> {
  const url = `sqlite:${path.join(of, 'parley.db')}`;
  const store = await openStore({ url, commandModules: [], migrations, clock });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

let template: string;
beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  mkdirSync(path.join(template, 'media', 'acc_1'), { recursive: true });
  mkdirSync(path.join(template, 'media', 'incoming'));
  writeFileSync(path.join(template, 'media', 'acc_1', 'aa11'), PHOTO);
  writeFileSync(path.join(template, 'media', 'incoming', 'half'), 'half');
  await inDatabase(template, (store) =>
    store.transaction(async (trx) => {
      const sealed = box.seal(randomBytes(16), contextOfMarker(INSTALLATION));
      await trx.insertInto('seal_markers').values({ name: INSTALLATION, sealed, made_at: 0 }).execute();
      await trx.insertInto('account_limits').values({ account_id: 'acc_1', full_at: 7 }).execute();
    }),
  );
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  dataDir = path.join(folder, 'here');
  elsewhere = path.join(folder, 'elsewhere');
  file = path.join(folder, 'of-today');
  cpSync(template, dataDir, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const places = () => ({
  dataDir,
  databaseUrl: `sqlite:${inside('parley.db')}`,
  mediaUrl: `file:${inside('media')}`,
});
const takeBackup = (options: Partial<Parameters<typeof backUp>[0]> = {}) =>
  backUp({
    ...places(),
    file,
    dump: undefined,
    version: '1.2.3',
    box,
    clock,
    random: systemRandom,
    onProgress: () => {},
    ...options,
  });
const putBack = (options: Partial<Parameters<typeof restore>[0]> = {}) =>
  restore({
    file,
    dataDir: elsewhere,
    mediaUrl: `file:${path.join(elsewhere, 'media')}`,
    box,
    original: { url: undefined, isGone: false },
    clock,
    onProgress: () => {},
    ...options,
  });
const open = (of: string) =>
  inDatabase(of, (store) => store.read.selectFrom('account_limits').selectAll().execute());

describe('a backup', () => {
  it('is one file that reveals nothing without the master key, and restores everything with it', async () => {
    const made = await takeBackup();
    expect(readdirSync(folder).sort()).toEqual(['here', 'of-today']);
    expect(readdirSync(dataDir)).not.toContain('backing-up');
    for (const word of ['acc_1', 'parley.db', 'about', 'schema_version', 'SQLite format'])
      expect(readFileSync(file).includes(word), word).toBe(false);
    expect(made.rows).toMatchObject({ account_limits: 1, accounts: 0 });
    expect(made.entries.map(({ name }) => name)).toEqual(['parley.db', 'media/acc_1/aa11']);
    expect(await checkBackup({ file, box, onProgress: () => {} })).toEqual(made);
    expect(await putBack()).toEqual(made);
    expect(await open(elsewhere)).toEqual([{ account_id: 'acc_1', full_at: 7 }]);
    expect(readFileSync(path.join(elsewhere, 'media', 'acc_1', 'aa11')).equals(PHOTO)).toBe(true);
    expect(readdirSync(path.join(elsewhere, 'media'))).toEqual(['acc_1']);
  });

  it('does not open with another key, when truncated, or with any of its bytes changed', async () => {
    await takeBackup();
    await expect(putBack({ box: boxUnder(otherKey) })).rejects.toThrow('does not open with this master key');
    const whole = readFileSync(file);
    for (const at of [20, 30, 70, 100, 70_000, whole.length - 1]) {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] ?? 0) ^ 1;
      writeFileSync(file, altered);
      await expect(checkBackup({ file, box, onProgress: () => {} }), `byte ${at}`).rejects.toThrow(
        /damaged|does not open|is not a backup/,
      );
    }
    writeFileSync(file, whole);
    for (const size of [10, 80, 90_000, whole.length - 1, 66 + 3 * (64 * 1024 + 16)]) {
      truncateSync(file, size);
      await expect(checkBackup({ file, box, onProgress: () => {} }), `${size} bytes`).rejects.toThrow(
        /damaged|is not a backup/,
      );
      writeFileSync(file, whole);
    }
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('leaves no complete-looking file when it is interrupted', async () => {
    const onProgress = ({ step }: { step: string }): void => {
      if (step === 'files') throw new Error('the disk is full');
    };
    await expect(takeBackup({ onProgress })).rejects.toThrow('the disk is full');
    expect(readdirSync(folder)).toEqual(['here']);
    expect(readdirSync(dataDir)).not.toContain('backing-up');
    await takeBackup();
    await expect(takeBackup()).rejects.toThrow('is there already');
  });

  it('of PostgreSQL names the dump that it needs, without the password', async () => {
    const databaseUrl = 'postgres://parley:hunter2@db.internal/parley';
    const refusal = takeBackup({ databaseUrl });
    await expect(refusal).rejects.toThrow(
      "pg_dump --format=custom --no-owner --file=parley.dump 'postgres://parley@db.internal/parley'",
    );
    await expect(refusal).rejects.not.toThrow('hunter2');
    await expect(takeBackup({ databaseUrl, dump: inside('parley.db') })).rejects.toThrow('is no dump');
  });
});

describe('a restore', () => {
  beforeEach(() => takeBackup());

  it('shuts the original that it finds, and giving up reopens it', async () => {
    await putBack();
    await expect(open(dataDir)).rejects.toThrow('was restored elsewhere from a backup');
    await giveUpRestore(places().databaseUrl);
    expect(await open(dataDir)).toHaveLength(1);
    await expect(giveUpRestore(places().databaseUrl)).rejects.toThrow('was not shut by a restore');
  });

  it('is refused while the original runs, whatever the operator states', async () => {
    const lock = lockDatabase(places().databaseUrl);
    const original = { url: undefined, isGone: true };
    await expect(putBack({ original })).rejects.toThrow('the original still runs; stop it first');
    expect(existsSync(elsewhere)).toBe(false);
    lock.release();
    await putBack({ original });
    await expect(open(dataDir)).rejects.toThrow('was restored elsewhere');
  });

  it('of an unreachable original needs the operator’s confirmation', async () => {
    rmSync(dataDir, { recursive: true });
    await expect(putBack()).rejects.toThrow(/could still run.*--original-is-gone/);
    expect(existsSync(elsewhere)).toBe(false);
    await putBack({ original: { url: undefined, isGone: true } });
    expect(await open(elsewhere)).toHaveLength(1);
  });

  it('does not accept another installation as the original', async () => {
    const url = `sqlite:${path.join(folder, 'other', 'parley.db')}`;
    await inDatabase(path.join(folder, 'other'), async () => {});
    await expect(putBack({ original: { url, isGone: true } })).rejects.toThrow('is not the one');
    expect(await open(path.join(folder, 'other'))).toEqual([]);
  });

  it('happens once: the next copy of the same installation is refused', async () => {
    await putBack();
    const third = path.join(folder, 'third');
    file = path.join(folder, 'another');
    await giveUpRestore(places().databaseUrl);
    await takeBackup();
    await putBack({ dataDir: third, mediaUrl: `file:${path.join(third, 'media')}` });
    file = path.join(folder, 'of-today');
    const fourth = path.join(folder, 'fourth');
    await expect(putBack({ dataDir: fourth, mediaUrl: `file:${fourth}/media` })).rejects.toThrow(
      'another backup of this installation was restored already',
    );
  });

  it('requires an empty folder, except for the key', async () => {
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'master.key'), 'the key');
    writeFileSync(path.join(elsewhere, 'diary'), 'precious');
    await expect(putBack()).rejects.toThrow('is not empty');
    expect(readdirSync(elsewhere).sort()).toEqual(['diary', 'master.key']);
    rmSync(path.join(elsewhere, 'diary'));
    await putBack();
    expect(readFileSync(path.join(elsewhere, 'master.key'), 'utf8')).toBe('the key');
  });

  it('leaves a database on which nothing starts when it is killed, and can be repeated', async () => {
    const onProgress = ({ name }: { name: string }): void => {
      if (name.startsWith('media/')) throw new Error('killed');
    };
    await expect(putBack({ onProgress })).rejects.toThrow('killed');
    await expect(open(elsewhere)).rejects.toThrow('was not restored to its end; run parley restore again');
    expect(await open(dataDir)).toHaveLength(1);
    await putBack();
    expect(await open(elsewhere)).toHaveLength(1);
  });

  it('does not touch a new gateway started after the restore was given up', async () => {
    const onProgress = (): void => {
      throw new Error('killed');
    };
    await expect(putBack({ onProgress })).rejects.toThrow('killed');
    await inDatabase(elsewhere, async () => {});
    await expect(putBack()).rejects.toThrow('is not empty');
    expect(await open(elsewhere)).toEqual([]);
  });

  it('is refused for a newer schema', async () => {
    await inDatabase(dataDir, (store) =>
      store.transaction((trx) =>
        trx
          .insertInto('schema_version')
          .values({ version: 9_999, name: 'tomorrow', applied_at: 0 })
          .execute(),
      ),
    );
    rmSync(file);
    await takeBackup();
    await expect(putBack()).rejects.toThrow(/schema version 9999 and this Parley knows only up to \d+/);
    expect(existsSync(elsewhere)).toBe(false);
  });
});
