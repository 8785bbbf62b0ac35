import { clock, stopAll, stopUnshared } from './parley.ts';
import { removeFolders } from './surroundings.ts';

/** A story and how it goes; a text that it returns is worth showing. */
export type Cases = Record<string, () => Promise<unknown>>;

/**
 * Runs the cases whose title has the wanted part, one after the other; the last line is the tally that `npm test` adds up. What a case
 * has started ends with it, or, where cases share it, with the last of them.
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
  // A case that failed halfway may have left something open that would keep this process.
  if (failed > 0) process.exit(1);
}
