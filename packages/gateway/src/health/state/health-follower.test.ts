import { expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createHealthFollower } from './health-follower.ts';

const subject = { number: { accountId: 'a', slotId: 's' }, sessionId: 'x', fence: null };
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

/** A follower whose writes are completed by the test, one after the other. */
function start() {
  const clock = createSteppedClock();
  const writes: { resolve(isNews: boolean): void; reject(error: Error): void }[] = [];
  const announced: unknown[] = [];
  const warnings: string[] = [];
  const follower = createHealthFollower({
    store: {
      run: (() => {
        const write = Promise.withResolvers<boolean>();
        writes.push(write);
        return write.promise;
      }) as never,
    },
    events: { announce: (events) => void announced.push(events) },
    clock,
    log: { warn: (_details, message) => void warnings.push(message) },
  });
  return { follower, clock, writes, announced, warnings };
}

it('writes the notes of one number one after the other, and announces changes', async () => {
  const { follower, writes, announced } = start();
  follower.learn(subject, { kind: 'deaf' });
  follower.learn(subject, { kind: 'undecryptable' });
  await turns();
  expect(writes).toHaveLength(1);
  writes[0]?.resolve(true);
  await turns();
  expect(writes).toHaveLength(2);
  writes[1]?.resolve(false);
  await turns();
  expect(announced).toEqual([[{ accountId: 'a' }]]);
  await follower.stop();
});

it('a stop waits for the write under way, drops the next, and takes nothing more', async () => {
  const { follower, clock, writes, warnings } = start();
  follower.learn(subject, { kind: 'deaf' });
  follower.learn(subject, { kind: 'deaf' });
  await turns();
  let isStopped = false;
  const stopped = follower.stop().then(() => {
    isStopped = true;
  });
  await turns();
  expect(isStopped).toBe(false);
  writes[0]?.reject(new Error('away'));
  await stopped;
  follower.learn(subject, { kind: 'deaf' });
  clock.advance(10_000);
  await turns();
  expect(writes).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});

it('retries a failed write after a second', async () => {
  const { follower, clock, writes } = start();
  follower.learn(subject, { kind: 'deaf' });
  await turns();
  writes[0]?.reject(new Error('away'));
  await turns();
  clock.advance(999);
  await turns();
  expect(writes).toHaveLength(1);
  clock.advance(1);
  await turns();
  expect(writes).toHaveLength(2);
  writes[1]?.resolve(false);
  await follower.stop();
});
