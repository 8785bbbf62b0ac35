import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../types.ts';
import { createSqliteDatabase } from './databases.ts';
import { borrowStore } from './pool.ts';

const borrow = () => borrowStore(createSqliteDatabase, { commandModules: [] });

function write(store: Store): Promise<unknown> {
  return store.transaction((trx) =>
    sql`insert into client_versions (client, version, at) values ('web', '1', 0)`.execute(trx),
  );
}

async function rowsIn(store: Store): Promise<number> {
  return (await sql`select 1 from client_versions`.execute(store.read)).rows.length;
}

it('passes a store on to the next test, empty', async () => {
  const first = await borrow();
  await write(first.store);
  expect(await rowsIn(first.store)).toBe(1);
  await first.giveBack();
  const second = await borrow();
  expect(second.url).toBe(first.url);
  expect(await rowsIn(second.store)).toBe(0);
  await second.giveBack();
});

it('accepts nothing from a test that has returned it', async () => {
  const { store, giveBack } = await borrow();
  await giveBack();
  await expect(write(store)).rejects.toMatchObject({ code: 'unavailable' });
});

it('is not reused after it was closed, or when its tables differ', async () => {
  const closed = await borrow();
  await closed.store.close();
  await closed.giveBack();
  const changed = await borrow();
  expect(changed.url).not.toBe(closed.url);
  await changed.store.transaction((trx) => sql`create table others (x integer)`.execute(trx));
  await changed.giveBack();
  const next = await borrow();
  expect([closed.url, changed.url]).not.toContain(next.url);
  await next.giveBack();
});
