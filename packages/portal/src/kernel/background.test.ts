import { afterEach, expect, it, vi } from 'vitest';
import { inBackground, onFailure } from './background.ts';

afterEach(() => vi.unstubAllGlobals());

it('reports failures of background work to the console and the page', async () => {
  const logged = vi.fn();
  vi.stubGlobal('reportError', logged);
  const shown: unknown[] = [];
  const stop = onFailure((thrown) => shown.push(thrown));
  const failure = new Error('the clipboard may not be written');
  inBackground(Promise.resolve('done'));
  inBackground(Promise.reject(failure));
  await vi.waitFor(() => expect(shown).toEqual([failure]));
  expect(logged).toHaveBeenCalledExactlyOnceWith(failure);
  stop();
  inBackground(Promise.reject(failure));
  await vi.waitFor(() => expect(logged).toHaveBeenCalledTimes(2));
  expect(shown).toEqual([failure]);
});
