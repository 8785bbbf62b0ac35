import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore } from './open.ts';
import { commitsInLog } from './testing/commits-in-log.ts';
import { describeStore } from './testing/conformance/index.ts';
import { noteIds } from './testing/conformance/notebook.ts';
import { answerUnsendable, dieMidway, note, writeNote } from './testing/conformance/write-commands.ts';
import { createSqliteDatabase } from './testing/index.ts';

describeStore(
  'SQLite',
  {
    createDatabase: createSqliteDatabase,
    countCommits: async (database) => commitsInLog(database),
  },
  (harness) => {
    describe('the embedded store', () => {
      it('syncs every commit to disk', async () => {
        const store = await harness.open();
        const setting = await store.transaction((trx) => sql`pragma synchronous`.execute(trx));
        const full = 2;
        expect(setting.rows).toEqual([{ synchronous: full }]);
      });

      it('rejects a command that no module has', async () => {
        const store = await harness.open({ commandModules: [] });
        await expect(store.run(writeNote, note(1))).rejects.toMatchObject({ code: 'unknown_command' });
      });

      it('fails only the item that cannot cross to its thread', async () => {
        const store = await harness.open();
        const withFunction = Object.assign(note(2), { callback: () => {} });
        const outcomes = await Promise.allSettled([
          store.run(writeNote, note(1)),
          store.run(writeNote, withFunction),
          store.run(writeNote, note(3)),
        ]);
        expect(outcomes[1]).toMatchObject({ reason: { code: 'statement_failed' } });
        expect(await noteIds(store)).toEqual([1, 3]);
      });

      it('does not repeat a commit whose results cannot be returned', async () => {
        const store = await harness.open();
        const outcomes = await Promise.allSettled([1, 2].map((id) => store.run(answerUnsendable, note(id))));
        for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'commit_unknown' } });
        expect(await noteIds(store)).toEqual([1, 2]);
      });

      it('is not ready while the disk is full, and is ready as soon as there is space', async () => {
        const store = await harness.open();
        const limitPages = (pages: string) =>
          store.transaction((trx) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(trx));
        const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(store.read);
        await limitPages(`${rows[0]?.page_count}`);
        await expect(store.check()).resolves.toBeUndefined();

        const large = note(1, { text: 'x'.repeat(100_000) });
        await expect(store.run(writeNote, large)).rejects.toMatchObject({ code: 'unavailable' });
        await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
        await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });

        await limitPages('1000000');
        await expect(store.check()).resolves.toBeUndefined();
        await store.run(writeNote, large);
        expect(await noteIds(store)).toEqual([1]);
      });

      it('never guesses: when its thread dies in a batch it reports that, and is not ready any more', async () => {
        const store = await harness.open();
        await expect(store.run(dieMidway, note(1))).rejects.toMatchObject({ code: 'commit_unknown' });
        await expect(store.run(writeNote, note(2))).rejects.toMatchObject({ code: 'unavailable' });
        await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
      });
    });
  },
);

describe('opening SQLite', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (url: string) =>
    openStore({ url, commandModules: [], migrations: [], clock: createSystemClock() });

  it('creates the data directory', async () => {
    const store = await open(`sqlite:${folder}/new/deep/parley.db`);
    expect(existsSync(`${folder}/new/deep/parley.db`)).toBe(true);
    await store.close();
  });

  it('reports a data directory that is not writable', async () => {
    writeFileSync(`${folder}/file`, '');
    await expect(open(`sqlite:${folder}/file/data/parley.db`)).rejects.toMatchObject({
      code: 'data_dir_unusable',
      message: `The data directory ${folder}/file/data cannot be written to (ENOTDIR).`,
    });
  });

  it('reports a file that is not a database, and does not change it', async () => {
    const text = 'Dear diary, '.repeat(1_000);
    writeFileSync(`${folder}/diary`, text);
    await expect(open(`sqlite:${folder}/diary`)).rejects.toMatchObject({
      code: 'not_a_database',
      message: `${folder}/diary is not a SQLite database; move it away or choose another path.`,
    });
    expect(readFileSync(`${folder}/diary`, 'utf8')).toBe(text);
  });

  it('reports a path that is a directory', async () => {
    await expect(open(`sqlite:${folder}`)).rejects.toMatchObject({ code: 'data_dir_unusable' });
  });

  it.each(['sqlite:relative/path', 'sqlite:', 'mysql://host/db', 'parley.db', 'postgres://'])(
    'refuses the address %s',
    async (url) => {
      await expect(open(url)).rejects.toMatchObject({ code: 'bad_url' });
    },
  );
});
