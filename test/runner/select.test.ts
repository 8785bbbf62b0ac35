import { describe, expect, it } from 'vitest';
import { select } from './select.ts';

/** The suites that are meant, each with its files and services. */
const meant = (...words: string[]): string[] =>
  select(words).map(({ suite, files, services }) => [suite.name, ...files, ...services].join(' '));

describe('what npm test is asked to run', () => {
  it('is a suite by its name', () => {
    expect(meant('packaging', 'guides')).toEqual(['packaging', 'guides']);
    expect(meant('cluster')).toEqual(['cluster postgres nats']);
  });

  it('is a test file, with the services that it needs and no others', () => {
    const [clock, bus, store] = [
      'packages/gateway/src/kernel/time/clock.test.ts',
      'packages/gateway/src/bus/nats/nats-bus.test.ts',
      'packages/gateway/src/store/postgres.test.ts',
    ] as const;
    expect(meant(clock)).toEqual([`unit ${clock}`]);
    expect(meant(bus)).toEqual([`unit ${bus} nats`]);
    expect(meant(store)).toEqual([`unit ${store} postgres`]);
    expect(meant(clock, bus)).toEqual([`unit ${clock} ${bus} nats`]);
    expect(meant('test/conformance/groups.test.ts')).toEqual(['conformance test/conformance/groups.test.ts']);
  });

  it('is the test of a file, by the path of either or by its bare name', () => {
    const [expected] = meant('test/runner/select.test.ts');
    expect(meant('test/runner/select.ts')).toEqual([expected]);
    expect(meant('select.test.ts')).toEqual([expected]);
    expect(meant('select')).toEqual([expected]);
  });

  it('is a folder of tests, from where one stands', () => {
    const [{ files } = { files: [] }] = select(['src/kernel'], 'packages/gateway');
    expect(files).toContain('packages/gateway/src/kernel/time/clock.test.ts');
    expect(files.every((file) => file.startsWith('packages/gateway/src/kernel/'))).toBe(true);
  });

  it('is the suite that a folder or file belongs to, or all those below it', () => {
    expect(meant('test/chaos/journal')).toEqual(['journal']);
    expect(meant('test/chaos/journal/run.ts')).toEqual(['journal']);
    expect(meant('test/conformance')).toEqual(['conformance']);
    expect(meant('test/browser')).toEqual(['portal', 'passkey', 'reference', 'guides']);
    expect(meant('test/scale/')).toEqual(['move postgres', 'soak', 'sessions']);
  });

  it('is a test by words of its title, be they printed with its group or made from a template', () => {
    const own = 'unit test/runner/select.test.ts';
    expect(meant('is a suite by its name')[0]).toContain(own);
    expect(meant('is', 'a', 'suite', 'by', 'its', 'name')[0]).toContain(own);
    expect(meant('what npm test is asked to run > is a suite by its name')[0]).toContain(own);
    const [journal] = select(['stand where the kernel knows the store']);
    expect(journal?.files).toContain('tools/lint/fences.test.ts');
  });

  it('is told in one sentence what there is when there is no such thing', () => {
    // Put together, so that these very words are no title.
    const nothing = ['no', 'such', 'thing'].join('-');
    expect(() => select([nothing])).toThrow(/^There is no suite, path or test called “no-such-thing”/);
    expect(() => select(['docs', nothing])).toThrow(/unit, .*docs/);
  });
});
