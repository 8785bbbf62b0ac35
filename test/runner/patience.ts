import { expect, vi } from 'vitest';

/** For asynchronous results: a busy machine must make tests slow, not red. A missing result fails by the limit of the test. */
const PATIENCE_MS = Number(process.env.PARLEY_TEST_PATIENCE_MS ?? 20_000);

const { waitFor } = vi;
// Runs before each file, and files share their threads.
if (waitFor.name !== patiently.name) vi.waitFor = patiently;
vi.setConfig({ expect: { poll: { timeout: PATIENCE_MS } } });

function patiently<T>(check: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> {
  const own = typeof options === 'number' ? { timeout: options } : options;
  const { assertionCalls } = expect.getState();
  const look = (): T | Promise<T> => {
    // Only the last look counts, so that a slow machine makes no more assertions than a fast one.
    expect.setState({ assertionCalls });
    return check();
  };
  return waitFor(look, { timeout: PATIENCE_MS, ...own });
}

type WaitOptions = Parameters<typeof waitFor>[1] & {};
