import { DEFAULT_CONNECTION_CONFIG, type WAVersion } from 'baileys';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { createSeededRandom, createSteppedClock, type TravelClock } from '#kernel';
import type { Store } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import type { PairingProgress } from '../../port.ts';
import { connected, link, ME, online, useWire, WAIT } from '../testing/people.ts';
import { type ClientVersions, createClientVersions, versionOnPage } from './client-version.ts';

const HOUR = 3_600_000;
const [FIRST, SECOND, BUILT_IN] = DEFAULT_CONNECTION_CONFIG.version;
const version = (revision: number): WAVersion => [FIRST, SECOND, revision];
const page = (revision: number | string): string => `x={"client_revision":${revision},"y":1}`;

describe('the page of the network', () => {
  it('contains the version, also where its quotes are escaped', () => {
    expect(versionOnPage(page(BUILT_IN + 5))).toBe(`2.3000.${BUILT_IN + 5}`);
    expect(versionOnPage(`JSON.parse("{\\"client_revision\\":${BUILT_IN}}")`)).toBe(`2.3000.${BUILT_IN}`);
  });

  it.each([
    ['nothing', 'hello'],
    ['no number', page('"soon"')],
    ['an older one than the built-in', page(BUILT_IN - 1)],
    ['a huge jump', page(BUILT_IN + 100_000_001)],
    ['an endless number', page('9'.repeat(40))],
    ['a negative number', page(-5)],
  ])('is refused when it contains %s', (_what, text) => {
    expect(() => versionOnPage(text)).toThrow(/version/);
  });
});

