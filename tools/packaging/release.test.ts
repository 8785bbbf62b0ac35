import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nameHome } from './home.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a package names its repository where the forge says which', () => {
  const file = path.join(folder, 'package.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, '{"name":"parley-sdk"}');
  nameHome('sdk', folder, {});
  expect(read()).toEqual({ name: 'parley-sdk' });
  nameHome('sdk', folder, {
    GITHUB_SERVER_URL: 'https://forge.example',
    GITHUB_REPOSITORY: 'someone/parley',
  });
  expect(read()).toEqual({
    name: 'parley-sdk',
    repository: {
      type: 'git',
      url: 'git+https://forge.example/someone/parley.git',
      directory: 'packages/sdk',
    },
    homepage: 'https://forge.example/someone/parley#readme',
    bugs: 'https://forge.example/someone/parley/issues',
  });
});

describe('the release', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../.github/workflows/release.yml'), 'utf8');
  const { jobs, permissions } = parse(text);

  it('is published after every test, by the forge’s own identity', () => {
    expect(jobs.packages.needs).toBe('tests');
    expect(jobs.tests.uses).toBe('./.github/workflows/test.yml');
    expect(permissions).toMatchObject({ 'id-token': 'write' });
    expect(text).not.toMatch(/secrets\.|registry/);
  });

  it('skips what a run that broke off has published', () => {
    const scripts = jobs.packages.steps.map(({ run }: { run?: string }) => run ?? '');
    expect(scripts.find((run: string) => run.includes('npm publish'))).toContain('npm view');
    expect(scripts.find((run: string) => run.includes('gh release create'))).toContain('gh release view');
  });
});
