import { expect, test } from 'vitest';
import { muteLibsignal, useCheaperSignal } from './index.ts';
import { createDevice } from './testing/device.ts';

useCheaperSignal();
muteLibsignal();

type Device = ReturnType<typeof createDevice>;
const RECEIVING = 2;

/** Two devices that have written to each other once. */
async function createChat() {
  const [here, there] = [createDevice(), createDevice()];
  await there.openSession('here', here.bundle);
  await here.read('there', await there.write('here', 'hello'));
  await there.read('here', await here.write('there', 'hello yourself'));
  return {
    here,
    there,
    /** In each turn either side writes a message that the other reads. */
    async takeTurns(count: number): Promise<void> {
      for (let turn = 0; turn < count; turn++) {
        await here.read('there', await there.write('here', `there ${turn}`));
        await there.read('here', await here.write('there', `here ${turn}`));
      }
    },
  };
}

/** The only record of a device, and the session in it. */
function recordOf({ records }: Device) {
  const [[address, text] = ['', '{}']] = records;
  const record = JSON.parse(text);
  const [session] = Object.values<{ _chains: Record<string, StoredChain> }>(record._sessions);
  return { address, text, record, chains: session?._chains ?? {} };
}

interface StoredChain {
  readonly chainKey: { readonly counter: number };
  readonly chainType: number;
  readonly messageKeys: Readonly<Record<string, string>>;
}

const receivingChains = (device: Device): number =>
  Object.values(recordOf(device).chains).filter(({ chainType }) => chainType === RECEIVING).length;

/** Stores the record of the device with other chains. */
function replaceChains(
  device: Device,
  replace: (chains: [string, StoredChain][]) => [string, StoredChain][],
): void {
  const { address, record, chains } = recordOf(device);
  const [session] = Object.values<{ _chains: object }>(record._sessions);
  if (session) session._chains = Object.fromEntries(replace(Object.entries(chains)));
  device.records.set(address, JSON.stringify(record));
}

/** Makes a record of an earlier version: older chains stand before its own, as after so many turns. */
function addFormerChains(device: Device, count: number): void {
  const former = Array.from({ length: count }, (_, place): [string, StoredChain] => [
    Buffer.alloc(33, `former ${place} `).toString('base64'),
    { chainKey: { counter: 0 }, chainType: RECEIVING, messageKeys: {} },
  ]);
  replaceChains(device, (chains) => [...former, ...chains]);
}

test('a record has the same size after 10 turns as after 60', async () => {
  const { here, there, takeTurns } = await createChat();
  const size = (): number => recordOf(here).text.length + recordOf(there).text.length;
  await takeTurns(10);
  const before = size();
  await takeTurns(50);
  expect(size() - before).toBeLessThan(50);
  expect([receivingChains(here), receivingChains(there)]).toEqual([5, 5]);
});

test('reads messages that arrive late on the five newest chains, in any order, and none of older ones', async () => {
  const { here, there, takeTurns } = await createChat();
  const late: Awaited<ReturnType<Device['write']>>[] = [];
  for (const turn of [1, 2, 3, 4, 5, 6]) {
    late.push(await there.write('here', `first of ${turn}`), await there.write('here', `second of ${turn}`));
    await takeTurns(1);
  }
  const texts: string[] = [];
  // Each turn begins a chain, and that of the first turn is the sixth.
  for (const message of late.slice(2).toReversed()) texts.push(await here.read('there', message));
  expect(texts).toEqual([6, 5, 4, 3, 2].flatMap((turn) => [`second of ${turn}`, `first of ${turn}`]));
  for (const lost of late.slice(0, 2))
    await expect(here.read('there', lost)).rejects.toThrow('No matching sessions');
  await takeTurns(2);
});

test('reads the rest of the previous chain after the next one began', async () => {
  const { here, there, takeTurns } = await createChat();
  await takeTurns(10);
  const [one, two, three] = [
    await there.write('here', 'one'),
    await there.write('here', 'two'),
    await there.write('here', 'three'),
  ];
  expect(await here.read('there', two)).toBe('two');
  await there.read('here', await here.write('there', 'answer'));
  expect(await here.read('there', await there.write('here', 'next chain'))).toBe('next chain');
  expect(await here.read('there', three)).toBe('three');
  expect(await here.read('there', one)).toBe('one');
});

test('cuts a record of 20,000 chains at its next use, and reads what is under way', async () => {
  const { here, there, takeTurns } = await createChat();
  await takeTurns(3);
  const late = await there.write('here', 'late');
  await takeTurns(2);
  const next = await there.write('here', 'next');
  addFormerChains(here, 20_000);
  expect(recordOf(here).text.length).toBeGreaterThan(2_000_000);
  const answer = await here.write('there', 'answer');
  expect(recordOf(here).text.length).toBeLessThan(2_000);
  expect(await here.read('there', next)).toBe('next');
  expect(await here.read('there', late)).toBe('late');
  expect(await there.read('here', answer)).toBe('answer');
  await takeTurns(2);
});

test('keeps the current chain, in whatever order a store returns them', async () => {
  const { here, there, takeTurns } = await createChat();
  await takeTurns(10);
  await here.read('there', await there.write('here', 'one'));
  addFormerChains(here, 3);
  replaceChains(here, (chains) => chains.toReversed());
  const answer = await here.write('there', 'answer');
  expect(await here.read('there', await there.write('here', 'two of the same chain'))).toBe(
    'two of the same chain',
  );
  expect(await there.read('here', answer)).toBe('answer');
});
