import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

/** Work that the test ends by hand. */
function manual() {
  const begun: PromiseWithResolvers<void>[] = [];
  const ask = coalesce(() => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  });
  return { begun, ask };
}

it('shares one more run among calls during a run', async () => {
  const { begun, ask } = manual();
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(second).toBe(third);
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await first;
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await second;
});

it('starts a third run for a call during the second', async () => {
  const { begun, ask } = manual();
  void ask();
  void ask();
  begun[0]?.resolve();
  await expect.poll(() => begun.length).toBe(2);
  const third = ask();
  begun[1]?.resolve();
  await expect.poll(() => begun.length).toBe(3);
  begun[2]?.resolve();
  await third;
});

it('never runs twice at once, even for a call at the very end of a run', async () => {
  const { begun, ask } = manual();
  const atItsEnd = ask().then(ask);
  const second = ask();
  begun[0]?.resolve();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await Promise.all([atItsEnd, second]);
  expect(begun).toHaveLength(2);
});

it('continues after a failed run', async () => {
  const { begun, ask } = manual();
  const first = ask();
  const second = ask();
  begun[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await second;
});

it('begins at once after a run has ended', async () => {
  const { begun, ask } = manual();
  const first = ask();
  begun[0]?.resolve();
  await first;
  void ask();
  expect(begun).toHaveLength(2);
});
