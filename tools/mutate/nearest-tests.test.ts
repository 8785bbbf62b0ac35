import { expect, it } from 'vitest';
import { nearestTests } from './nearest-tests.ts';

const LEASE = 'packages/gateway/src/sessions/hosting/lease.ts';

it('orders tests: the one beside a file, its neighbours, then by distance of imports', () => {
  const importers = new Map(
    [
      ['room/part/lease.ts', ['room/part/lease.test.ts', 'room/part/worker.ts', 'far.ts']],
      ['room/part/worker.ts', ['room/part/a.test.ts', 'room/index.ts']],
      ['room/index.ts', ['room/b.test.ts', 'another/c.test.ts', 'another/d.ts']],
      ['another/d.ts', ['another/d.test.ts']],
      ['far.ts', ['another/e.test.ts']],
    ].map(([path, by]) => [`packages/${path}`, (by as string[]).map((each) => `packages/${each}`)] as const),
  );
  expect(nearestTests('packages/room/part/lease.ts', importers)).toEqual(
    ['room/part/lease', 'room/part/a', 'room/b', 'another/e', 'another/c', 'another/d'].map(
      (name) => `packages/${name}.test.ts`,
    ),
  );
});

it('finds the tests of this repository, also across packages', () => {
  expect(nearestTests(LEASE)[0]).toBe(LEASE.replace('.ts', '.test.ts'));
  const ofContract = nearestTests('packages/contract/src/jid.ts');
  expect(ofContract.some((test) => test.startsWith('packages/gateway/'))).toBe(true);
});
