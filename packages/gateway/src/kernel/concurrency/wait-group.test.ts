import { expect, it } from 'vitest';
import { createWaitGroup } from './wait-group.ts';

it('tells when all work is over, also what was added meanwhile', async () => {
  const group = createWaitGroup();
  await group.whenIdle();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  group.add(first.promise);
  let over = false;
  const none = group.whenIdle().then(() => {
    over = true;
  });
  group.add(second.promise);
  first.resolve();
  await new Promise(setImmediate);
  expect(over).toBe(false);
  second.resolve();
  await none;
});
