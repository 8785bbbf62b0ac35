import { cases } from './cases.ts';
import { stopAll } from './parley.ts';
import { removeFolders } from './surroundings.ts';

/** Starts and stops real gateways by their command, as an operator does. `node test/process/run.ts [part of a title]` */
const [wanted = ''] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const [title, run] of Object.entries(cases)) {
  if (!title.includes(wanted)) continue;
  try {
    const note = await run();
    passed++;
    console.log(`  ✓ ${title}${typeof note === 'string' ? ` (${note})` : ''}`);
  } catch (error) {
    failed++;
    console.log(`  ✗ ${title}`);
    console.log(error);
  } finally {
    await stopAll();
    removeFolders();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
