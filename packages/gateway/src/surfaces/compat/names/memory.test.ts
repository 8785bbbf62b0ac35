import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import { createMemory } from './names.ts';

function start() {
  const machineClock = createSteppedClock();
  const bus = createLocalBus({ clock: machineClock });
  const [here, there] = [1, 2].map(() => createMemory<string>('topic', { bus, machineClock }));
  let reads = 0;
  const read = (value: string | undefined) => async () => {
    reads += 1;
    return value;
  };
  return { here: here as NonNullable<typeof here>, there, machineClock, read, reads: () => reads };
}

test('reads once per minute', async () => {
  const { here, machineClock, read, reads } = start();
  expect(await Promise.all([here.recall('key', read('a')), here.recall('key', read('b'))])).toEqual([
    'a',
    'a',
  ]);
  machineClock.advance(59_999);
  expect(await here.recall('key', read('c'))).toBe('a');
  machineClock.advance(1);
  expect(await here.recall('key', read('d'))).toBe('d');
  expect(reads()).toBe(2);
});

test('caches neither absent values nor failed reads', async () => {
  const { here, read, reads } = start();
  expect(await here.recall('key', read(undefined))).toBeUndefined();
  await expect(here.recall('key', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await here.recall('key', read('a'))).toBe('a');
  expect(reads()).toBe(2);
});

test('invalidates exactly the changed keys, here and in other processes', async () => {
  const { here, there, read } = start();
  for (const memory of [here, there]) {
    await memory?.recall('key', read('a'));
    await memory?.recall('other', read('a'));
  }
  here.changed(['key']);
  await new Promise(setImmediate);
  for (const memory of [here, there]) {
    expect(await memory?.recall('key', read('b'))).toBe('b');
    expect(await memory?.recall('other', read('b'))).toBe('a');
  }
});

test('keeps a value read after a change, also when an older read fails', async () => {
  const { here, read } = start();
  const slow = Promise.withResolvers<string | undefined>();
  const older = here.recall('key', () => slow.promise);
  here.changed(['key']);
  await new Promise(setImmediate);
  expect(await here.recall('key', read('new'))).toBe('new');
  slow.resolve(undefined);
  await older;
  expect(await here.recall('key', read('later'))).toBe('new');
});

test('receives nothing after stop', async () => {
  const { here, there, read } = start();
  await there?.recall('key', read('a'));
  there?.stop();
  here.changed(['key']);
  await new Promise(setImmediate);
  expect(await there?.recall('key', read('b'))).toBe('a');
});
