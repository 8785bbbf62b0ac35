import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { choose } from '../choose.ts';
import { beginOn, commandModules, DAY_MS, message, type Stage, texts } from '../testing/stage.ts';
import { dropWhatIsOver, startHistoryRetention, trimAll } from './retention.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOnEachDatabase(
  'the schedule of deletions',
  (test) => {
    /** The jobs of a process whose clock is ahead of that of the number. */
    function startAhead({ context, clock: behind }: Stage, ms: number) {
      const clock = createSteppedClock(behind.now() + ms);
      const waits: number[] = [];
      const { sleep } = clock;
      clock.sleep = (each, signal) => {
        waits.push(each);
        return sleep.call(clock, each, signal);
      };
      const job = startHistoryRetention({ ...context, clock, log: { debug() {}, error() {} } });
      async function waiting(expected: number[]): Promise<void> {
        await vi.waitFor(() => expect(waits.toSorted((one, other) => one - other)).toEqual(expected));
        waits.length = 0;
      }
      return { clock, job, waiting };
    }

    it('deletes disappearing messages at once and every minute, old ones after a minute and every hour', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 1 });
      await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
      await stage.receiveMessage('Old');
      const { clock, job, waiting } = startAhead(stage, DAY_MS);
      await vi.waitFor(async () => expect(await texts(stage)).toEqual(['Old']));
      await waiting([MINUTE, MINUTE]);
      clock.advance(MINUTE);
      await vi.waitFor(async () => expect(await texts(stage)).toEqual([]));
      await waiting([MINUTE, HOUR]);
      await job.stop();
    });

    it('takes no further step after a stop', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 1 });
      await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
      await stage.receiveMessage('Old');
      stage.clock.advance(DAY_MS + MINUTE);
      const parts = { ...stage.context, clock: stage.clock };
      await dropWhatIsOver(parts, AbortSignal.abort());
      await trimAll(parts, AbortSignal.abort());
      expect(await texts(stage)).toEqual(['Old', 'Disappears']);
      await dropWhatIsOver(parts);
      await trimAll(parts);
      expect(await texts(stage)).toEqual([]);
    });

    it('folds the log of the database when something was deleted, and at no other time', async () => {
      const stage = await beginOn(test.store);
      const foldLog = vi.fn(test.store.foldLog);
      const parts = { ...stage.context, clock: stage.clock, store: { ...test.store, foldLog } };
      await dropWhatIsOver(parts);
      await trimAll(parts);
      expect(foldLog).not.toHaveBeenCalled();
      await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
      await stage.receiveMessage('Old');
      stage.clock.advance(MINUTE);
      await dropWhatIsOver(parts);
      expect(foldLog).toHaveBeenCalledTimes(1);
      stage.clock.advance(400 * DAY_MS);
      await trimAll(parts);
      expect(foldLog).toHaveBeenCalledTimes(2);
    });
  },
  'new for each test',
  commandModules,
);
