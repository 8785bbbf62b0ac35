import { strict as assert } from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { newFolder } from '../process/environment.ts';
import { clock } from '../process/parley.ts';
import { bareNodeMs } from '../process/start-and-stop.ts';
import { endGroupWithUs } from '../services/cleanup.ts';
import { freePort, stopProcess } from '../services/processes.ts';
import { blocksOf, ROOT } from './markdown.ts';

const inShell = promisify(execFile);
/** On an idle machine it takes a tenth of this; beside other work a bare Node.js takes longer too. */
const LONGEST_MS = 60_000;
const LONGEST_IN_BARE_STARTS = 500;
const INSTALL = 'npm ci && ';
const NOT_CLONED = new Set(['.git', 'node_modules', 'dist', 'data']);

/**
 * A new user clones the repository, installs, opens the README and follows “Run it”: starts the gateway, pastes the printed line,
 * and looks at the recipient's phone. Three commands to a delivered message.
 */
export async function strangerCase(): Promise<string> {
  const clone = join(newFolder(), 'parley');
  cpSync(ROOT, clone, { recursive: true, filter: (path) => !NOT_CLONED.has(basename(path)) });
  installAsNpmDoes(clone);

  const commands = commandsBelow('## Run it', readFileSync(join(clone, 'README.md'), 'utf8'));
  assert.equal(commands.length, 2, 'two commands are written down, the third is printed');
  const [start = '', look = ''] = commands;
  assert.ok(start.startsWith(INSTALL), 'the first one installs');
  const port = await freePort();
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    PARLEY_PORT: `${port}`,
    HOME: clone,
  };
  const longestMs = Math.max(LONGEST_MS, LONGEST_IN_BARE_STARTS * bareNodeMs());
  const startedAt = clock.monotonic();
  const until = <T>(look: () => Found<T>) => lookUntil(look, startedAt + longestMs);
  const gateway = endGroupWithUs(
    spawn('sh', ['-c', `exec ${start.slice(INSTALL.length)}`], { cwd: clone, env, detached: true }),
  );
  let printed = '';
  gateway.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    const line = await until(() => /^ {2}curl .*(?=\n)/m.exec(printed)?.[0]);
    await inShell('sh', ['-c', line]);
    const command = look.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
    await until(async () => (await inShell('sh', ['-c', command])).stdout.includes('Hello Ada') || undefined);
    const seconds = (clock.monotonic() - startedAt) / 1000;
    return `${commands.length + 1} commands, a delivered message after ${seconds.toFixed(1)} s`;
  } finally {
    // npm is in between: the signal goes to its whole process group.
    process.kill(-(gateway.pid ?? 0), 'SIGTERM');
    await Promise.race([once(gateway, 'close'), sleep(10_000)]);
    await stopProcess(gateway, 'SIGKILL');
  }
}

/** The lines of the shell blocks below a heading, up to the next one. */
function commandsBelow(heading: string, readme: string): string[] {
  const [, below = ''] = readme.split(`${heading}\n`);
  const [section = ''] = below.split(/^## /m);
  return blocksOf(section)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.trim().split('\n'));
}

/** External packages come from this checkout, where fetching took minutes; our own come from the clone. */
function installAsNpmDoes(clone: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(clone, 'node_modules')];
  mkdirSync(join(to, '@parley'), { recursive: true });
  for (const name of readdirSync(from))
    if (name === '.bin' || !/^[.]|^@parley$/.test(name)) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@parley')))
    symlinkSync(readlinkSync(join(from, '@parley', name)), join(to, '@parley', name));
}

type Found<T> = T | undefined | Promise<T | undefined>;

async function lookUntil<T>(look: () => Found<T>, endsAt: number): Promise<T> {
  while (clock.monotonic() < endsAt) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error('It took too long.');
}
