import { createSystemClock } from '../../packages/gateway/src/kernel/time/clock.ts';

const clock = createSystemClock();

/** Runs the checks whose name contains `part`, one after the other; `npm test` adds up the tally of the last line. */
export async function runChecks(
  checks: Record<string, () => Promise<void>>,
  wanted = process.argv[2] ?? '',
): Promise<void> {
  let passed = 0;
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    if (!name.includes(wanted)) continue;
    const started = clock.monotonic();
    try {
      await check();
      passed++;
      console.log(`✓ ${name} (${((clock.monotonic() - started) / 1_000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`✗ ${name}\n  ${error instanceof Error ? error.message.replaceAll('\n', '\n  ') : error}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
