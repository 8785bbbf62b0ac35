import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDatabase, lockDataDir } from './open.ts';

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
    const module = new URL('./open.ts', import.meta.url);
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

  it('is released with a process that is killed', async () => {
    const child = await holdElsewhere();
    expect(() => lockDataDir(folder)).toThrow(/^Another Parley/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(() => lockDataDir(folder).release()).not.toThrow();
  });

  it('creates a missing directory', () => {
    const missing = join(folder, 'new');
    lockDataDir(missing).release();
    expect(existsSync(missing)).toBe(true);
  });
});

describe('the lock of an embedded database', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
    mkdirSync(join(folder, 'data'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the same for every path to the file, existing or not', () => {
    const path = join(folder, 'data', 'parley.db');
    symlinkSync('data', join(folder, 'linked-folder'));
    symlinkSync(join('linked-folder', 'parley.db'), join(folder, 'linked.db'));
    const first = lockDatabase(`sqlite:${path}`);
    for (const other of [path, join(folder, 'linked-folder', 'parley.db'), join(folder, 'linked.db')])
      expect(() => lockDatabase(`sqlite:${other}`)).toThrow(
        /Another Parley uses the database .*data.parley\.db;/,
      );
    lockDatabase(`sqlite:${join(folder, 'data', 'another.db')}`).release();
    first.release();
    lockDatabase(`sqlite:${join(folder, 'linked.db')}`).release();
  });

  it('does nothing for a database server', () => {
    const url = 'postgres://parley@127.0.0.1/parley';
    const first = lockDatabase(url);
    expect(() => lockDatabase(url).release()).not.toThrow();
    first.release();
  });
});
