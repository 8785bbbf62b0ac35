import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

it('runs once more, and only once, for all who ask while it runs', async () => {
  const finish: (() => void)[] = [];
  let running = 0;
  const run = coalesce(async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
  });
  const first = run();
  const [second, third] = [run(), run()];
  expect(finish).toHaveLength(1);
  finish[0]?.();
  await first;
  await Promise.resolve();
  expect(finish).toHaveLength(2);
  finish[1]?.();
  await Promise.all([second, third]);
  const fourth = run();
  finish[2]?.();
  await fourth;
  expect(finish).toHaveLength(3);
});

it('goes on after a run that failed', async () => {
  let runs = 0;
  const run = coalesce(async () => {
    runs += 1;
    if (runs === 1) throw new Error('once');
  });
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow('once');
  await second;
  expect(runs).toBe(2);
});
