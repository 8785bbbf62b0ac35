import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/markdown.ts';
import { runCases } from '../process/run-cases.ts';

/** Runs every example as a reader does, with its scene in the sandbox. `npm test -- examples -- [part of a name]` */
const run = promisify(execFile);
const names = globSync('*/index.ts', { cwd: join(ROOT, 'examples') })
  .map(dirname)
  .sort();

await runCases(
  Object.fromEntries(
    names.map((name) => [
      `npm run example ${name}`,
      async () => {
        const { stdout } = await run('npm', ['run', '--silent', 'example', name], { cwd: ROOT });
        assert.match(stdout, /That was it\.\n$/);
      },
    ]),
  ),
  process.argv[2],
);
