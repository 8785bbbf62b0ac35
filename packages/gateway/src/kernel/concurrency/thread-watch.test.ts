import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createSteppedClock } from '../time/clock.ts';
import { watchThread } from './thread-watch.ts';

/** Answers with its number of questions, until it is asked to hang. */
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  let asked = 0;
  parentPort.on('message', (word) => {
    if (word === 'hang') for (;;);
    parentPort.postMessage(++asked);
  });
`;

let thread: Worker;
afterEach(() => thread.terminate());

/** A watched thread. `lateMs`: delay of all timers. */
function watch({ lateMs = 0 } = {}) {
  thread = new Worker(PROGRAM, { eval: true });
  const ended = once(thread, 'exit').then(() => Promise.reject(new Error('it has ended')));
  const clock = createSteppedClock();
  let hangs = 0;
  let questions = 0;
  let isHanging = false;
  let answer: Promise<unknown> = Promise.resolve();
  const watching = watchThread({
    ask() {
      questions++;
      answer = Promise.race([once(thread, 'message'), ended]);
      thread.postMessage('are you there?');
      return answer;
    },
    clock: { after: (ms, action) => clock.after(ms + lateMs, action) },
    hungAfterMs: 10_000,
    onHang: () => {
      hangs++;
    },
  });
  return {
    hangs: () => hangs,
    questions: () => questions,
    stop: watching.stop,
    hang() {
      isHanging = true;
      thread.postMessage('hang');
    },
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 500) {
        if (!isHanging) await answer.catch(() => {});
        clock.advance(500);
      }
    },
  };
}

it('reports once a thread that has answered nothing for ten seconds', async () => {
  const { hang, pass, hangs, questions } = watch();
  await pass(60_000);
  expect([questions(), hangs()]).toEqual([31, 0]);
  hang();
  await pass(7_500);
  expect(hangs()).toBe(0);
  await pass(2_500);
  expect(hangs()).toBe(1);
  const asked = questions();
  await pass(60_000);
  expect([questions(), hangs()]).toEqual([asked, 1]);
});

it('does not report a hang when the machine itself wakes late', async () => {
  const { pass, hangs, questions } = watch({ lateMs: 60_000 });
  await pass(10 * 62_000);
  expect([questions(), hangs()]).toEqual([11, 0]);
});

it('stops asking a thread that has ended, and does not report it as hanging', async () => {
  const { pass, hangs, questions } = watch();
  await pass(4_000);
  await thread.terminate();
  // After the answers, the next question detects it.
  await pass(2_000);
  const asked = questions();
  expect(asked).toBeLessThanOrEqual(4);
  await pass(20_000);
  expect([questions(), hangs()]).toEqual([asked, 0]);
});

it('asks nothing more once it is stopped', async () => {
  const { stop, pass, questions } = watch();
  await pass(4_000);
  stop();
  await pass(20_000);
  expect(questions()).toBe(3);
});