describeOnEachDatabase('the version of the client', (testStore) => {
  const alive: ClientVersions[] = [];
  afterEach(async () => {
    for (const each of alive.splice(0)) each.stop();
    await testStore.store.transaction((trx) => trx.deleteFrom('client_versions').execute());
  });

  function start(
    readPage: () => Promise<string>,
    { clock = createSteppedClock(), wanted = 'auto' as WAVersion | 'auto' | undefined } = {},
  ) {
    const pages = vi.fn(readPage);
    const versions = createClientVersions({
      wanted,
      store: testStore.store,
      clock,
      random: createSeededRandom(1),
      log: { debug() {}, warn() {} },
      readPage: pages,
    });
    alive.push(versions);
    return { versions, clock, pages };
  }

  const kept = (store: Store) => store.read.selectFrom('client_versions').selectAll().execute();
  const pass = async (clock: TravelClock, hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour += 1) {
      clock.advance(HOUR);
      await new Promise(setImmediate);
    }
  };

  it('is fetched at the start, stored, and fetched again every day', async () => {
    let revision = BUILT_IN + 1;
    const { versions, clock, pages } = start(async () => page(revision));
    await vi.waitFor(() => expect(versions.current()).toEqual(version(BUILT_IN + 1)));
    await vi.waitFor(async () =>
      expect(await kept(testStore.store)).toMatchObject([{ version: `2.3000.${BUILT_IN + 1}` }]),
    );
    expect(versions.figures()).toEqual({
      version: `2.3000.${BUILT_IN + 1}`,
      source: 'learned',
      learnedAt: clock.now(),
    });
    revision += 1;
    const changed = vi.fn();
    versions.onChange(changed);
    await pass(clock, 27);
    await vi.waitFor(() => expect(versions.current()).toEqual(version(BUILT_IN + 2)));
    expect([pages.mock.calls.length, changed.mock.calls.length]).toEqual([2, 1]);
    await vi.waitFor(async () =>
      expect(await kept(testStore.store)).toMatchObject([{ version: `2.3000.${BUILT_IN + 2}` }]),
    );
  });

  it('is the last good one when the page is gone or invalid, and the built-in one before there is any', async () => {
    const first = start(async () => page('"?"'));
    await vi.waitFor(() => expect(first.pages).toHaveBeenCalled());
    expect(first.versions.figures()).toEqual({ version: `2.3000.${BUILT_IN}`, source: 'built_in' });
    expect(await kept(testStore.store)).toEqual([]);
    first.versions.stop();

    const good = start(async () => page(BUILT_IN + 7));
    await vi.waitFor(async () => expect(await kept(testStore.store)).toHaveLength(1));
    good.versions.stop();
    const later = start(async () => Promise.reject(new Error('gone')));
    await later.versions.ready;
    expect(later.versions.current()).toEqual(version(BUILT_IN + 7));
    await vi.waitFor(() => expect(later.pages).toHaveBeenCalled());
    await pass(later.clock, 24);
    expect(later.versions.current()).toEqual(version(BUILT_IN + 7));
    // The page is retried with backoff.
    expect(later.pages.mock.calls.length).toBeLessThan(16);
  });

  it('is fetched at once when it is refused, and once for any number of numbers', async () => {
    let revision = BUILT_IN;
    const { versions, clock, pages } = start(async () => page(revision));
    await vi.waitFor(async () => expect(await kept(testStore.store)).toHaveLength(1));
    expect(await versions.refused(version(BUILT_IN))).toBe(false);
    expect(pages).toHaveBeenCalledTimes(2);
    revision += 3;
    expect(await versions.refused(version(BUILT_IN))).toBe(false);
    expect(pages).toHaveBeenCalledTimes(2);
    clock.advance(HOUR);
    expect(await Promise.all([1, 2, 3].map(() => versions.refused(version(BUILT_IN))))).toContain(true);
    expect(await versions.refused(version(BUILT_IN))).toBe(true);
    expect(pages).toHaveBeenCalledTimes(3);
  });

  it('is fetched every hour while the network has announced its end, which is stored', async () => {
    let revision = BUILT_IN + 1;
    const { versions, clock, pages } = start(async () => page(revision));
    await vi.waitFor(() => expect(versions.current()).toEqual(version(BUILT_IN + 1)));
    await vi.waitFor(async () => expect(await kept(testStore.store)).toHaveLength(1));
    const end = clock.now() + 9_000 * HOUR;
    versions.expires(version(BUILT_IN), end);
    expect(versions.figures()).not.toHaveProperty('expiresAt');
    expect(versions.isExpiring(version(BUILT_IN))).toBe(true);
    versions.expires(version(BUILT_IN + 1), end);
    versions.expires(version(BUILT_IN + 1), end + HOUR);
    expect(versions.figures()).toMatchObject({ expiresAt: end });
    await vi.waitFor(() => expect(pages).toHaveBeenCalledTimes(2));
    await vi.waitFor(async () => {
      await pass(clock, 1);
      expect(pages.mock.calls.length).toBeGreaterThan(4);
    });
    expect(clock.now()).toBeLessThan(end - 8_900 * HOUR);
    await vi.waitFor(async () => expect(await kept(testStore.store)).toHaveLength(2));
    const next = start(async () => page(revision), { clock });
    await next.versions.ready;
    expect(next.versions.figures()).toMatchObject({ expiresAt: end });
    next.versions.stop();
    revision += 1;
    await vi.waitFor(async () => {
      await pass(clock, 1);
      expect(versions.current()).toEqual(version(BUILT_IN + 2));
    });
    expect(versions.figures()).not.toHaveProperty('expiresAt');
  });

  it('has no end any more when the network withdraws it', async () => {
    const { versions, clock } = start(async () => page(BUILT_IN), { wanted: [2, 3000, 1] });
    versions.expires([2, 3000, 1], clock.now() + HOUR);
    expect(versions.figures()).toMatchObject({ source: 'set', expiresAt: clock.now() + HOUR });
    versions.expires([2, 3000, 1], undefined);
    expect(versions.figures()).not.toHaveProperty('expiresAt');
  });

  it('is not fetched where it was set', async () => {
    const { versions, pages } = start(async () => page(BUILT_IN + 1), { wanted: [2, 3000, 1] });
    expect(await versions.refused([2, 3000, 1])).toBe(false);
    expect(versions.figures()).toEqual({ version: '2.3000.1', source: 'set' });
    expect(pages).not.toHaveBeenCalled();
  });
});

