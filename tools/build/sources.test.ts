import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprint, isBuiltFrom } from './sources.ts';

describe('the fingerprint of sources', () => {
  let root: string;
  const of = () => fingerprint(root, ['index.html', 'src/**/*']);

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'parley-sources-'));
    mkdirSync(path.join(root, 'src/pages'), { recursive: true });
    writeFileSync(path.join(root, 'index.html'), '<title>Parley</title>');
    writeFileSync(path.join(root, 'src/pages/numbers.tsx'), 'export {};');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('is stable while they are', () => {
    const before = of();
    writeFileSync(path.join(root, 'notes.txt'), 'nothing that the pages are made of');
    writeFileSync(path.join(root, 'src/pages/numbers.test.tsx'), 'nor is a test');
    expect(of()).toBe(before);
  });

  it.each<[string, () => void]>([
    ['content', () => writeFileSync(path.join(root, 'src/pages/numbers.tsx'), 'export { };')],
    ['a new file', () => writeFileSync(path.join(root, 'src/main.tsx'), '')],
    ['a name', () => renameSync(path.join(root, 'src/pages'), path.join(root, 'src/views'))],
    ['a file that is gone', () => rmSync(path.join(root, 'index.html'))],
  ])('changes with %s', (_what, change) => {
    const before = of();
    change();
    expect(of()).not.toBe(before);
  });

  it('shows whether a build is up to date', () => {
    expect(isBuiltFrom(root, of())).toBe(false);
    const stamp = of();
    writeFileSync(path.join(root, '.built-from'), stamp);
    expect(isBuiltFrom(root, stamp)).toBe(true);
    writeFileSync(path.join(root, 'index.html'), '<title>Newer</title>');
    expect(isBuiltFrom(root, of())).toBe(false);
  });
});
