import { type ChildProcess, execFileSync, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.ts';
import { endWithUs, makeTemporaryFolder } from '../services/cleanup.ts';
import { stopProcess } from '../services/processes.ts';

/** A folder of a release. */
export interface Release {
  readonly folder: string;
  remove(): void;
}

export const thisRelease: Release = { folder: ROOT, remove() {} };

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** The newest release with the schema before ours, with the packages installed here. */
export function takePreviousSchema(): Release {
  const list = 'packages/gateway/src/platform/store/migrations/index.ts';
  const commit = git('rev-parse', `${git('log', '-1', '--format=%H', '--', list)}^`);
  const { path: folder, remove } = makeTemporaryFolder('parley-previous-');
  execSync(`git archive ${commit} | tar -x -C '${folder}'`, { cwd: ROOT });
  const modules = join(ROOT, 'node_modules');
  const own = join(folder, 'node_modules');
  mkdirSync(join(own, '@parley'), { recursive: true });
  for (const name of readdirSync(modules))
    if (name !== '@parley' && name !== '.cache') symlinkSync(join(modules, name), join(own, name));
  for (const name of readdirSync(join(modules, '@parley')))
    symlinkSync(join(folder, 'packages', name), join(own, '@parley', name));
  return { folder, remove };
}

export interface Running {
  readonly child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const SIGN_OF_LIFE = { start: '"msg":"ready"', sandbox: '/sandbox/v1' } as const;

/** Starts a process of a release and waits until it is ready. */
export async function run(
  { folder }: Release,
  command: keyof typeof SIGN_OF_LIFE,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const program = join(folder, 'packages/gateway/bin/parley.cjs');
  const child = endWithUs(
    spawn(process.execPath, [program, command], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const ready = Promise.withResolvers<void>();
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
    if (said.includes(SIGN_OF_LIFE[command])) ready.resolve();
  });
  once(child, 'exit').then(([code]) =>
    ready.reject(new Error(`it ended with ${code} instead of starting:\n${said}`)),
  );
  await ready.promise;
  return { child, stop: (signal = 'SIGTERM') => stopProcess(child, signal) };
}
