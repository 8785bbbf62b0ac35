/** Platform of the SDK: the only file that uses time, randomness and the network. */
export interface Platform {
  readonly fetch: Fetch;
  /** Unix time in milliseconds. */
  now(): number;
  /** Rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  uuid(): string;
}

/** The part of `fetch` that the SDK uses, so that any implementation fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export const systemPlatform: Platform = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop);
    });
  },
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};
