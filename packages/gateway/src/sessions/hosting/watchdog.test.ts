import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { NetworkError } from '#network';
import { createWatchdog } from './watchdog.ts';

/** A watchdog that waits for exactly a minute, without spread. */
function setUp() {
  const clock = createSteppedClock();
  const connection = { asked: 0, madeAnew: 0 };
  /** Next answers; without one, the connection answers at once. */
  const answers: (() => Promise<void>)[] = [];
  const watchdog = createWatchdog({
    session: {
      probe() {
        connection.asked++;
        return answers.shift()?.() ?? Promise.resolve();
      },
      reconnect: () => void connection.madeAnew++,
    },
    slotId: 'slot_1',
    clock,
    random: { fraction: () => 0 },
    log: { info() {}, warn() {} },
  });
  const lookAfter = async (ms: number) => {
    clock.advance(ms);
    watchdog.look();
    await turn();
  };
  return { watchdog, connection, answers, lookAfter };
}

const silence = () => Promise.reject(new NetworkError('transient', 'silence'));

describe('a watchdog', () => {
  it('probes after a minute of silence, and counts the answer as activity', async () => {
    const { connection, lookAfter } = setUp();
    await lookAfter(59_999);
    expect(connection.asked).toBe(0);
    await lookAfter(1);
    expect(connection.asked).toBe(1);
    await lookAfter(59_999);
    expect(connection.asked).toBe(1);
    await lookAfter(1);
    expect(connection.asked).toBe(2);
  });

  it('sends no second probe while it waits for an answer', async () => {
    const { connection, answers, lookAfter } = setUp();
    const answer = Promise.withResolvers<void>();
    answers.push(() => answer.promise);
    await lookAfter(60_000);
    await lookAfter(5_000);
    expect(connection.asked).toBe(1);
    answer.resolve();
    await turn();
    await lookAfter(60_000);
    expect(connection.asked).toBe(2);
  });

  it('reconnects after two probes without an answer', async () => {
    const { connection, answers, lookAfter } = setUp();
    answers.push(silence);
    await lookAfter(60_000);
    expect(connection.madeAnew).toBe(0);
    answers.push(silence, silence);
    await lookAfter(60_000);
    expect(connection.madeAnew).toBe(1);
  });

  it('keeps a connection with other traffic while the probes get no answer', async () => {
    const { watchdog, connection, answers, lookAfter } = setUp();
    answers.push(silence, () => silence().finally(watchdog.sign));
    await lookAfter(61_000);
    expect(connection.asked).toBe(2);
    expect(connection.madeAnew).toBe(0);
  });
});
