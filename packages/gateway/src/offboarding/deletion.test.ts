import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { getAccount, registerDevice } from '#accounts';
import { countSends, newPhone } from '#accounts/testing';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { DATA_CATEGORIES } from './data-categories/catalogue.ts';
import { askForDeletion, cancelDeletion, deletionOf, eraseDue } from './deletion.ts';
import { askForExport, makeExports } from './export/export.ts';
import { finishRemovals } from './remove-number.ts';
import { furnishAccount } from './testing/furnish.ts';
import { commandModules, createHarness } from './testing/harness.ts';

const DAY_MS = 86_400_000;

describeOnEachDatabase(
  'deletion of an account',
  (test) => {
    let harness: ReturnType<typeof createHarness>;
    beforeEach(() => {
      harness = createHarness(test);
    });

    /** Tables in which a column of any row has this word. */
    async function traces(word: string): Promise<string[]> {
      const found = new Set<string>();
      for (const { table } of DATA_CATEGORIES) {
        const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(test.store.read);
        const decoded = (value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString() : value;
        if (rows.some((row) => Object.values(row).some((value) => String(decoded(value)).includes(word))))
          found.add(table);
      }
      return [...found].toSorted();
    }

    async function rowsOf(accountId: string): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      for (const { table, column, of } of DATA_CATEGORIES) {
        if (of !== 'account') continue;
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${accountId}`.execute(
          test.store.read,
        );
        if (Number(rows[0]?.count) > 0) counts[table] = Number(rows[0]?.count);
      }
      return counts;
    }

    async function endIt(store?: Store): Promise<void> {
      const context = store ? { ...harness, store } : harness;
      await eraseDue(context);
      await finishRemovals(context);
      await eraseDue(context);
    }

    it('waits two weeks, without new numbers, and can be cancelled', async () => {
      const { accountId } = await furnishAccount(harness);
      const { due_at } = await askForDeletion(harness, 'operator', { accountId });
      expect(Date.parse(due_at) - harness.clock.now()).toBe(14 * DAY_MS);
      const another = { phone: newPhone(), plan: 'pro' } as const;
      await expect(registerDevice(harness, 'operator', accountId, another)).rejects.toMatchObject({
        code: 'account_ending',
      });
      harness.clock.advance(14 * DAY_MS - 1);
      await endIt();
      expect(await getAccount(harness, accountId)).toMatchObject({ status: 'active' });
      await cancelDeletion(harness, 'operator', accountId);
      harness.clock.advance(DAY_MS);
      await endIt();
      expect(await deletionOf(harness, accountId)).toBeNull();
      await registerDevice(harness, 'operator', accountId, another);
    });

    it('keeps nothing but a tombstone and the invoices that the law demands, and touches no other account', async () => {
      const ada = await furnishAccount(harness);
      const ben = await furnishAccount(harness);
      await countSends(harness, ada.number.slotId, 3);
      await askForExport(harness, { ...ada, memberId: 'mem_1' });
      await makeExports(harness, { debug() {}, error() {} });
      await test.store.transaction((trx) =>
        trx
          .insertInto('invoices')
          .values({
            id: `inv_${ada.word}`,
            account_id: ada.accountId,
            slot_id: 'slot_before',
            phone: ada.number.phone,
            plan: 'pro',
            period_start: 1,
            period_end: 2,
            quota: 1,
            used: 1,
            issued_at: 2,
            number: `2026-${ada.word}`,
            buyer: JSON.stringify({ name: `Bought by ${ada.word}` }),
          })
          .execute(),
      );
      const before = await rowsOf(ben.accountId);
      await askForDeletion(harness, 'operator', { accountId: ada.accountId, now: true });
      await endIt();

      expect(harness.unlinked).toContain(ada.number.slotId);
      expect(await rowsOf(ada.accountId)).toEqual({ accounts: 1, audit_log: 1, invoices: 1 });
      expect(await traces(ada.word)).toEqual(['invoices']);
      expect(harness.blobs.names().filter((name) => name.startsWith(ada.accountId))).toEqual([]);
      await expect(getAccount(harness, ada.accountId)).rejects.toMatchObject({ code: 'account_not_found' });
      expect(await rowsOf(ben.accountId)).toEqual(before);
      expect(harness.unlinked).not.toContain(ben.number.slotId);
      // Its address and its phone can be used again.
      const email = test.store.read.selectFrom('members').select('id').where('email', 'like', `${ada.word}%`);
      expect(await email.execute()).toEqual([]);
    });

    it('completes, however often the process dies on the way', async () => {
      const ada = await furnishAccount(harness);
      await askForDeletion(harness, 'operator', { accountId: ada.accountId, now: true });
      let deaths = 0;
      for (let allowed = 1; (await deletionOf(harness, ada.accountId)) !== null; allowed += 3) {
        let left = allowed;
        const transaction: Store['transaction'] = (work) => {
          if (left-- <= 0) throw new Error('killed');
          return test.store.transaction(work);
        };
        const dying = new Proxy(test.store, {
          get: (store, name) => (name === 'transaction' ? transaction : Reflect.get(store, name, store)),
        });
        await endIt(dying).catch((error: Error) => {
          expect(error.message).toBe('killed');
          deaths += 1;
        });
      }
      expect(deaths).toBeGreaterThan(3);
      expect(await rowsOf(ada.accountId)).toEqual({ accounts: 1, audit_log: 1 });
      expect(await traces(ada.word)).toEqual([]);
    });

    it('does not wait for another account that cannot be erased', async () => {
      const [stuck, ada] = [await furnishAccount(harness), await furnishAccount(harness)];
      for (const { accountId } of [stuck, ada])
        await askForDeletion(harness, 'operator', { accountId, now: true });
      const { endAll } = harness.linking;
      const linking: typeof harness.linking = {
        ...harness.linking,
        async endAll(number) {
          if (number.slotId === stuck.number.slotId) throw new Error('unreachable');
          await endAll(number);
        },
      };
      const context = { ...harness, linking };
      for (const end of [eraseDue, finishRemovals, eraseDue])
        await end(context).catch((error: Error) => expect(error.message).toBe('unreachable'));
      expect(await deletionOf(harness, ada.accountId)).toBeNull();
      expect(await deletionOf(harness, stuck.accountId)).not.toBeNull();
      await endIt();
    });

    it('deletes rows in small steps', async () => {
      const ada = await furnishAccount(harness);
      await askForDeletion(harness, 'operator', { accountId: ada.accountId, now: true });
      const perStep: number[] = [];
      const transaction: Store['transaction'] = async (work) => {
        const count = async () =>
          Number(
            (
              await test.store.read
                .selectFrom('messages')
                .select(({ fn }) => fn.countAll().as('count'))
                .where('slot_id', '=', ada.number.slotId)
                .executeTakeFirstOrThrow()
            ).count,
          );
        const before = await count();
        const result = await test.store.transaction(work);
        perStep.push(before - (await count()));
        return result;
      };
      const watched = new Proxy(test.store, {
        get: (store, name) => (name === 'transaction' ? transaction : Reflect.get(store, name, store)),
      });
      await endIt(watched);
      expect(perStep.filter((count) => count > 0)).toEqual([500, 500, 200]);
    });
  },
  'shared by all tests',
  commandModules,
);
