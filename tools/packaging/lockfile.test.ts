import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** A folder of this repository. */
  readonly link?: true;
}

const { packages }: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

it('has an integrity hash for every package on every platform', () => {
  const unknown = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(unknown.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
  expect(installed.length).toBeGreaterThan(100);
});

it('names no registry, so that each install uses its configured one', () => {
  const hosted = installed.filter(([, { resolved }]) => resolved !== undefined);
  expect(hosted.map(([path]) => path)).toEqual([]);
});
