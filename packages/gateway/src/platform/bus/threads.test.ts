import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLocalBus } from './local.ts';
import { type Bus, BusUnreachable, NoResponders } from './port.ts';
import { describeBus } from './testing/conformance.ts';
import { offerBus, reachBus } from './threads.ts';

function createThreadedBus() {
  const clock = createSteppedClock();
  const main = createLocalBus({ clock });
  const reach = (): Bus => {
    const { port1, port2 } = new MessageChannel();
    offerBus(main, port1);
    return reachBus(port2, { clock });
  };
  const threads = [reach(), reach()] as const;
  const all = [...threads, main];
  return {
    ...{ main, threads },
    settled: async () => void (await Promise.all(all.map((bus) => bus.check()))),
    async advance(ms: number) {
      // The call is in transit before its timeout starts.
      await Promise.all(threads.map((bus) => bus.check()));
      clock.advance(ms);
    },
    dispose: async () => void (await Promise.all(all.map((bus) => bus.close()))),
  };
}

describeBus('a bus from thread to thread', async () => {
  const { threads, ...bus } = createThreadedBus();
  return { here: threads[0], there: threads[1], ...bus };
});

describeBus('a bus from the main thread to another', async () => {
  const { main, threads, ...bus } = createThreadedBus();
  return { here: main, there: threads[0], ...bus };
});

describe('a thread that is gone', () => {
  it('breaks off the calls to it, and serves and receives nothing any more', async () => {
    const { main, threads, settled, dispose } = createThreadedBus();
    const [thread] = threads;
    const begun = Promise.withResolvers<void>();
    thread.serve('slow', () => {
      begun.resolve();
      return new Promise(() => {});
    });
    thread.subscribe('topic', () => {});
    await settled();
    const call = expect(main.call('slow', null, { timeoutMs: 60_000 })).rejects.toThrow(BusUnreachable);
    await begun.promise;
    await thread.close();
    await call;
    await vi.waitFor(() =>
      expect(main.call('slow', null, { timeoutMs: 60_000 })).rejects.toThrow(NoResponders),
    );
    await expect(thread.call('slow', null, { timeoutMs: 60_000 })).rejects.toThrow(BusUnreachable);
    main.publish('topic', 'after the end');
    await dispose();
  });
});

describe('a thread that hangs', () => {
  it('is replaced by another that serves the same, and stops none of it when it is back', async () => {
    const { main, threads, settled, dispose } = createThreadedBus();
    const [hanging, other] = threads;
    const old = hanging.serve('number', () => new Promise(() => {}));
    await settled();
    other.serve('number', async () => 'the other one');
    await settled();
    expect(await main.call('number', null, { timeoutMs: 60_000 })).toBe('the other one');
    old.stop();
    await settled();
    await hanging.close();
    expect(await main.call('number', null, { timeoutMs: 60_000 })).toBe('the other one');
    await dispose();
  });
});
