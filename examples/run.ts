import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startDemo } from '../test/docs/demo.ts';
import { removeFolders } from '../test/process/environment.ts';
import { stopAll } from '../test/process/parley.ts';
import { createPerson } from './stage/people.ts';
import { startProgram } from './stage/program.ts';
import type { Scene } from './stage/scene.ts';

/**
 * `npm run example <name>`: with PARLEY_API_KEY set the example runs against that gateway, until it is stopped. Otherwise it gets
 * a gateway of its own on a new folder, and virtual people who demonstrate it.
 */
const NUMBER = '15550001001';
const examples = globSync('*/index.ts', { cwd: import.meta.dirname })
  .map(dirname)
  .sort();
const [name = ''] = process.argv.slice(2);
if (!examples.includes(name)) {
  console.error(`npm run example <name>, where <name> is one of: ${examples.join(', ')}`);
  process.exit(1);
}
const file = join(import.meta.dirname, name, 'index.ts');

if (process.env.PARLEY_API_KEY) await import(file);
else await show();

async function show(): Promise<void> {
  const { scene } = (await import(`./${name}/scene.ts`)) as { scene: Scene };
  try {
    console.log('Starting a gateway with a sandbox …');
    const { url, apiKey } = await startDemo();
    const program = startProgram(file, {
      PARLEY_URL: url,
      PARLEY_API_KEY: apiKey,
      ...(await scene.settings?.()),
    });
    try {
      await (scene.begins === undefined ? program.speaks() : program.prints(scene.begins));
      await scene.play({
        ada: createPerson('Ada', '15550002001', url),
        ben: createPerson('Ben', '15550002002', url),
        owner: createPerson('Owner', NUMBER, url),
        number: NUMBER,
        program,
      });
      console.log('That was it.');
    } finally {
      await program.stop();
    }
  } finally {
    await stopAll();
    removeFolders();
  }
}
