import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const canHaveOwnPids = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

describe('the launcher', () => {
  let root: string;
  const gateway = (...names: string[]) => path.join(root, 'packages/gateway', ...names);
  const run = () => execFileSync(process.execPath, [gateway('bin/parley.cjs')], { encoding: 'utf8' });

  function write(file: string, content: string, seconds: number): void {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, seconds, seconds);
  }

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'parley-launcher-'));
    cpSync(path.join(ROOT, 'packages/gateway/bin'), gateway('bin'), { recursive: true });
    write(path.join(root, 'package-lock.json'), '{}', 100);
    write(gateway('package.json'), '{"type":"module"}', 100);
    write(gateway('src/main.ts'), "console.log('sources');", 100);
    utimesSync(gateway('src'), 100, 100);
    write(gateway('dist/main.cjs'), "console.log('bundle');", 200);
    write(gateway('dist/.built-from'), '', 200);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('runs the bundle of these sources', () => {
    expect(run()).toBe('bundle\n');
  });

  it('runs the bundle where there are no sources', () => {
    rmSync(gateway('src'), { recursive: true });
    rmSync(path.join(root, 'package-lock.json'));
    expect(run()).toBe('bundle\n');
  });

  it.each(['src/main.test.ts', 'src/store/testing/pool.ts'])(
    'runs the bundle when %s was written since',
    (test) => {
      write(gateway(test), '', 300);
      for (const folder of ['src', 'src/store'])
        if (existsSync(gateway(folder))) utimesSync(gateway(folder), 100, 100);
      expect(run()).toBe('bundle\n');
    },
  );

  it('runs the sources where there is no bundle', () => {
    rmSync(gateway('dist'), { recursive: true });
    expect(run()).toBe('sources\n');
  });

  it.each<[string, () => void]>([
    ['a source has changed', () => utimesSync(gateway('src/main.ts'), 300, 300)],
    ['a source was removed', () => utimesSync(gateway('src'), 300, 300)],
    ['packages have changed', () => utimesSync(path.join(root, 'package-lock.json'), 300, 300)],
    [
      'the contract has changed',
      () => write(path.join(root, 'packages/contract/src/index.ts'), 'export {};', 300),
    ],
  ])('runs the sources when %s since', (_what, change) => {
    change();
    expect(run()).toBe('sources\n');
  });

  it.skipIf(!canHaveOwnPids).each([
    ['ends at once', '', 143],
    ['leaves it to the command that handles it', "process.on('SIGTERM', () => process.exit(7));", 7],
  ])('as process 1 of a container, at a signal, %s', async (_what, handler, code) => {
    write(gateway('dist/main.cjs'), `${handler} console.log('loading'); setInterval(() => {}, 1e6);`, 150);
    const words = ['--pid', '--fork', '--kill-child', process.execPath, gateway('bin/parley.cjs')];
    const container = spawn('unshare', words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(container.stdout, 'data');
    const { pid } = container;
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    process.kill(Number(first), 'SIGTERM');
    expect(await once(container, 'close')).toEqual([code, null]);
  });

  describe('of npm start', () => {
    const start = () => {
      const { status, stdout } = spawnSync(process.execPath, [path.join(root, 'tools/build/start.cjs')]);
      return [status, ...`${stdout}`.trim().split('\n')];
    };
    const buildWith = (code: string) =>
      write(path.join(root, 'tools/build/run.ts'), `console.log('build'); ${code}`, 100);

    beforeEach(() => {
      cpSync(path.join(ROOT, 'tools/build/start.cjs'), path.join(root, 'tools/build/start.cjs'));
      write(path.join(root, 'packages/portal/dist/.built-from'), '', 200);
      write(path.join(root, 'packages/portal/src/main.tsx'), '', 100);
      buildWith('');
    });

    it('checks once what has to be built', () => {
      expect(start()).toEqual([0, 'build', 'bundle']);
      expect(start()).toEqual([0, 'bundle']);
    });

    it.each(['packages/portal/src/main.tsx', 'packages/gateway/package.json', 'package-lock.json'])(
      'looks again when %s was written since',
      (file) => {
        start();
        write(path.join(root, file), '{"type":"module"}', 100);
        expect(start()).toEqual([0, 'build', 'bundle']);
        expect(start()).toEqual([0, 'bundle']);
      },
    );

    it('checks again when a build is missing', () => {
      start();
      rmSync(path.join(root, 'packages/portal/dist'), { recursive: true });
      expect(start()).toEqual([0, 'build', 'bundle']);
    });

    it('runs the sources where no build is possible', () => {
      utimesSync(gateway('src/main.ts'), 300, 300);
      expect(start()).toEqual([0, 'build', 'sources']);
      expect(start()).toEqual([0, 'build', 'sources']);
    });

    it('starts nothing when the build fails', () => {
      buildWith('process.exitCode = 3;');
      expect(start()).toEqual([3, 'build']);
    });
  });
});
