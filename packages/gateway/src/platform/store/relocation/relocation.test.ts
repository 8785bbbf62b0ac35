import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock, systemRandom } from '#kernel';
import { migrations } from '../migrations/index.ts';
import { openStore } from '../open.ts';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  fillTables,
  requirePostgres,
  type TestDatabase,
} from '../testing/index.ts';
import { giveUpRelocation, type RelocationOptions, relocate } from './relocate.ts';

const server = requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL);
const clock = createSystemClock();

let from: TestDatabase;
let to: TestDatabase;

const open = ({ url }: TestDatabase) => openStore({ url, commandModules: [], migrations, clock });
const make = async (database: TestDatabase): Promise<void> => (await open(database)).close();

beforeEach(async () => {
  [from, to] = await Promise.all([createSqliteDatabase(), createPostgresDatabase(server)]);
  await make(from);
});
afterEach(() => Promise.all([from.drop(), to.drop()]));

const move = (overrides: Partial<RelocationOptions> = {}) =>
  relocate({
    from: from.url,
    to: to.url,
    clock,
    random: systemRandom,
    opens: () => true,
    onProgress: () => {},
    ...overrides,
  });

function inSource<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(from.url.slice('sqlite:'.length));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

async function inTarget<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: to.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Every value of a table, in one text. */
async function contentsOf(table: string, key: string): Promise<[string, string]> {
  const source = inSource((db) => db.prepare(`SELECT * FROM ${table} ORDER BY ${key} LIMIT 2000`).all());
  const target = await inTarget(`SELECT * FROM ${table} ORDER BY ${key} LIMIT 2000`);
  return [plain(source), plain(target)];
}

function plain(rows: readonly object[]): string {
  return JSON.stringify(rows, (_name, value) => {
    // The JSON form of a Buffer, and PostgreSQL's texts for large integers.
    if (value?.type === 'Buffer') return Buffer.from(value.data).toString('hex');
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  });
}

/** Simulates a kill in the middle. */
class Killed extends Error {}

describe('moving from SQLite to PostgreSQL', () => {
  it('brings every row, however often it is interrupted, and continues the numbering of the source', async () => {
    await fillTables(from.url, { now: clock.now(), messageId: '3EB0', rows: 6_000 });
    // The last numbers belonged to rows that were deleted.
    inSource((db) => db.exec('DELETE FROM deliveries WHERE seq > 5900'));

    const interruptAt = ['devices', 'deliveries', 'messages'];
    for (const table of interruptAt) {
      const interrupted = move({
        onProgress: (progress) => {
          if (progress.table === table && progress.rows >= 2_000) throw new Killed();
        },
      });
      await expect(interrupted).rejects.toThrow(Killed);
      await expect(open(from)).rejects.toMatchObject({ code: 'being_moved' });
      await expect(open(to)).rejects.toMatchObject({ code: 'being_moved' });
    }
    const moved = await move();
    expect(moved).toContainEqual({ table: 'deliveries', rows: 5_900, of: 5_900 });
    expect(moved.map(({ table }) => table)).not.toContain('workers');
    for (const [table, key] of [
      ['accounts', 'id'],
      ['network_links', 'link_id'],
      ['network_records', 'link_id, id'],
      ['deliveries', 'seq'],
      ['outbox', 'slot_id, seq'],
      ['send_limits', 'slot_id'],
      ['audit_log', 'number'],
    ] as const) {
      const [source, target] = await contentsOf(table, key);
      expect(target, table).toBe(source);
    }

    const store = await open(to);
    const added = await store.transaction((trx) =>
      trx
        .insertInto('deliveries')
        .values({
          account_id: 'a',
          webhook_id: 'w',
          event_id: 'e',
          kind: 'message',
          category: 'messages',
          url: 'u',
          size: 0,
          status: 'dead',
          queued_at: 0,
          due_at: 0,
          event: '{}',
          event_seq: null,
        })
        .returning('seq')
        .executeTakeFirstOrThrow(),
    );
    expect(added.seq).toBe(6_001);
    await store.close();
    await expect(open(from)).rejects.toMatchObject({ code: 'moved_away' });
    await expect(move()).rejects.toMatchObject({ code: 'moved_away' });
  });

  it('marks the source when it was killed just before that step', async () => {
    await move();
    inSource((db) => db.exec('DELETE FROM schema_version WHERE version = 1000002'));
    const store = await open(to);
    await store.transaction((trx) =>
      trx.insertInto('account_limits').values({ account_id: 'new', full_at: 0 }).execute(),
    );
    await store.close();
    await move();
    await expect(open(from)).rejects.toMatchObject({ code: 'moved_away' });
  });

  it('can be given up before it is finished, and not afterwards', async () => {
    const interrupted = move({
      onProgress: () => {
        throw new Killed();
      },
    });
    await expect(interrupted).rejects.toThrow(Killed);
    giveUpRelocation(from.url);
    await make(from);
    expect(() => giveUpRelocation(from.url)).toThrow('This database is not being moved.');
    await expect(move()).rejects.toThrow('The target is not empty; give an empty database.');
    await to.drop();
    to = await createPostgresDatabase(server);
    await move();
    expect(() => giveUpRelocation(from.url)).toThrow('This database was moved');
  });

  it('refuses a target with any content, and leaves both unchanged', async () => {
    const store = await open(to);
    await store.transaction((trx) =>
      trx.insertInto('account_limits').values({ account_id: 'x', full_at: 0 }).execute(),
    );
    await store.close();
    await expect(move()).rejects.toThrow('The target is not empty; give an empty database.');
    await Promise.all([make(from), make(to)]);
  });

  it('refuses databases of other releases', async () => {
    const newest = migrations.at(-1)?.version ?? 0;
    inSource((db) => db.exec(`DELETE FROM schema_version WHERE version = ${newest}`));
    await expect(move()).rejects.toThrow(
      `The source has schema version ${newest - 1} and this Parley has ${newest}; run parley migrate on it first.`,
    );
    inSource((db) =>
      db.exec(`INSERT INTO schema_version VALUES (${newest}, 'newest', 0), (${newest + 1}, 'new', 0)`),
    );
    await expect(move()).rejects.toThrow(
      `The source has schema version ${newest + 1} and this Parley has ${newest}; use the newer Parley`,
    );
    inSource((db) => db.exec(`DELETE FROM schema_version WHERE version = ${newest + 1}`));
    await make(to);
    await inTarget(`INSERT INTO schema_version VALUES (${newest + 1}, 'new', 0)`);
    await expect(move()).rejects.toThrow(
      `The target has schema version ${newest + 1} and this Parley has ${newest}`,
    );
  });

  it('refuses a master key that does not open the credentials', async () => {
    inSource((db) =>
      db.exec(
        "INSERT INTO network_links (link_id, fence, creds, created_at) VALUES ('link_1', 1, x'0102030405060708', 0)",
      ),
    );
    const seen: string[] = [];
    const opens = (header: Uint8Array): boolean => {
      seen.push(Buffer.from(header).toString('hex'));
      return false;
    };
    await expect(move({ opens })).rejects.toThrow('The configured master key is not the one');
    expect(seen).toEqual(['0102030405']);
    await make(from);
  });

  it('refuses every other direction', async () => {
    await expect(move({ from: to.url, to: from.url })).rejects.toThrow('from sqlite:… to postgres://…');
    await expect(move({ from: `${from.url}.missing` })).rejects.toThrow('has schema version 0');
  });
});
