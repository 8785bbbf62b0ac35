import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bus, CallBroken, CallTimedOut, NobodyServes } from '../port.ts';

export interface BusHarness {
  /** Two ends of one bus; the same one twice where there is only one process. */
  readonly here: Bus;
  readonly there: Bus;
  /** Resolves when everybody knows who serves and who listens. */
  settled(): Promise<void>;
  /** Lets the time of both pass. */
  advance(ms: number): Promise<void>;
  dispose(): Promise<void>;
}

/** What every bus must do; run by each implementation. */
export function describeBus(name: string, createHarness: () => Promise<BusHarness>): void {
  describe(`${name} as a bus`, () => {
    let harness: BusHarness;
    beforeEach(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.dispose());

    it('carries a call to the one who serves it, and the answer back', async () => {
      harness.there.serve('host.1', async (request) => ({ got: request }));
      await harness.settled();
      expect(await harness.here.call('host.1', { a: [1, 'two', null] }, { timeoutMs: 1_000 })).toEqual({
        got: { a: [1, 'two', null] },
      });
    });

    it('says at once that nobody serves a subject, also after the server has stopped', async () => {
      await expect(harness.here.call('host.2', {}, { timeoutMs: 60_000 })).rejects.toThrow(NobodyServes);
      const serving = harness.there.serve('host.2', async () => 'here');
      await harness.settled();
      expect(await harness.here.call('host.2', {}, { timeoutMs: 1_000 })).toBe('here');
      serving.stop();
      serving.stop();
      await vi.waitFor(() =>
        expect(harness.here.call('host.2', {}, { timeoutMs: 60_000 })).rejects.toThrow(NobodyServes),
      );
    });

    it('carries nothing under a name with blanks or wildcards', () => {
      for (const name of ['', 'two words', 'every.*', 'all.>']) {
        expect(() => harness.here.subscribe(name, () => {}), name).toThrow(TypeError);
        expect(() => harness.here.serve(name, async () => null), name).toThrow(TypeError);
      }
    });

    it('does not wait longer than asked', async () => {
      harness.there.serve('host.3', () => new Promise(() => {}));
      await harness.settled();
      const call = harness.here.call('host.3', {}, { timeoutMs: 500 });
      const refused = expect(call).rejects.toThrow(CallTimedOut);
      await harness.advance(500);
      await refused;
    });

    it('tells a broken server from a missing one', async () => {
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

    it('carries bytes, absent values and whatever is large, both ways', async () => {
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

    it('tells everyone who listens to a topic, and nobody else', async () => {
      const heard: string[] = [];
      harness.here.subscribe('wake', (message) => void heard.push(`here ${message}`));
      const there = harness.there.subscribe('wake', (message) => void heard.push(`there ${message}`));
      harness.there.subscribe('wake', () => {
        throw new Error('a bug');
      });
      harness.there.subscribe('other', () => void heard.push('wrong'));
      await harness.settled();
      harness.here.publish('wake', 'up');
      await vi.waitFor(() => expect(heard.toSorted()).toEqual(['here up', 'there up']));
      there.stop();
      await harness.settled();
      harness.here.publish('wake', 'again');
      await vi.waitFor(() => expect(heard).toContain('here again'));
      expect(heard).not.toContain('there again');
    });

    it('tells all that is said in one go, in its order, also to a listener that fails at some of it', async () => {
      const heard: string[] = [];
      harness.there.subscribe('wake', (message) => {
        heard.push(String(message));
        if (message === 'one') throw new Error('a bug');
      });
      harness.there.subscribe('other', (message) => void heard.push(`other ${message}`));
      await harness.settled();
      for (const message of ['one', 'two', 'three']) harness.here.publish('wake', message);
      harness.here.publish('other', null);
      await vi.waitFor(() => expect(heard).toHaveLength(4));
      expect(heard.filter((message) => message !== 'other null')).toEqual(['one', 'two', 'three']);
    });

    it('tells all of it, however much is said in one go, and however large one thing is', async () => {
      const heard: unknown[] = [];
      harness.there.subscribe('wake', (message) => void heard.push(message));
      await harness.settled();
      const ids = Array.from({ length: 60_000 }, (_, n) => `slot_${String(n).padStart(26, '0')}`);
      const large = { ids };
      for (const id of ids) harness.here.publish('wake', id);
      harness.here.publish('wake', large);
      await vi.waitFor(() => expect(heard).toHaveLength(ids.length + 1));
      expect(heard).toEqual([...ids, large]);
    });

    it('lets a newer server replace an older one, whose stop ends nothing then', async () => {
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
