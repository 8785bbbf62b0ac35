import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '../time/clock.ts';
import { watchThread } from './thread-watch.ts';

function watch() {
  const clock = createSteppedClock();
  const onHang = vi.fn();
  let answers = true;
  const asked = vi.fn(() => (answers ? Promise.resolve() : new Promise<void>(() => {})));
  const watching = watchThread({ ask: asked, clock, hungAfterMs: 10_000, onHang });
  return {
    ...{ onHang, asked, stop: watching.stop },
    hang: () => {
      answers = false;
    },
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 500) {
        clock.advance(500);
        await turn();
      }
    },
  };
}

it('tells once that a thread hangs that has answered nothing for ten seconds', async () => {
  const { hang, pass, onHang, asked } = watch();
  await pass(60_000);
  expect(onHang).not.toHaveBeenCalled();
  hang();
  await pass(9_500);
  expect(onHang).not.toHaveBeenCalled();
  await pass(2_500);
  expect(onHang).toHaveBeenCalledOnce();
  const questions = asked.mock.calls.length;
  await pass(60_000);
  expect(onHang).toHaveBeenCalledOnce();
  expect(asked).toHaveBeenCalledTimes(questions);
});

it('takes a moment in which everything stood still for none of its own', async () => {
  const onHang = vi.fn();
  const answers: (() => void)[] = [];
  const ask = () => new Promise<void>((resolve) => answers.push(resolve));
  // A machine that wakes late rings each alarm once, however often it would have rung meanwhile, and hears the answers after that.
  let ring = (): void => {};
  const after = (_ms: number, action: () => void) => {
    ring = action;
    return { cancel() {} };
  };
  watchThread({ ask, clock: { after }, hungAfterMs: 10_000, onHang });
  for (let times = 0; times < 20; times++) {
    ring();
    for (const answer of answers.splice(0)) answer();
    await turn();
  }
  expect(onHang).not.toHaveBeenCalled();
});

it('asks nothing more once it is stopped', async () => {
  const { stop, pass, asked } = watch();
  stop();
  const questions = asked.mock.calls.length;
  await pass(20_000);
  expect(asked).toHaveBeenCalledTimes(questions);
});
