import type { WrittenUsername } from '@parley/contract';
import { expect, test } from 'vitest';
import type { FoundByUsername, LookUpResult } from '#network';
import { validateNumbers } from './contacts.ts';

const ada = { number: '15550002001', jid: '15550002001@s.whatsapp.net' };
const shop = { number: '15550002002', jid: '15550002002@s.whatsapp.net', verifiedName: 'The Shop' };

function network(...registered: LookUpResult[]) {
  const asked: (readonly string[])[] = [];
  const named: string[] = [];
  const numbers = async (numbers: readonly string[]) => {
    asked.push(numbers);
    return numbers.map((number) => registered.find((each) => each.number === number) ?? { number });
  };
  const username = async ({ username, key }: WrittenUsername): Promise<FoundByUsername | undefined> => {
    named.push(username);
    if (username === 'ada') return { kind: 'found', chat: ada.jid };
    if (username !== 'guarded') return undefined;
    return key === '1234' ? { kind: 'found', chat: '77@lid' } : { kind: 'guarded', given: key !== undefined };
  };
  return { asked, named, lookUp: { numbers, username } };
}

test('each number gets its result, in the order of the request, in any notation', async () => {
  const { lookUp } = network(ada, shop);
  expect(await validateNumbers(['15550002002', '+1 (555) 000-2001', '15559999999'], lookUp)).toEqual([
    { query: '+15550002002', on_messenger: true, jid: shop.jid, verified_name: 'The Shop' },
    { query: '+15550002001', on_messenger: true, jid: ada.jid },
    { query: '+15559999999', on_messenger: false },
  ]);
});

test('no more usernames are looked up when the caller has gone', async () => {
  const { lookUp, named } = network();
  const gone = new AbortController();
  const username = async (written: WrittenUsername) => {
    gone.abort();
    return lookUp.username(written);
  };
  await validateNumbers(['@some.body', '@some.one', '@any.body'], {
    ...lookUp,
    username,
    signal: gone.signal,
  });
  expect(named).toEqual(['some.body']);
});

test('a number given twice is looked up once and answered twice', async () => {
  const { lookUp, asked } = network(ada);
  const results = await validateNumbers(['+15550002001', '15550002001'], lookUp);
  expect(asked).toEqual([['15550002001']]);
  expect(results).toHaveLength(2);
  expect(results[0]).toEqual(results[1]);
});

test('an invalid number is not on the network, is not looked up, and keeps its place', async () => {
  const { lookUp, asked } = network(ada);
  expect(await validateNumbers(['ada', '15550002001', '+0'], lookUp)).toEqual([
    { query: 'ada', on_messenger: false },
    { query: '+15550002001', on_messenger: true, jid: ada.jid },
    { query: '+0', on_messenger: false },
  ]);
  expect(asked).toEqual([['15550002001']]);
});

test('a batch of invalid numbers still calls the host, which knows whether the number is online', async () => {
  const { lookUp, asked } = network();
  await validateNumbers(['ada'], lookUp);
  expect(asked).toEqual([[]]);
});

test('usernames keep their place among numbers, and one that needs a key is marked', async () => {
  const { lookUp } = network(shop);
  const asked = ['@ada', shop.number, '@guarded', '@guarded:9999', '@guarded:1234', '@unassigned'];
  expect(await validateNumbers(asked, lookUp)).toEqual([
    { query: '@ada', on_messenger: true, jid: ada.jid },
    { query: '+15550002002', on_messenger: true, jid: shop.jid, verified_name: 'The Shop' },
    { query: '@guarded', on_messenger: true, key_required: true },
    { query: '@guarded:9999', on_messenger: true, key_required: true },
    { query: '@guarded:1234', on_messenger: true, jid: '77@lid' },
    { query: '@unassigned', on_messenger: false },
  ]);
});

test('a username given twice is looked up once; too many are not looked up', async () => {
  const { lookUp, asked, named } = network();
  await validateNumbers(['@ada', '@ada'], lookUp);
  expect(named).toEqual(['ada']);
  const many = Array.from({ length: 11 }, (_, place) => `@name_${place}`);
  await expect(validateNumbers(many, lookUp)).rejects.toMatchObject({ status: 400 });
  expect([asked, named]).toEqual([[[]], ['ada']]);
});
