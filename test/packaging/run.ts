/**
 * Validates the deployment files; runs the steps of the Dockerfile on a copy of its context, without Docker, and starts the
 * result; then packs the published packages, installs them into empty folders and uses them.
 *
 * npm test -- packaging
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answersReady, clock } from '../process/parley.ts';
import { endWithUs } from '../services/cleanup.ts';
import { freePort, stopProcess } from '../services/processes.ts';
import { judgeDeployment } from './deploy.ts';
import { build } from './dockerfile.ts';
import { tryPackages } from './packages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const workspace = mkdtempSync(path.join(tmpdir(), 'parley-image-'));
const searchPath = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
const LONGEST_START_MS = 60_000;

/** Files in git that pass `.dockerignore`. */
function makeContext(): string {
  const context = path.join(workspace, 'context');
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const rules = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  const allowed = rules.flatMap((line) => /^!(.*)/.exec(line)?.[1] ?? []);
  const left = rules.filter((line) => line.startsWith('**/'));
  for (const file of tracked.split('\0')) {
    const isAllowed = allowed.some((each) => file === each || file.startsWith(`${each}/`));
    if (
      !isAllowed ||
      left.some((pattern) => path.matchesGlob(file, pattern)) ||
      !existsSync(path.join(root, file))
    )
      continue;
    const target = path.join(context, file);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(path.join(root, file), target);
  }
  return context;
}

try {
  console.log(await judgeDeployment());
  const { folder, environment, command, healthcheck } = build(path.join(root, 'Dockerfile'), {
    context: makeContext(),
    workspace,
    searchPath,
  });
  const [program = '', ...args] = command;
  const env = {
    ...environment,
    PATH: searchPath,
    PARLEY_HOST: '127.0.0.1',
    PARLEY_PORT: `${await freePort()}`,
    PARLEY_DATA_DIR: path.join(workspace, 'data'),
  };
  const gateway = endWithUs(
    spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }),
    'SIGTERM',
  );
  const url = `http://127.0.0.1:${env.PARLEY_PORT}`;
  try {
    const startedAt = clock.monotonic();
    while (!(await answersReady(url))) {
      assert.equal(gateway.exitCode, null, 'it started');
      assert.ok(clock.monotonic() - startedAt < LONGEST_START_MS, 'it got ready');
      await clock.sleep(100);
    }
    const [probe = '', ...words] = healthcheck;
    execFileSync(probe, words, { env });
    for (const page of ['/portal', '/docs', '/openapi.json']) {
      const answer = await fetch(`${url}${page}`);
      assert.equal(answer.status, 200, page);
      assert.doesNotMatch(await answer.text(), /not built yet/, page);
    }
  } finally {
    await stopProcess(gateway, 'SIGTERM');
  }
  const { status } = await fetch(url).catch(() => ({ status: 0 }));
  assert.equal(status, 0, 'it has ended');
  assert.ok(!existsSync(path.join(folder, 'node_modules')), 'the image has no packages beside the bundle');
  for (const thread of ['main', 'store-writer', 'store-reader'])
    assert.notDeepEqual(globSync(`**/*.${thread}.*.code`, { cwd: folder }), [], `compiled code of ${thread}`);
  const size = execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0];
  console.log(`the image's files are ${size} MB; it starts, is healthy, shows its pages and ends`);
  console.log(`the packages work in empty folders: ${await tryPackages(workspace)}`);
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
