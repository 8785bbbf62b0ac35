import { expect, it } from 'vitest';
import { createTally } from './tally.ts';

it('tells when all work is over, also what was added meanwhile', async () => {
  const tally = createTally();
  await tally.whenNone();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  tally.add(first.promise);
  let over = false;
  const none = tally.whenNone().then(() => {
    over = true;
  });
  tally.add(second.promise);
  first.resolve();
  await new Promise(setImmediate);
  expect(over).toBe(false);
  second.resolve();
  await none;
});
