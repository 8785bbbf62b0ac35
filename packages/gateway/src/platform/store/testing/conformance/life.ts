import { describe, expect, it } from 'vitest';
import { createTable, types } from '../../migrations/columns.ts';
import { migrations } from '../../migrations/index.ts';
import type { Migration } from '../../types.ts';
import type { Harness } from './harness.ts';
import { noteIds, notes, notesMigration } from './notebook.ts';
import { note, writeNote } from './write-commands.ts';

const secondMigration: Migration = {
  version: 2,
  name: 'pages',
  async up(trx, dialect) {
    await createTable(trx, dialect, 'page').addColumn('id', types(dialect).integer).execute();
  },
};

const brokenMigration: Migration = {
  version: 3,
  name: 'broken',
  async up(trx, dialect) {
    await createTable(trx, dialect, 'half').addColumn('id', types(dialect).integer).execute();
    throw new Error('no further');
  },
};

export function describeLife(harness: Harness): void {
  describe('migrations', () => {
    it('run once each, in order, and keep existing rows', async () => {
      const first = await harness.open();
      await first.run(writeNote, note(1));
      await first.close();

      const second = await harness.open({ migrations: [notesMigration, secondMigration] });
      const applied = await second.read
        .selectFrom('schema_version')
        .select(['version', 'name'])
        .orderBy('version')
        .execute();
      expect(applied).toEqual([
        { version: 1, name: 'notes' },
        { version: 2, name: 'pages' },
      ]);
      expect(await noteIds(second)).toEqual([1]);
    });

    it('run once each when several processes open the same empty database at once', async () => {
      const both = [notesMigration, secondMigration];
      const stores = await Promise.all([1, 2, 3, 4].map(() => harness.open({ migrations: both })));
      await Promise.all(stores.map((store, id) => store.run(writeNote, note(id))));
      for (const store of stores) {
        expect(await store.read.selectFrom('schema_version').select('version').execute()).toHaveLength(2);
        expect(await noteIds(store)).toHaveLength(4);
      }
    });

    it('of the gateway itself apply to an empty database', async () => {
      const store = await harness.open({ migrations });
      const applied = await store.read.selectFrom('schema_version').select('version').execute();
      expect(applied).toHaveLength(migrations.length);
    });

    it('refuse a database of a newer Parley, naming both versions and changing nothing', async () => {
      const newer = await harness.open({ migrations: [notesMigration, secondMigration] });
      await newer.close();
      await expect(harness.open()).rejects.toMatchObject({
        code: 'newer_schema',
        message:
          'The database has schema version 2 and this Parley knows only up to 1; start a newer Parley.',
      });
      const again = await harness.open({ migrations: [notesMigration, secondMigration] });
      expect(await again.read.selectFrom('schema_version').select('version').execute()).toHaveLength(2);
    });

    it('are all rolled back when one of them fails', async () => {
      const broken = harness.open({ migrations: [notesMigration, secondMigration, brokenMigration] });
      await expect(broken).rejects.toThrow('no further');
      const repaired = await harness.open({ migrations: [notesMigration, secondMigration] });
      expect(await repaired.read.selectFrom('schema_version').select('version').execute()).toHaveLength(2);
    });

    it('must be listed in the order of their versions', async () => {
      const misplaced = harness.open({ migrations: [secondMigration, notesMigration] });
      await expect(misplaced).rejects.toThrow('Migration 1 (notes) must come after version 2.');
    });
  });

  describe('a store', () => {
    it('is ready while it is open', async () => {
      const store = await harness.open();
      await expect(store.check()).resolves.toBeUndefined();
    });

    it('keeps its data when it is reopened', async () => {
      const first = await harness.open();
      await Promise.all([1, 2, 3].map((id) => first.run(writeNote, note(id))));
      await first.close();
      const second = await harness.open();
      expect(await noteIds(second)).toHaveLength(3);
    });

    it('waits for work in progress when it closes, and refuses new work', async () => {
      const store = await harness.open();
      const writes = Array.from({ length: 2_500 }, (_, id) => store.run(writeNote, note(id)));
      const transaction = store.transaction((trx) =>
        notes(trx).insertInto('note').values(note(-1)).execute(),
      );
      const closing = store.close();
      await expect(store.run(writeNote, note(-2))).rejects.toMatchObject({ code: 'closed' });
      await expect(store.transaction(async () => {})).rejects.toMatchObject({ code: 'closed' });
      await Promise.all([...writes, transaction, closing]);

      const again = await harness.open();
      expect(await noteIds(again)).toHaveLength(2_501);
    });

    it('may be closed twice', async () => {
      const store = await harness.open();
      await Promise.all([store.close(), store.close()]);
      await expect(store.close()).resolves.toBeUndefined();
    });
  });
}
