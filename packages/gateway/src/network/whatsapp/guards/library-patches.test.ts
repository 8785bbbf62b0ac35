import { createDevice } from '@parley/signal/testing';
import { expect, test } from 'vitest';
import { installGuards } from './index.ts';

installGuards();

test('a message for an older session leaves the newest one unchanged', async () => {
  const here = createDevice();
  const there = createDevice();
  await there.openSession('here', here.bundle);
  expect(await here.read('there', await there.write('here', 'hello'))).toBe('hello');
  expect(await there.read('here', await here.write('there', 'hello yourself'))).toBe('hello yourself');

  // `here` starts over; `there` does not know yet and continues in the old session.
  const late = await there.write('here', 'still in the old one');
  await here.openSession('there', there.bundle);
  expect(await here.read('there', late)).toBe('still in the old one');

  expect(await there.read('here', await here.write('there', 'in the new one'))).toBe('in the new one');
  expect(await here.read('there', await there.write('here', 'and back'))).toBe('and back');
});
