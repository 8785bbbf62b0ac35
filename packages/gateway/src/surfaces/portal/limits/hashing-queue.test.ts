import { beforeEach, expect, it } from 'vitest';
import { apiError } from '#kernel';
import { createHashingQueue, type HashingQueue, type Turn } from './hashing-queue.ts';

let queue: HashingQueue;
/** Calls in the order of their start. */
let begun: string[];
let ends: (() => void)[];
let refused: { readonly name: string; readonly error: unknown }[];

beforeEach(() => {
  queue = createHashingQueue();
  begun = [];
  ends = [];
  refused = [];
});

function ask(name: string, turn: Partial<Turn> & Pick<Turn, 'from'>): void {
  const work = (): Promise<void> => {
    begun.push(name);
    return new Promise((end) => ends.push(end));
  };
  queue.run({ isKnown: false, ...turn }, work).catch((error: unknown) => refused.push({ name, error }));
}

/** Ends running calls, and starts waiting ones, until none is left. */
async function finish(): Promise<void> {
  while (ends.length > 0) {
    ends.shift()?.();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
const turnOf = (name: string): number => begun.indexOf(name);

it('runs two at once, and the others in order', async () => {
  for (const name of ['a', 'b', 'c']) ask(name, { from: [name] });
  expect(begun).toEqual(['a', 'b']);
  await finish();
  expect(begun).toEqual(['a', 'b', 'c']);
});

it('continues after work that fails', async () => {
  const failing = () => queue.run({ from: ['a'], isKnown: false }, () => Promise.reject(new Error('no')));
  for (let i = 0; i < 3; i++) await expect(failing()).rejects.toThrow('no');
  expect(await queue.run({ from: ['a'], isKnown: false }, async () => 'done')).toBe('done');
});

it('limits each network to its share of the queue, and serves the others in between', async () => {
  for (let i = 0; i < 20; i++) ask(`flood ${i}`, { from: ['2001:db8:0:1::/64', '2001:db8:0::/48'] });
  ask('owner', { from: ['192.0.2.1'] });
  await settled();
  expect(refused).toHaveLength(20 - 2 - 4);
  for (const { error } of refused)
    expect(error).toMatchObject(apiError('sign_in_too_often', { retryAfterSeconds: 5 }));
  await finish();
  expect(turnOf('owner')).toBe(3);
});

it('counts many small networks as the wider one around them', async () => {
  for (let i = 0; i < 100; i++) ask(`flood ${i}`, { from: [`2001:db8:0:${i}::/64`, '2001:db8:0::/48'] });
  ask('owner', { from: ['2001:db8:1:1::/64', '2001:db8:1::/48'] });
  await settled();
  expect(refused).toHaveLength(100 - 2 - 12);
  await finish();
  expect(turnOf('owner')).toBe(3);
});

it('evicts the last call of the largest network, in favour of a network with fewer calls', async () => {
  for (let i = 0; i < 2 + 40; i++) ask(`flood ${i}`, { from: [`192.0.2.${i % 11}`] });
  await settled();
  expect(refused).toEqual([]);
  ask('owner', { from: ['198.51.100.1'] });
  await settled();
  expect(refused).toEqual([{ name: expect.stringMatching('flood'), error: apiError('sign_in_busy') }]);
  ask('another of many', { from: ['192.0.2.3'] });
  await settled();
  expect(refused.map(({ name }) => name)).toContain('another of many');
  await finish();
  expect(begun).toContain('owner');
});

it('serves a known browser first, and a stranger after three of them', async () => {
  for (const name of ['first', 'second', 'third', 'fourth']) ask(name, { from: [name] });
  for (let i = 0; i < 5; i++) ask(`known ${i}`, { from: [`mem_${i}`], isKnown: true });
  await finish();
  expect(begun).toEqual([
    ...['first', 'second', 'known 0', 'known 1', 'known 2'],
    ...['third', 'known 3', 'known 4', 'fourth'],
  ]);
});

it('has room for known browsers when strangers have filled the queue', async () => {
  for (let i = 0; i < 200; i++) ask(`stranger ${i}`, { from: [`192.0.2.${i}`] });
  ask('known', { from: ['mem_1'], isKnown: true });
  await settled();
  expect(refused).toHaveLength(200 - 2 - 40);
  await finish();
  expect(turnOf('known')).toBe(2);
});
