import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { describeStore } from './testing/conformance/index.ts';
import { noteIds, notes, notesMigration } from './testing/conformance/notebook.ts';
import { dieMidway, note, writeNote } from './testing/conformance/write-commands.ts';
import { createPostgresDatabase, requirePostgres } from './testing/index.ts';
import { limits } from './transactions.ts';
import type { Command, Migration, Store } from './types.ts';

const server = requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL);

describeStore(
  'PostgreSQL',
  {
    createDatabase: () => createPostgresDatabase(server),
    async countCommits(_database, store) {
      const transactions = sql<{ count: number }>`select count(distinct xmin::text) as count from note`;
      return (await transactions.execute(store.read)).rows[0]?.count ?? 0;
    },
  },
  (harness) => {
    describe('the cluster store', () => {
      it('commits durably even if the server does not by default', async () => {
        const asynchronous = await harness.open();
        const name = new URL(harness.database.url).pathname.slice(1);
        await asynchronous.transaction((trx) =>
          sql`alter database ${sql.id(name)} set synchronous_commit = off`.execute(trx),
        );
        const store = await harness.open();
        const setting = await store.transaction((trx) => sql`show synchronous_commit`.execute(trx));
        expect(setting.rows).toEqual([{ synchronous_commit: 'on' }]);
      });

      it('bounds the time of every statement, and of a transaction whose client went silent', async () => {
        const store = await harness.open();
        const settings = sql`select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
        const writing = await store.transaction((trx) => settings.execute(trx));
        expect(writing.rows).toEqual([
          { statement: '5s', idle: `${(2 * limits.transactionMs) / 60_000}min` },
        ]);
        const reading = await settings.execute(store.read);
        expect(reading.rows).toMatchObject([{ statement: '5s' }]);
      });

      it('plans no table scan for a batch, however small the tables are', async () => {
        const store = await harness.open();
        await store.run(writeNote, note(1));
        await store.transaction((trx) => sql`analyze note`.execute(trx));
        expect(await store.run(explainLookUp, null)).not.toMatch(/Seq Scan|Hash|Merge/);
      });

      it('repeats a batch whose connection broke before the commit, exactly once', async () => {
        const store = await harness.open();
        await store.run(breakConnectionOnce(), 1);
        expect(await noteIds(store)).toEqual([1]);
      });

      it('fails a batch whose connection breaks every time, and has written nothing', async () => {
        const store = await harness.open();
        await expect(store.run(dieMidway, note(1))).rejects.toMatchObject({ code: 'unreachable' });
        expect(await noteIds(store)).toEqual([]);
        await store.run(writeNote, note(2));
      });

      it('never guesses: a connection that breaks during COMMIT is an unknown outcome', async () => {
        const store = await harness.open();
        await breakConnectionAtCommitOf(store, 13);
        await expect(store.run(writeNote, note(13))).rejects.toMatchObject({ code: 'commit_unknown' });
        const transaction = store.transaction((trx) =>
          notes(trx).insertInto('note').values(note(13)).execute(),
        );
        await expect(transaction).rejects.toMatchObject({ code: 'commit_unknown' });
        await store.run(writeNote, note(14));
        expect(await noteIds(store)).toEqual([14]);
      });

      it('does not count a commit as done after a warning, as when no standby confirms it', async () => {
        const store = await harness.open();
        await atCommitOf(store, 1, "raise warning 'canceling wait for synchronous replication'");
        await expect(store.run(writeNote, note(1))).rejects.toMatchObject({ code: 'commit_unknown' });
        await store.run(writeNote, note(2));
        expect(await noteIds(store)).toEqual([1, 2]);
      });

      it('does not take the rollback of a swallowed error for a commit', async () => {
        const store = await harness.open();
        await expect(store.run(swallowError, null)).rejects.toMatchObject({ code: 'statement_failed' });
        expect(await noteIds(store)).toEqual([]);
      });

      describe('what is sent without waiting for its answer', () => {
        it('is written with the batch', async () => {
          const store = await harness.open();
          await Promise.all([1, 2].map((id) => store.run(sendBlindly, { id })));
          expect(await noteIds(store)).toEqual([1, 2]);
        });

        it('fails the batch when it is refused, for its own reason, and the others are written', async () => {
          const store = await harness.open();
          await store.run(sendBlindly, { id: 1 });
          const [again, other] = await Promise.allSettled([
            store.run(sendBlindly, { id: 1 }),
            store.run(sendBlindly, { id: 2 }),
          ]);
          expect(again).toMatchObject({ reason: { code: 'unique_violation' } });
          expect(other.status).toBe('fulfilled');
          expect(await noteIds(store)).toEqual([1, 2]);
        });

        it('has an unknown outcome when the connection breaks, because the commit was in transit as well', async () => {
          const store = await harness.open();
          const dying = store.run(sendBlindly, { id: 1, thenDie: true });
          await expect(dying).rejects.toMatchObject({ code: 'commit_unknown' });
          expect(await noteIds(store)).toEqual([]);
        });
      });

      it('survives a deadlock of two batches', async () => {
        // As two processes: so few items of one would be batched together.
        const [store, other] = [await harness.open(), await harness.open()];
        await Promise.all([1, 2].map((id) => store.run(writeNote, note(id))));
        const attempts: string[] = [];
        const touch = touchInTurn(attempts, createMeeting(2));
        await Promise.all([store.run(touch, [1, 2]), other.run(touch, [2, 1])]);
        expect(attempts.length, 'one of them, or both, had to roll back and retry').toBeGreaterThan(2);
        const rows = await notes(store.read).selectFrom('note').select('text').execute();
        expect(rows).toEqual([{ text: 'xx' }, { text: 'xx' }]);
      });

      it('repeats a transaction whose connection broke before the commit', async () => {
        const store = await harness.open();
        let runs = 0;
        await store.transaction(async (trx) => {
          await notes(trx).insertInto('note').values(note(1)).execute();
          if (runs++ === 0) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
        });
        expect(runs).toBe(2);
        expect(await noteIds(store)).toEqual([1]);
      });

      it('survives a deadlock of two transactions', async () => {
        const store = await harness.open();
        await Promise.all([1, 2].map((id) => store.run(writeNote, note(id))));
        const bothHoldTheFirst = createMeeting(2);
        let runs = 0;
        const touch = (first: number, second: number) =>
          store.transaction(async (trx) => {
            runs += 1;
            const mark = (id: number) =>
              sql`update note set text = coalesce(text, '') || 'x' where id = ${id}`.execute(trx);
            await mark(first);
            await bothHoldTheFirst();
            await mark(second);
          });
        await Promise.all([touch(1, 2), touch(2, 1)]);
        // One of them, or on a slow machine both, had to roll back and retry.
        expect(runs).toBeGreaterThan(2);
        const rows = await notes(store.read).selectFrom('note').select('text').execute();
        expect(rows).toEqual([{ text: 'xx' }, { text: 'xx' }]);
      });

      it('retries a read whose connection breaks', async () => {
        const store = await harness.open();
        // The first connection dies of the query, the next one does not.
        const { rows: before } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
          store.read,
        );
        const pid = before[0]?.pid ?? 0;
        const { rows } = await sql<{ survivor: number }>`select pg_backend_pid() as survivor,
          case when pg_backend_pid() = ${pid} then pg_terminate_backend(${pid}) end`.execute(store.read);
        expect(rows[0]?.survivor).not.toBe(pid);
      });

      it('lets all queries pass while a migration waits for a table', async () => {
        const old = await harness.open();
        const isReading = Promise.withResolvers<void>();
        const hasRead = Promise.withResolvers<void>();
        const longRead = old.transaction(async (trx) => {
          await notes(trx).selectFrom('note').select('id').execute();
          isReading.resolve();
          await hasRead.promise;
        });
        await isReading.promise;
        const migrated = harness.open({ migrations: [notesMigration, anotherColumn] });
        const waiting = sql`select 1 from pg_locks where not granted and relation = 'note'::regclass`;
        await vi.waitFor(async () => expect((await waiting.execute(old.read)).rows).toHaveLength(1), {
          timeout: 10_000,
        });
        await old.run(writeNote, note(1));
        hasRead.resolve();
        await longRead;
        await migrated;
        await old.run(writeNote, note(2));
        expect(await noteIds(old)).toEqual([1, 2]);
      });

      it('repeats no stored value in an error', async () => {
        const store = await harness.open();
        await store.run(writeNote, note(1, { text: 'a private word' }));
        const error = await store
          .transaction((trx) => sql`select text::int from note`.execute(trx))
          .catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 'statement_failed' });
        expect(String(error)).toContain('22P02');
        expect(String(error)).not.toContain('private');
      });

      it('is not ready while the server refuses writes, and is ready as soon as it accepts them', async () => {
        const store = await harness.open();
        const name = new URL(harness.database.url).pathname.slice(1);
        const administer = async (statement: string): Promise<void> => {
          const client = new pg.Client({ connectionString: server });
          await client.connect();
          await client.query(statement);
          await client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
          );
          await client.end();
        };
        await administer(`alter database ${name} set default_transaction_read_only = on`);
        await expect(store.run(writeNote, note(1))).rejects.toMatchObject({ code: 'read_only' });
        // On a busy machine it takes longer than a check waits.
        await vi.waitFor(() => expect(store.check()).rejects.toMatchObject({ code: 'read_only' }));

        await administer(`alter database ${name} reset default_transaction_read_only`);
        await vi.waitFor(() => store.check(), { timeout: 10_000 });
        await store.run(writeNote, note(1));
        expect(await noteIds(store)).toEqual([1]);
      });

      it('is ready again after the server dropped all its connections', async () => {
        const store = await harness.open();
        await store.run(writeNote, note(1));
        const others = sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`;
        await others.execute(store.read);
        await Promise.all([2, 3, 4].map((id) => store.run(writeNote, note(id))));
        await store.check();
        expect(await noteIds(store)).toEqual([1, 2, 3, 4]);
      });
    });
  },
);

