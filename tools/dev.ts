/**
 * `npm run dev`: a gateway that restarts whenever one of its files is saved, on a sandbox that keeps running and keeps its phones. All data is in `data/dev`; remove that folder to start over. Settings are those of `npm start`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endWithUs } from '../test/services/cleanup.ts';
import { accepts } from '../test/services/processes.ts';

const ROOT = join(import.meta.dirname, '..');
/** Bypasses the launcher, which prefers a bundle; that does not change when a source is saved. */
const PROGRAM = join(ROOT, 'packages/gateway/src/main.ts');
const folders = { gateway: join(ROOT, 'data/dev/gateway'), sandbox: join(ROOT, 'data/dev/sandbox') };
const port = Number(process.env.PARLEY_PORT ?? 8080);
const sandboxPort = port + 10;

function parley(args: string[], env: Record<string, string>, watched = false): ChildProcess {
  const watch = watched ? ['--watch', '--watch-preserve-output'] : [];
  return endWithUs(
    spawn(process.execPath, [...watch, PROGRAM, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
    'SIGTERM',
  );
}

/** A gateway with a built-in sandbox makes the demo. Afterwards the sandbox runs as a process with the same data. */
async function makeDemo(): Promise<void> {
  const gateway = parley(['start'], { PARLEY_DATA_DIR: folders.gateway, PARLEY_PORT: `${port}` });
  await said(gateway, /^ {2}curl /m);
  const ended = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await ended;
  mkdirSync(folders.sandbox, { recursive: true });
  for (const file of globSync(join(folders.gateway, 'sandbox.db*')))
    renameSync(file, join(folders.sandbox, basename(file)));
}

/** Shows the output of the process; resolves when it contains the words. */
async function said(child: ChildProcess, words: RegExp): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      process.stdout.write(chunk);
      text += chunk;
      if (words.test(text)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`parley ended with ${code}.`)));
  });
}

for (const busy of [port, sandboxPort])
  if (await accepts(busy)) {
    console.error(`Port ${busy} is in use; choose another with PARLEY_PORT.`);
    process.exit(1);
  }
if (!existsSync(join(folders.sandbox, 'sandbox.db'))) await makeDemo();
const sandbox = parley(['sandbox'], {
  PARLEY_DATA_DIR: folders.sandbox,
  PARLEY_PORT: `${sandboxPort}`,
  PARLEY_LOG_LEVEL: 'warn',
});
await said(sandbox, /is ready/);
const gateway = parley(
  ['start'],
  {
    PARLEY_DATA_DIR: folders.gateway,
    PARLEY_PORT: `${port}`,
    PARLEY_SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
  },
  true,
);
gateway.stdout?.pipe(process.stdout);
for (const child of [sandbox, gateway]) child.once('exit', (code) => process.exit(code ?? 1));
