import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { migrations, openStore, type Store } from '#platform/store';
import type { TestDatabase } from '#platform/store/testing';
import { keepToMasterKey, settleMasterKey } from '../../app/master-key.ts';
import { createDatabase, databaseNames } from '../../testing/index.ts';
import { resealAll } from './rotate.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const [oldKey, newKey] = [systemRandom.bytes(32), systemRandom.bytes(32)];
const boxUnder = (...masterKeys: [Uint8Array, ...Uint8Array[]]) =>
  createSealedBox({ masterKeys, random: systemRandom });
const clock = createSystemClock();

/** Hashes, bytes sealed under an account's key, and unsealed ones; markers are sealed anew last. */
const OTHER_BYTES = [
  'api_keys.secret_hash',
  'browser_sessions.token_hash',
  'history_marks.sealed',
  'history_messages.sealed',
  'idempotency_keys.request_hash',
  'media.details',
  'media_objects.fingerprint',
  'onboarding_links.browser_hash',
  'onboarding_links.token_hash',
  'one_time_links.token_hash',
  'recovery_codes.code_hash',
  'seal_markers.sealed',
  'write_probes.filler',
];

let database: TestDatabase;
let store: Store;
async function open(name: Parameters<typeof createDatabase>[0]): Promise<void> {
  database = await createDatabase(name);
  store = await openStore({ url: database.url, commandModules: [], migrations, clock });
}
afterEach(async () => {
  await store.close();
  await database.drop();
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

describe('sealing anew', () => {
  let db: DatabaseSync;
  beforeEach(async () => {
    await open('SQLite');
    db = new DatabaseSync(database.url.slice('sqlite:'.length), { enableForeignKeyConstraints: false });
  });
  afterEach(() => db.close());
  const columnsOf = (table: string): Column[] =>
    db
      .prepare('SELECT name, lower(type) AS type, pk FROM pragma_table_info(?)')
      .all(table) as unknown as Column[];

  it('knows every column of bytes, and the key of its table', () => {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
      name: string;
    }[];
    const bytes = tables.flatMap(({ name: table }) =>
      columnsOf(table).flatMap(({ name, type }) => (type === 'blob' ? [`${table}.${name}`] : [])),
    );
    const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(bytes.sort()).toEqual([...sealed, ...OTHER_BYTES].sort());
    for (const { table, key } of SEALED_COLUMNS) {
      const primary = columnsOf(table).filter(({ pk }) => pk > 0);
      expect(primary.map(({ name }) => name).sort(), table).toEqual([...key].sort());
    }
  });

  it('leaves nothing that needs the old key, in any of them, and stops for nothing that it cannot open', async () => {
    const old = boxUnder(oldKey);
    for (const { table } of new Map(SEALED_COLUMNS.map((each) => [each.table, each])).values()) {
      for (const place of [1, 2]) {
        const row = Object.fromEntries(
          columnsOf(table).map(({ name, type }): [string, string | number | Uint8Array] => {
            if (type === 'blob') return [name, new Uint8Array([1, 2, 3, 4, 5, 6])];
            return [name, type === 'text' ? `${name} ${place}` : place];
          }),
        );
        for (const { table: of, column, context } of SEALED_COLUMNS) {
          if (of === table) row[column] = old.seal(Buffer.from(`${column} ${place}`), context(row as never));
        }
        const names = Object.keys(row);
        const values = names.map(() => '?').join();
        db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${values})`).run(...Object.values(row));
      }
    }
    db.exec("UPDATE webhooks SET secret = x'0102030405060708' WHERE id = 'id 2'");
    const both = boxUnder(newKey, oldKey);
    const first = await resealAll(store, both, () => {});
    expect(first).toEqual({ rows: SEALED_COLUMNS.length * 2 - 1, unopened: 1 });
    expect((await resealAll(store, both, () => {})).rows).toBe(0);
    const fresh = boxUnder(newKey);
    for (const { table, column, context } of SEALED_COLUMNS) {
      const row = db.prepare(`SELECT * FROM ${table}`).get() as Record<string, string> &
        Record<string, Uint8Array>;
      const opened = fresh.open(row[column] ?? new Uint8Array(), context(row));
      expect(Buffer.from(opened).toString(), `${table}.${column}`).toBe(`${column} 1`);
    }
  });

  it('goes on where it was stopped, and does not overwrite what was written meanwhile', async () => {
    const seal = (text: string, id: string, box = boxUnder(oldKey)) =>
      box.seal(Buffer.from(text), `data key ${id}`);
    const ids = Array.from({ length: 120 }, (_, index) => `acc_${String(index).padStart(3, '0')}`);
    const insert = db.prepare('INSERT INTO data_keys (account_id, sealed, created_at) VALUES (?, ?, 0)');
    for (const id of ids) insert.run(id, seal('first', id));
    const both = boxUnder(newKey, oldKey);
    const stopped = resealAll(store, both, ({ place, done }) => {
      if (place === 'data_keys.sealed' && done >= 50) throw new Error('killed');
    });
    await expect(stopped).rejects.toThrow('killed');
    const changed = ids[60] ?? '';
    let hasChanged = false;
    const busy: Pick<Store, 'read' | 'transaction'> = {
      read: store.read,
      // A concurrent write between the read of a box and its replacement.
      transaction(work) {
        if (!hasChanged) {
          const anew = seal('second', changed, both);
          db.prepare('UPDATE data_keys SET sealed = ? WHERE account_id = ?').run(anew, changed);
        }
        hasChanged = true;
        return store.transaction(work);
      },
    };
    expect((await resealAll(busy, both, () => {})).rows).toBe(70);
    const kept = db.prepare('SELECT account_id, sealed FROM data_keys').all() as unknown as {
      account_id: string;
      sealed: Uint8Array;
    }[];
    const texts = kept.map(({ account_id: id, sealed }) =>
      Buffer.from(boxUnder(newKey).open(sealed, `data key ${id}`)).toString(),
    );
    expect(texts.filter((text) => text === 'first')).toHaveLength(119);
  });
});

describe.each(databaseNames)('a change of the master key (%s)', (name) => {
  beforeEach(() => open(name));

  const keep = (...keys: [Uint8Array, ...Uint8Array[]]) =>
    keepToMasterKey(store, keys, { random: systemRandom, now: clock.now() });

  it('asks for both keys until it is done, and for the new one alone from then on', async () => {
    const { fingerprintKey } = await keep(oldKey);
    const sealed = boxUnder(oldKey).seal(Buffer.from('creds'), 'network/link_1/creds/');
    await store.transaction((trx) =>
      trx
        .insertInto('network_links')
        .values({ link_id: 'link_1', fence: 1, creds: sealed, created_at: 0 })
        .execute(),
    );
    await keep(oldKey, newKey);
    await keep(oldKey);
    await keep(newKey, oldKey);
    await expect(keep(oldKey)).rejects.toThrow(
      'is being changed; until parley rotate-master-key has done that',
    );
    await expect(keep(newKey)).rejects.toThrow('is not the one that this database is sealed under');

    const both = boxUnder(newKey, oldKey);
    expect(await resealAll(store, both, () => {})).toEqual({ rows: 1, unopened: 0 });
    await settleMasterKey(store, both);
    await expect(keep(oldKey)).rejects.toThrow('is not the one that this database is sealed under');
    expect(await keep(newKey)).toEqual({ fingerprintKey });
    const { creds } = await store.read.selectFrom('network_links').select('creds').executeTakeFirstOrThrow();
    expect(Buffer.from(boxUnder(newKey).open(creds, 'network/link_1/creds/')).toString()).toBe('creds');
  });
});
