import { type Operation, operations } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseNames, startGateway, type TestGateway } from '#testing';
import { type Owner, signIn } from './testing/owners.ts';

type Answer = Record<string, unknown> & { next_cursor: string | null };
type Item = Record<string, unknown>;

const COUNT = 5;

/** A list that needs no parameters. */
const INVOICE = {
  ...{ phone: '15556000000', plan: 'max' as const, period_end: 100, quota: 0, used: 0, issued_at: 100 },
  ...{ number: null, currency: null, net: null, tax_millipercent: null, tax: null, total: null },
  ...{
    lines: null,
    seller: null,
    buyer: null,
    note: null,
    due_at: null,
    paid_at: null,
    payment_reference: null,
  },
} as const;

describe.each(databaseNames)('lists in pages (%s)', (database) => {
  let gateway: TestGateway;
  let ada: Owner;

  beforeAll(async () => {
    gateway = await startGateway({ database });
    ada = await signIn(gateway);
    const { accountId } = ada;
    for (let i = 0; i < COUNT; i++) {
      if (i > 0) await signIn(gateway);
      await gateway.operate('POST', `/accounts/${accountId}/devices`, {
        phone: `1555600000${i}`,
        plan: 'max',
      });
      await gateway.operate('POST', `/accounts/${accountId}/api-keys`, { name: `key ${i}` });
      const gone = await gateway.operate<{ account_id: string }>('POST', '/accounts', {
        name: 'Gone',
        email: `gone-${i}@example.com`,
      });
      await gateway.operate('DELETE', `/accounts/${gone.account_id}`);
    }
    await giveInvoices();
  });
  afterAll(() => gateway.close());

  /** As if that many months had been invoiced. */
  async function giveInvoices(): Promise<void> {
    const { store } = gateway.app;
    const [device] = await store.read.selectFrom('devices').selectAll().limit(1).execute();
    await store.transaction(async (trx) => {
      for (let i = 0; i < COUNT; i++)
        await trx
          .insertInto('invoices')
          .values({
            ...INVOICE,
            id: `inv_${i}`,
            account_id: ada.accountId,
            slot_id: device?.slot_id ?? '',
            period_start: i,
          })
          .execute();
    });
  }

  const ask = (path: string): Promise<Answer> =>
    path.startsWith('/operator/v1')
      ? gateway.operate('GET', path.replace('/operator/v1', ''))
      : ada.browser.get(path.replace('/portal/api', ''));

  const paged = Object.values<Operation>(operations).filter(({ query }) => query?.properties.cursor);
  const own = paged.filter(({ surface }) => surface === 'operator' || surface === 'portal');
  const lists = own.filter(({ id }) => !CHATS.includes(id));

  it('are all lists of the operator and of the portal that can grow without bound', () => {
    expect(lists.map(({ id }) => id).sort()).toEqual([
      'listAccountDeletions',
      'listAccounts',
      'listApiKeys',
      'listDevices',
      'listHostedSessions',
      'listInvoices',
      'listMyApiKeys',
      'listMyInvoices',
      'listNumbers',
      'listNumbersOfAll',
    ]);
  });

  it.each(lists.map(({ id, path }) => [id, path] as const))(
    '%s continues where the previous page ended',
    async (id, path) => {
      const address = path.replace('{account_id}', ada.accountId);
      const whole = await ask(address);
      expect(whole.next_cursor).toBeNull();
      const all = itemsIn(whole);
      if (id !== 'listHostedSessions') expect(all.length).toBeGreaterThanOrEqual(COUNT);
      const seen: Item[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages++) {
        expect(pages).toBeLessThan(20);
        const page: Answer = await ask(
          `${address}?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        expect(itemsIn(page).length).toBeLessThanOrEqual(2);
        seen.push(...itemsIn(page));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(all);
    },
  );

  it('are reversed on request', async () => {
    const ids = async (query: string) =>
      itemsIn(await ask(`/operator/v1/invoices?${query}`)).map((each) => each.invoice_id);
    expect(await ids('order=newest_first&limit=2')).toEqual(['inv_4', 'inv_3']);
    expect(await ids('order=newest_first&limit=2&cursor=inv_3')).toEqual(['inv_2', 'inv_1']);
    expect(await ids('limit=2')).toEqual(['inv_0', 'inv_1']);
  });

  it('hold no more than the maximum', async () => {
    for (const limit of ['0', '501', 'x', '1e9']) {
      const answer = await ada.browser.ask('GET', `/numbers?limit=${limit}`);
      expect(answer.statusCode).toBe(400);
    }
  });
});

/** Message lists have pages of their own; the tests of conversations cover them. */
const CHATS = ['listNumberChats'];

function itemsIn(answer: Answer): Item[] {
  const [items] = Object.values(answer).filter((value) => Array.isArray(value));
  return (items ?? []) as Item[];
}
