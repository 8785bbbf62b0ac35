import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';

describe('the lock of a data directory', () => {
  let folder = '';
  let other: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => {
    other?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** Another process that holds the lock until it is killed. */
  async function holdElsewhere(): Promise<ChildProcess> {
    const module = new URL('./data-dir-lock.ts', import.meta.url);
    const source = `
      const { lockDataDir } = await import(${JSON.stringify(module)});
      lockDataDir(${JSON.stringify(folder)});
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    other = child;
    await once(child.stdout, 'data');
    return child;
  }

  it('is taken once, and can be taken again after its release', () => {
    const first = lockDataDir(folder);
    expect(() => lockDataDir(folder)).toThrow(
      `Another Parley uses the data directory ${folder}; stop it or choose another directory.`,
    );
    first.release();
    lockDataDir(folder).release();
  });

  it('keeps another process out', async () => {
    await holdElsewhere();
    expect(() => lockDataDir(folder)).toThrow(expect.objectContaining({ code: 'data_dir_in_use' }));
  });

  it('vanishes with a process that is killed', async () => {
    const child = await holdElsewhere();
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataDir(folder).release();
  });

  it('makes a missing directory', () => {
    lockDataDir(join(folder, 'new')).release();
  });
});
