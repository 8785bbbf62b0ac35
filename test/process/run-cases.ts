import type { Cases } from './cases.ts';
import { clock, stopAll } from './parley.ts';
import { removeFolders } from './surroundings.ts';

/**
 * Runs the cases whose title has the wanted part, one after the other; the last line is the tally that `npm test` adds up. What a case
 * has started ends with it, or, where cases share, with the last of them.
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
      if (!shareProcesses) await cleanUp();
    }
  }
  await cleanUp();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function cleanUp(): Promise<void> {
  await stopAll();
  removeFolders();
}
