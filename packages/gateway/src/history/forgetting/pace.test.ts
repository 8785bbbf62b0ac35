import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase } from '#testing';
import { choose } from '../choose.ts';
import { beginOn, commandModules, DAY_MS, message, type Stage, texts } from '../testing/stage.ts';
import { dropWhatIsOver, startHistoryRetention, trimAll } from './retention.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOnEachDatabase(
  'when a number forgets',
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

    it('loses what disappears at once and every minute, what is too old after a minute and every hour', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 1 });
      await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
      await stage.hear('Old');
      const { clock, job, waiting } = startAhead(stage, DAY_MS);
      await vi.waitFor(async () => expect(await texts(stage)).toEqual(['Old']));
      await waiting([MINUTE, MINUTE]);
      clock.advance(MINUTE);
      await vi.waitFor(async () => expect(await texts(stage)).toEqual([]));
      await waiting([MINUTE, HOUR]);
      await job.stop();
    });

    it('takes no further step once it is to stop', async () => {
      const stage = await beginOn(test.store);
      await choose(stage.context, stage.number, { enabled: true, days: 1 });
      await stage.keep(message({ text: 'Disappears', ephemeral_seconds: 60 }));
      await stage.hear('Old');
      stage.clock.advance(DAY_MS + MINUTE);
      const parts = { ...stage.context, clock: stage.clock };
      await dropWhatIsOver(parts, AbortSignal.abort());
      await trimAll(parts, AbortSignal.abort());
      expect(await texts(stage)).toEqual(['Old', 'Disappears']);
      await dropWhatIsOver(parts);
      await trimAll(parts);
      expect(await texts(stage)).toEqual([]);
    });
  },
  'new for each test',
  commandModules,
);
