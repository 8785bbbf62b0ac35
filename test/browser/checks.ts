/** Checks with names, run one after the other; the last line is the tally that `npm test` adds up. */
export async function runChecks(checks: Record<string, () => Promise<void>>): Promise<void> {
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`✓ ${name}`);
    } catch (error) {
      failed++;
      console.log(`✗ ${name}\n  ${error instanceof Error ? error.message.replaceAll('\n', '\n  ') : error}`);
    }
  }
  console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
