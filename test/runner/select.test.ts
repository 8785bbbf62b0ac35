import { describe, expect, it } from 'vitest';
import { select } from './select.ts';

/** The selected suites, each with its files and services. */
const meant = (...words: string[]): string[] =>
  select(words).map(({ suite, files, services }) => [suite.name, ...files, ...services].join(' '));

describe('the words after npm test select', () => {
  it('a suite by its name', () => {
    expect(meant('packaging', 'guides')).toEqual(['packaging', 'guides']);
    expect(meant('cluster')).toEqual(['cluster postgres nats']);
  });

  it('a test file, with the services that it needs and no others', () => {
    const [clock, bus, store] = [
      'packages/gateway/src/kernel/time/clock.test.ts',
      'packages/gateway/src/platform/bus/nats/nats-bus.test.ts',
      'packages/gateway/src/platform/store/postgres.test.ts',
    ] as const;
    expect(meant(clock)).toEqual([`unit ${clock}`]);
    expect(meant(bus)).toEqual([`unit ${bus} nats`]);
    expect(meant(store)).toEqual([`unit ${store} postgres`]);
    expect(meant(clock, bus)).toEqual([`unit ${clock} ${bus} nats`]);
    expect(meant('test/conformance/groups.test.ts')).toEqual(['conformance test/conformance/groups.test.ts']);
  });

  it('the test of a file, by the path of either or by its bare name', () => {
    const [expected] = meant('test/runner/select.test.ts');
    expect(meant('test/runner/select.ts')).toEqual([expected]);
    expect(meant('select.test.ts')).toEqual([expected]);
    expect(meant('select')).toEqual([expected]);
  });

  it('the tests around a file without one: of the same name, and those that import it or are in its folder', () => {
    const room = 'packages/gateway/src';
    const filesOf = (path: string) => select([`${room}/${path}`]).flatMap(({ files }) => files);
    expect(filesOf('operations/groups.ts')).toContain('test/conformance/groups.test.ts');
    expect(filesOf('operations/groups.ts')).toContain(`${room}/operations/serve-action.test.ts`);
    expect(filesOf('config/settings.ts')).toEqual([`${room}/config/config.test.ts`]);
    expect(filesOf('platform/http/route.ts')).toEqual([`${room}/platform/http/reached.test.ts`]);
  });

  it('a folder of tests, relative to the current folder', () => {
    const [{ files } = { files: [] }] = select(['src/kernel'], 'packages/gateway');
    expect(files).toContain('packages/gateway/src/kernel/time/clock.test.ts');
    expect(files.every((file) => file.startsWith('packages/gateway/src/kernel/'))).toBe(true);
  });

  it('everything but what runs on request only, at night', () => {
    expect(meant('nightly')).toContain('portal');
    expect(meant('nightly')).not.toContain('n8n');
  });

  it('the suite of a folder or file, or all suites below it', () => {
    expect(meant('test/chaos/journal')).toEqual(['journal']);
    expect(meant('test/chaos/journal/run.ts')).toEqual(['journal']);
    expect(meant('test/conformance')).toEqual(['conformance']);
    expect(meant('test/browser')).toEqual(['portal', 'passkey', 'reference', 'guides']);
    expect(meant('test/scale/')).toEqual(['move postgres', 'soak', 'sessions']);
  });

  it('a test by words of its title, with its group or from a template', () => {
    const own = 'unit test/runner/select.test.ts';
    expect(meant('a suite by its name')[0]).toContain(own);
    expect(meant('is', 'a', 'suite', 'by', 'its', 'name')[0]).toContain(own);
    expect(meant('the words after npm test select > a suite by its name')[0]).toContain(own);
    const [fences] = select(['let the kernel import exactly what the table allows']);
    expect(fences?.files).toContain('tools/lint/fences.test.ts');
  });

  it('nothing for unknown words, with one sentence about the choices', () => {
    // Concatenated, so that these words are not a title themselves.
    const nothing = ['no', 'such', 'thing'].join('-');
    expect(() => select([nothing])).toThrow(/^There is no suite, path or test called “no-such-thing”/);
    expect(() => select(['docs', nothing])).toThrow(/unit, .*docs/);
  });
});
