import { removeFolders } from './environment.ts';
import { clock, stopAll, stopUnshared } from './parley.ts';

/** Cases by title; a returned text is printed. */
export type Cases = Record<string, () => Promise<unknown>>;

/**
 * Runs the cases whose title contains the given part, one after the other; `npm test` adds up the tally of the last line.
 * Processes end with the case that started them, or, where cases share them, with the last case.
 */
export async function runCases(
  cases: Cases,
  wanted = '',
  { shareProcesses = false }: { shareProcesses?: boolean } = {},
): Promise<void> {
  let passed = 0;
  let failed = 0;
  for (const [title, run] of Object.entries(cases)) {
    if (!title.includes(wanted)) continue;
    const startedAt = clock.monotonic();
    try {
      const note = await run();
      passed++;
      const seconds = `${((clock.monotonic() - startedAt) / 1000).toFixed(1)} s`;
      console.log(`  ✓ ${title} (${typeof note === 'string' ? `${note}, ${seconds}` : seconds})`);
    } catch (error) {
      failed++;
      console.log(`  ✗ ${title}`);
      console.log(error);
    } finally {
      if (!shareProcesses) await stopUnshared();
    }
  }
  await stopAll();
  removeFolders();
  console.log(`${passed} passed, ${failed} failed`);
  // A failed case may have left a handle open that would keep this process alive.
  if (failed > 0) process.exit(1);
}
