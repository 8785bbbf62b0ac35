import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bus, CallBroken, CallTimedOut, NoResponders } from '../port.ts';

export interface BusHarness {
  /** Two ends of one bus; the same one twice for a single process. */
  readonly here: Bus;
  readonly there: Bus;
  /** Resolves when both ends know all servers and subscribers. */
  settled(): Promise<void>;
  /** Advances the clocks of both. */
  advance(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

/** Requirements of every bus; run by each implementation. */
export function describeBus(name: string, createHarness: () => Promise<BusHarness>): void {
  describe(`${name} as a bus`, () => {
    let harness: BusHarness;
    beforeEach(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.dispose());

    it('carries a call to its server, and the answer back', async () => {
      harness.there.serve('host.1', async (request) => ({ got: request }));
      await harness.settled();
      expect(await harness.here.call('host.1', { a: [1, 'two', null] }, { timeoutMs: 1_000 })).toEqual({
        got: { a: [1, 'two', null] },
      });
    });

    it('reports at once that a subject has no server, also after the server has stopped', async () => {
      await expect(harness.here.call('host.2', {}, { timeoutMs: 60_000 })).rejects.toThrow(NoResponders);
      const serving = harness.there.serve('host.2', async () => 'here');
      await harness.settled();
      expect(await harness.here.call('host.2', {}, { timeoutMs: 1_000 })).toBe('here');
      serving.stop();
      serving.stop();
      await vi.waitFor(() =>
        expect(harness.here.call('host.2', {}, { timeoutMs: 60_000 })).rejects.toThrow(NoResponders),
      );
    });

    it('carries nothing under a name with blanks or wildcards', () => {
      for (const name of ['', 'two words', 'every.*', 'all.>']) {
        expect(() => harness.here.subscribe(name, () => {}), name).toThrow(TypeError);
        expect(() => harness.here.serve(name, async () => null), name).toThrow(TypeError);
      }
    });

    it('does not wait longer than the timeout', async () => {
      harness.there.serve('host.3', () => new Promise(() => {}));
      await harness.settled();
      const call = harness.here.call('host.3', {}, { timeoutMs: 500 });
      const refused = expect(call).rejects.toThrow(CallTimedOut);
      await harness.advance(500);
      await refused;
    });

    it('distinguishes a failing server from a missing one', async () => {
      harness.there.serve('host.4', async () => {
        throw new Error('a bug');
      });
      await harness.settled();
      await expect(harness.here.call('host.4', {}, { timeoutMs: 1_000 })).rejects.toThrow(CallBroken);
    });

    it('keeps many calls apart', async () => {
      harness.there.serve('host.5', async (request) => request);
      await harness.settled();
      const calls = Array.from({ length: 200 }, (_, n) =>
        harness.here.call('host.5', n, { timeoutMs: 1_000 }),
      );
      expect(await Promise.all(calls)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    });

    it('carries bytes, absent values and large payloads, both ways', async () => {
      harness.there.serve('host.7', async (request) => request);
      await harness.settled();
      const echo = (request: object): Promise<unknown> =>
        harness.here.call('host.7', request, { timeoutMs: 10_000 });
      const large = { text: 'many contacts '.repeat(200_000), absent: undefined, nothing: null };
      const small = { bytes: new Uint8Array([0, 255]) };
      expect(await Promise.all([echo(large), echo(small), echo({ ...large, n: 2 })])).toEqual([
        large,
        small,
        { ...large, n: 2 },
      ]);
    });

    it('never lets two ends share an object', async () => {
      const kept: { value: number }[] = [];
      harness.there.serve('host.6', async (request) => {
        kept.push(request as { value: number });
        return request;
      });
      await harness.settled();
      const request = { value: 1 };
      await harness.here.call('host.6', request, { timeoutMs: 1_000 });
      request.value = 2;
      expect(kept).toEqual([{ value: 1 }]);
    });

    it('publishes to all subscribers of a topic, and to no others', async () => {
      const received: string[] = [];
      harness.here.subscribe('wake', (message) => void received.push(`here ${message}`));
      const there = harness.there.subscribe('wake', (message) => void received.push(`there ${message}`));
      harness.there.subscribe('wake', () => {
        throw new Error('a bug');
      });
      harness.there.subscribe('other', () => void received.push('wrong'));
      await harness.settled();
      harness.here.publish('wake', 'up');
      await vi.waitFor(() => expect(received.toSorted()).toEqual(['here up', 'there up']));
      there.stop();
      await harness.settled();
      harness.here.publish('wake', 'again');
      await vi.waitFor(() => expect(received).toContain('here again'));
      expect(received).not.toContain('there again');
    });

    it('delivers all messages of one turn in order, also to a listener that fails at some of them', async () => {
      const received: string[] = [];
      harness.there.subscribe('wake', (message) => {
        received.push(String(message));
        if (message === 'one') throw new Error('a bug');
      });
      harness.there.subscribe('other', (message) => void received.push(`other ${message}`));
      await harness.settled();
      for (const message of ['one', 'two', 'three']) harness.here.publish('wake', message);
      harness.here.publish('other', null);
      await vi.waitFor(() => expect(received).toHaveLength(4));
      expect(received.filter((message) => message !== 'other null')).toEqual(['one', 'two', 'three']);
    });

    it('delivers every message of one turn, however many, and however large one of them is', async () => {
      const received: unknown[] = [];
      harness.there.subscribe('wake', (message) => void received.push(message));
      await harness.settled();
      const ids = Array.from({ length: 60_000 }, (_, n) => `slot_${String(n).padStart(26, '0')}`);
      const large = { ids };
      for (const id of ids) harness.here.publish('wake', id);
      harness.here.publish('wake', large);
      await vi.waitFor(() => expect(received).toHaveLength(ids.length + 1));
      expect(received).toEqual([...ids, large]);
    });

    it('lets a newer server replace an older one, whose stop has no effect then', async () => {
      const older = harness.there.serve('host.8', () => new Promise(() => {}));
      harness.there.serve('host.8', async () => 'newer');
      await harness.settled();
      const ask = () => harness.here.call('host.8', null, { timeoutMs: 10_000 });
      expect(await ask()).toBe('newer');
      older.stop();
      await harness.settled();
      expect(await ask()).toBe('newer');
    });

    it('is ready while it works', async () => {
      await expect(harness.here.check()).resolves.toBeUndefined();
    });
  });
}