/** Ends its own connection before the commit, on its first run. */
const explainLookUp: Command<null, string> = {
  name: 'test.explain',
  sqlite: () => (items) => items.map(() => ''),
  async postgres(client, items) {
    const text = 'explain select * from note n join unnest($1::bigint[]) as w(id) on n.id = w.id';
    const { rows } = await client.query({ name: 'test_explain', text }, [[1, 2]]);
    return items.map(() => JSON.stringify(rows));
  },
};

const sendBlindly: Command<{ id: number; thenDie?: boolean }, null> = {
  name: 'test.send-blindly',
  sqlite: () => (items) => items.map(() => null),
  async postgres(client, items) {
    await client.look({ name: 'test_look', text: 'select id from note' }, []);
    const insert = { name: 'test_send', text: 'insert into note (id) select unnest($1::bigint[])' };
    client.send(insert, [items.map(({ id }) => id)]);
    const die = { name: 'test_send_die', text: 'select pg_terminate_backend(pg_backend_pid())' };
    if (items.some(({ thenDie }) => thenDie)) client.send(die, []);
    return items.map(() => null);
  },
};

function breakConnectionOnce(): Command<number, number> {
  let broken = false;
  return {
    name: 'test.break-connection-once',
    sqlite: () => (ids) => ids,
    async postgres(client, ids) {
      await client.query({ name: 'test_insert', text: 'insert into note (id) select unnest($1::bigint[])' }, [
        ids,
      ]);
      if (!broken) {
        broken = true;
        await client.query({ name: 'test_die', text: 'select pg_terminate_backend(pg_backend_pid())' }, []);
      }
      return ids;
    },
  };
}