describe('a network that accepts only newer clients', () => {
  const setUp = useWire();

  test('accepts the gateway after it has fetched the current version, with one more login', async () => {
    const harness = await setUp({ settings: { version: 'auto' } });
    const me = await online(harness);
    const logins = () => harness.world.devices.of(ME)[0]?.logins ?? 0;
    const before = logins();
    harness.world.clients.demand({ minimum: version(BUILT_IN + 2), current: version(BUILT_IN + 3) });
    me.session.reconnect();
    await vi.waitFor(() => expect(me.states.at(-1)?.kind).toBe('connected'), WAIT);
    expect(me.states.map(({ kind }) => kind)).toContain('refused');
    expect(logins()).toBe(before + 2);

    // The next process uses it from the start.
    const again = logins();
    await harness.crash();
    await connected(harness, 2);
    expect(logins()).toBe(again + 1);
  });

  test('from a day on gets a newer one within an hour of its announcement, and refuses no login', async () => {
    const harness = await setUp({ settings: { version: 'auto' } });
    const me = await online(harness);
    const logins = () => harness.world.devices.of(ME)[0]?.logins ?? 0;
    const before = logins();
    harness.world.clients.demand({
      current: version(BUILT_IN + 3),
      oldRefusedAt: harness.now() + 5 * 24 * HOUR,
    });
    me.session.reconnect();
    await vi.waitFor(() => expect(logins()).toBe(before + 1), WAIT);
    const learned = `2.3000.${BUILT_IN + 3}`;
    await vi.waitFor(async () => {
      const known = await harness.store.read.selectFrom('client_versions').select('version').execute();
      expect(known.map((each) => each.version)).toContain(learned);
    }, WAIT);
    await vi.waitFor(async () => {
      await harness.advance(HOUR / 10);
      expect(logins()).toBe(before + 2);
    }, WAIT);
    await vi.waitFor(() => expect(me.session.state.kind).toBe('connected'), WAIT);
    await harness.advance(6 * 24 * HOUR);
    me.session.reconnect();
    await vi.waitFor(() => expect(logins()).toBeGreaterThan(before + 2), WAIT);
    await vi.waitFor(() => expect(me.session.state.kind).toBe('connected'), WAIT);
    expect(me.states.map(({ kind }) => kind)).not.toContain('refused');
  });

  test('and publishes none gets no further logins', async () => {
    const harness = await setUp({ settings: { version: 'auto' } });
    const me = await online(harness);
    harness.world.clients.demand({ minimum: version(BUILT_IN + 2) });
    me.session.reconnect();
    await vi.waitFor(() => expect(me.states.at(-1)).toMatchObject({ reason: 'client_outdated' }), WAIT);
    const logins = harness.world.devices.of(ME)[0]?.logins;
    await harness.advance(HOUR / 2);
    expect(harness.world.devices.of(ME)[0]?.logins).toBe(logins);
  });

  test('links a number with the current version', async () => {
    const harness = await setUp({ settings: { version: 'auto' } });
    harness.world.clients.demand({ minimum: version(BUILT_IN + 2), current: version(BUILT_IN + 2) });
    await link(harness);
    const me = await connected(harness);
    expect(me.session.state.kind).toBe('connected');
  });

  test('reports an outdated client to an owner who wants to link', async () => {
    const harness = await setUp({ settings: { version: version(BUILT_IN) } });
    harness.world.clients.demand({ minimum: version(BUILT_IN + 2) });
    const progress: PairingProgress[] = [];
    harness.driver.pair({
      linkId: 'link',
      phone: ME,
      method: 'qr',
      onProgress: (step) => progress.push(step),
    });
    await vi.waitFor(() => expect(progress.at(-1)).toMatchObject({ kind: 'failed' }), WAIT);
    expect(progress).toEqual([{ kind: 'failed', reason: expect.stringContaining('version') }]);
  });
});
