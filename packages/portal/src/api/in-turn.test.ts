import { expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

/** Work that ends when it is told to. */
function manual() {
  const begun: PromiseWithResolvers<void>[] = [];
  const ask = inTurn(() => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  });
  return { begun, ask };
}

it('who asks while it runs gets one more time, together with all others', async () => {
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

it('who asks in the second time gets a third', async () => {
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

it('runs no two times at once, even when somebody asks at the very end of one', async () => {
  const { begun, ask } = manual();
  const atItsEnd = ask().then(ask);
  const second = ask();
  begun[0]?.resolve();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await Promise.all([atItsEnd, second]);
  expect(begun).toHaveLength(2);
});

it('goes on after a time that failed', async () => {
  const { begun, ask } = manual();
  const first = ask();
  const second = ask();
  begun[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await second;
});
