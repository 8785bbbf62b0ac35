import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { createSteppedClock } from '../time/clock.ts';
import {
  awaitedLater,
  type Failure,
  inBackground,
  onFailure,
  settled,
  sleepOrAbort,
  unlessMissing,
  warnOf,
} from './background.ts';

const broken = new Error('broken');

it('failed background work is logged with its error', async () => {
  const lines: unknown[] = [];
  const log = { warn: (details: object, message: string) => void lines.push([details, message]) };
  inBackground(Promise.resolve(), log, 'this went well');
  inBackground(Promise.reject(broken), log, 'could not tidy up');
  await vi.waitFor(() => expect(lines).toEqual([[{ err: broken }, 'could not tidy up']]));
});

it('a failure of code without a log is emitted to the listeners, or else printed as a warning of the process', async () => {
  const failures: Failure[] = [];
  const listening = onFailure((failure) => failures.push(failure));
  await expect(Promise.reject(broken).catch(warnOf('could not sweep'))).resolves.toBeUndefined();
  expect(failures).toEqual([{ complaint: 'could not sweep', error: broken }]);
  listening.stop();
  const warned = once(process, 'warning');
  warnOf('could not sweep')(broken);
  expect(await warned).toMatchObject([{ message: 'could not sweep', cause: broken }]);
  expect(failures).toHaveLength(1);
});

it('work that is awaited later still rejects where it is awaited', async () => {
  const work = Promise.reject(broken);
  awaitedLater(work);
  await settled(work);
  await expect(work).rejects.toBe(broken);
});

it('sleeps for its time or until it is aborted, and hides no other failure', async () => {
  const clock = createSteppedClock();
  const { signal } = new AbortController();
  const slept = sleepOrAbort(clock, 1_000, signal);
  clock.advance(1_000);
  await slept;
  const stop = new AbortController();
  const cutShort = sleepOrAbort(clock, 1_000, stop.signal);
  stop.abort();
  await cutShort;
  await sleepOrAbort(clock, 1_000, stop.signal);
  const noClock = { sleep: () => Promise.reject(broken) };
  await expect(sleepOrAbort(noClock, 1_000, signal)).rejects.toBe(broken);
});

it('ignores a missing file, and no other error', async () => {
  await expect(stat('/there/is/no/such/file').catch(unlessMissing)).resolves.toBeUndefined();
  await expect(stat(`${import.meta.filename}/below-a-file`).catch(unlessMissing)).resolves.toBeUndefined();
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
  await expect(Promise.reject(denied).catch(unlessMissing)).rejects.toBe(denied);
});
