import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

/** V8 identifies a script by its length alone: the output of a replaced file shows which code ran. */
describe('the code cache of a bundle', () => {
  let root: string;
  const bundle = (...names: string[]) => path.join(root, 'dist', ...names);
  const kept = () => globSync('**/*.code', { cwd: bundle() });

  const write = (file: string, content: string): void => writeFileSync(bundle(file), content);
  const writePart = (word: string) => write('part.0a1b2c3d.cjs', `exports.word = () => '${word}';`);
  const run = (options: string[] = [], env: Record<string, string> = {}) =>
    execFileSync(
      process.execPath,
      [...options, '--require', path.join(root, 'bin/code-cache.cjs'), bundle('main.cjs')],
      { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } },
    );
  const record = () => run([], { CODE_CACHE: 'record' });

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'parley-code-cache-'));
    mkdirSync(bundle());
    cpSync(path.join(ROOT, 'packages/gateway/bin'), path.join(root, 'bin'), { recursive: true });
    write('main.cjs', "process.stdout.write(require('./part.0a1b2c3d.cjs').word());");
    writePart('old');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is used, with the functions that were called', () => {
    expect(record()).toBe('old');
    writePart('new');
    expect(run()).toBe('old');
  });

  it('is readable by every user, although a gateway writes for its own alone', () => {
    write('main.cjs', "process.umask(0o077); process.stdout.write(require('./part.0a1b2c3d.cjs').word());");
    record();
    expect(kept()).toHaveLength(1);
    for (const file of kept()) expect(statSync(bundle(file)).mode & 0o044, file).toBe(0o044);
  });

  it('is made on request only', () => {
    expect(run()).toBe('old');
    expect(kept()).toEqual([]);
  });

  it('is not made for a file whose name stays the same in the next build', () => {
    write('main.cjs', "process.stdout.write('old');");
    record();
    write('main.cjs', "process.stdout.write('new');");
    expect(run()).toBe('new');
  });

  it('is ignored when another Node.js made it', () => {
    record();
    for (const file of kept()) renameSync(bundle(file), bundle(file.replace(/\.\w+\.code$/, '.0.code')));
    writePart('new');
    expect(run()).toBe('new');
  });

  it('is ignored with source maps', () => {
    record();
    writePart('new');
    expect(run(['--enable-source-maps'])).toBe('new');
  });

  it('is made separately for each thread of the database', () => {
    write(
      'main.cjs',
      `const { Worker } = require('node:worker_threads');
      new Worker(__dirname + '/thread.cjs', { name: 'store-reader', execArgv: [] });`,
    );
    write(
      'thread.cjs',
      "require('../bin/code-cache.cjs'); process.stdout.write(require('./part.0a1b2c3d.cjs').word());",
    );
    expect(record()).toBe('old');
    expect(
      kept()
        .map((file) => file.replace(/\.\w+\.code$/, ''))
        .sort(),
    ).toEqual(['part.0a1b2c3d.store-reader']);
    writePart('new');
    expect(run()).toBe('old');
  });

  it('keeps line and column of errors', () => {
    write('part.0a1b2c3d.cjs', "exports.word = () => { throw new Error('no'); };");
    write(
      'main.cjs',
      "try { require('./part.0a1b2c3d.cjs').word(); } catch (error) { console.log(error.stack); }",
    );
    const output = record();
    expect(output).toMatch(/part\.0a1b2c3d\.cjs:1:30\)/);
    expect(run()).toBe(output);
  });
});
