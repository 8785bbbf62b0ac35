import { expect, test } from 'vitest';
import type { LookUpResult } from '#network';
import { validateNumbers } from './validate.ts';

const ada = { number: '15550002001', jid: '15550002001@s.whatsapp.net' };
const shop = { number: '15550002002', jid: '15550002002@s.whatsapp.net', verifiedName: 'The Shop' };

function network(...registered: LookUpResult[]) {
  const asked: (readonly string[])[] = [];
  const lookUp = async (numbers: readonly string[]) => {
    asked.push(numbers);
    return numbers.map((number) => registered.find((each) => each.number === number) ?? { number });
  };
  return { asked, lookUp };
}

test('each number gets its result, in the order asked, however it was written', async () => {
  const { lookUp } = network(ada, shop);
  expect(await validateNumbers(['15550002002', '+1 (555) 000-2001', '15559999999'], lookUp)).toEqual([
    { query: '+15550002002', on_messenger: true, jid: shop.jid, verified_name: 'The Shop' },
    { query: '+15550002001', on_messenger: true, jid: ada.jid },
    { query: '+15559999999', on_messenger: false },
  ]);
});

test('a number given twice is asked about once and answered twice', async () => {
  const { lookUp, asked } = network(ada);
  const results = await validateNumbers(['+15550002001', '15550002001'], lookUp);
  expect(asked).toEqual([['15550002001']]);
  expect(results).toHaveLength(2);
  expect(results[0]).toEqual(results[1]);
});

test('nonsense is not on the network, is not asked about, and keeps its place', async () => {
  const { lookUp, asked } = network(ada);
  expect(await validateNumbers(['ada', '15550002001', '+0'], lookUp)).toEqual([
    { query: 'ada', on_messenger: false },
    { query: '+15550002001', on_messenger: true, jid: ada.jid },
    { query: '+0', on_messenger: false },
  ]);
  expect(asked).toEqual([['15550002001']]);
});

test('a batch of nonsense alone still asks the host, which knows whether the number is online', async () => {
  const { lookUp, asked } = network();
  await validateNumbers(['ada'], lookUp);
  expect(asked).toEqual([[]]);
});
