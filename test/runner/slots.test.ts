import { expect, it } from 'vitest';
import { runInSlots } from './slots.ts';

interface Job {
  readonly name: string;
  readonly slots: number;
}

/** Ends jobs by hand, and lists the running ones. */
function watchJobs(slots: number, jobs: readonly Job[]) {
  const ends = new Map<string, () => void>();
  const over = runInSlots(slots, jobs, async ({ name }) => {
    await new Promise<void>((resolve) => ends.set(name, resolve));
    ends.delete(name);
  });
  return {
    over,
    running: () => [...ends.keys()],
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

const job = (name: string, slots = 1): Job => ({ name, slots });

it('fills the slots in order, and starts a job that fits before one that does not', async () => {
  const { over, running, end } = watchJobs(4, [
    job('wide', 2),
    job('a'),
    job('other', 2),
    job('b'),
    job('c'),
  ]);
  expect(running()).toEqual(['wide', 'a', 'b']);
  await end('a');
  expect(running()).toEqual(['wide', 'b', 'c']);
  await end('wide');
  expect(running()).toEqual(['b', 'c', 'other']);
  for (const name of running()) await end(name);
  await over;
  expect(running()).toEqual([]);
});

it('gives all slots to a job that needs more than there are', async () => {
  const { over, running, end } = watchJobs(2, [job('a'), job('huge', 5), job('b')]);
  expect(running()).toEqual(['a', 'b']);
  await end('a');
  await end('b');
  expect(running()).toEqual(['huge']);
  await end('huge');
  await over;
});

it('ends with the first failure', async () => {
  const failing = runInSlots(1, [job('a')], async () => {
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
});
