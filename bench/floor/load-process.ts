import { applyLoad, type Load, type LoadResult, requestText } from '../lib/load.ts';
import { offer } from '../lib/remote.ts';

let request = '';

const calls = {
  prepare(the: Parameters<typeof requestText>[0]): void {
    request = requestText(the);
  },
  load: (load: Load): Promise<LoadResult> => applyLoad(load, () => request),
};

export type LoadCalls = typeof calls;

offer(calls);