const anotherColumn: Migration = {
  version: 2,
  name: 'another column',
  async up(trx) {
    await trx.schema.alterTable('note').addColumn('mood', 'text').execute();
  },
};

/** A barrier: resolves for all participants when the last has arrived; later ones do not wait. */
function createMeeting(guests: number): () => Promise<void> {
  const complete = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    present += 1;
    if (present >= guests) complete.resolve();
    return complete.promise;
  };
}

/** From now on, COMMIT of a transaction that wrote this note ends the connection instead of answering. */
function breakConnectionAtCommitOf(store: Store, id: number): Promise<void> {
  return atCommitOf(store, id, 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1)');
}

/** From now on, COMMIT of a transaction that wrote this note first runs these statements. */
async function atCommitOf(store: Store, id: number, statements: string): Promise<void> {
  await store.transaction(async (trx) => {
    await sql`create function at_commit() returns trigger language plpgsql as ${sql.lit(
      `begin ${statements}; return null; end`,
    )}`.execute(trx);
    await sql`create constraint trigger at_commit after insert on note deferrable initially deferred
      for each row when (new.id = ${sql.lit(id)}) execute function at_commit()`.execute(trx);
  });
}

const swallowError: Command<null, null> = {
  name: 'test.swallow-error',
  sqlite: () => (items) => items,
  async postgres(client, items) {
    await client.query({ name: 'test_one', text: 'insert into note (id) values (1)' }, []);
    await client.query({ name: 'test_error', text: 'select 1 / 0' }, []).catch(() => {});
    return items;
  },
};

/** Updates its two notes in the given order; between them it waits until the other batch holds its first. */
function touchInTurn(
  attempts: string[],
  bothHoldTheFirst: () => Promise<void>,
): Command<[number, number], null> {
  return {
    name: 'test.touch-in-turn',
    sqlite: () => (items) => items.map(() => null),
    async postgres(client, items) {
      attempts.push(items.join());
      const touch = {
        name: 'test_touch',
        text: "update note set text = coalesce(text, '') || 'x' where id = $1",
      };
      for (const [first, second] of items) {
        await client.query(touch, [first]);
        await bothHoldTheFirst();
        await client.query(touch, [second]);
      }
      return items.map(() => null);
    },
  };
}
