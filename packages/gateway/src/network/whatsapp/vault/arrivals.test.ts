import { beforeAll, expect, test, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { draft, TestVaults, vaultCommands } from '../testing/vaults.ts';
import { type ArrivalDraft, dropOldRecords, type KeyBatch, LinkLost, openVault } from './index.ts';
import { journalBacklog } from './link-queries.ts';

describeOnEachDatabase('arrivals in the vault', runArrivalTests, 'shared by all tests', vaultCommands);

function runArrivalTests(database: TestStore): void {
  let vaults: TestVaults;

  beforeAll(() => {
    vaults = new TestVaults(database);
  });

  test('commits derived arrivals with their change, one such change at a time', async () => {
    await vaults.newLink('consequences');
    const arrived: ArrivalDraft[] = [];
    let underWay = 0;
    const vault = await openVault(vaults.parts, {
      linkId: 'consequences',
      fence: 1,
      onArrivals: (arrivals) => arrived.push(...arrivals),
      onCopies() {},
      onBroken() {},
      consequences: {
        kinds: new Set(['cause']),
        async arrivalsOf({ puts = [] }, read) {
          expect(++underWay).toBe(1);
          const before = await read('cause', ['shared']);
          underWay -= 1;
          return puts.flatMap(({ value }) => (before.size > 0 ? draft(`${value}`, `${value}`) : []));
        },
      },
    });
    const cause = (value: string) => ({ kind: 'cause', id: 'shared', value });
    await Promise.all([
      ...['first', 'second', 'third'].map((value) => vault.commit({ puts: [cause(value)] })),
      vault.commit({ puts: [{ ...cause('other'), kind: 'another kind' }] }),
    ]);
    expect(arrived.map(({ digest }) => digest)).toEqual(['second', 'third']);
    expect((await vault.waitingArrivals(10)).map(({ digest }) => digest).toSorted()).toEqual([
      'second',
      'third',
    ]);
  });

  test('keeps an arrival until it is taken, and recognizes its bytes afterwards', async () => {
    await vaults.newLink('journal');
    const { vault, arrived } = await vaults.ownerOf('journal');
    const batch: KeyBatch = { arrival: { d1: draft('d1', 'e1', 5) } };
    await vault.keys.set(batch);
    await vault.commit({ arrivals: [draft('d2', null, 3)] });
    expect(arrived.map(({ digest }) => digest)).toEqual(['d1', 'd2']);
    expect(await vault.waitingArrivals(10)).toEqual([
      { digest: 'd2', seq: 3, value: { text: 'value of d2' } },
      { digest: 'd1', seq: 5, value: { text: 'value of d1' } },
    ]);
    await vault.commit({ taken: ['d1'] });
    expect((await vault.waitingArrivals(10)).map(({ digest }) => digest)).toEqual(['d2']);
    expect(await vault.arrivalOf('d1')).toBeNull();
    expect(await vault.arrivalOf('d2')).toEqual({ text: 'value of d2' });
    expect(await vault.arrivalOf('never')).toBeUndefined();
  });

  test('acknowledges with the next commit, or with one of its own when the vault is closed', async () => {
    await vaults.newLink('riding');
    const { vault } = await vaults.ownerOf('riding');
    const waiting = async () => (await vault.waitingArrivals(10)).map(({ digest }) => digest);
    await vault.commit({ arrivals: [draft('d1', null, 1), draft('d2', null, 2), draft('d3', null, 3)] });
    const first = vault.takeSoon(['d1']);
    const second = vault.takeSoon(['d2']);
    expect(await waiting()).toEqual(['d1', 'd2', 'd3']);
    await vault.keys.set({ 'lid-mapping': { a: 'b' } });
    await Promise.all([first, second]);
    expect(await waiting()).toEqual(['d3']);
    const last = vault.takeSoon(['d3']);
    await vault.settled();
    await last;
    expect(await waiting()).toEqual([]);
  });

  test('acknowledges with a commit of its own after a delay, and reports its failure to the caller', async () => {
    await vaults.newLink('alone');
    const clock = createSteppedClock();
    const { vault } = await vaults.ownerOf('alone', 1, { ...vaults.parts, clock });
    await vault.commit({ arrivals: [draft('d1', null, 1), draft('d2', null, 2)] });
    const taken = vault.takeSoon(['d1']);
    clock.advance(5_000);
    await taken;
    const inVain = vault.takeSoon(['d2']);
    await vaults.ownerOf('alone', 2);
    clock.advance(5_000);
    await expect(inVain).rejects.toBeInstanceOf(LinkLost);
  });

  test('waits for acknowledgements on close, also within a running commit', async () => {
    await vaults.newLink('under way');
    const { vault: before } = await vaults.ownerOf('under way', 1);
    await before.commit({ arrivals: [draft('d1', null, 1)] });
    const written = Promise.withResolvers<void>();
    const { vault } = await vaults.ownerOf('under way', 2, vaults.writingAfter(written.promise));
    void vault.takeSoon(['d1']);
    void vault.keys.set({ 'lid-mapping': { a: 'b' } });
    let isSettled = false;
    const settled = vault.settled().then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    written.resolve();
    await settled;
    expect(await vault.waitingArrivals(10)).toEqual([]);
  });

  test('resolves no commit before an earlier one made ahead', async () => {
    await vaults.newLink('ahead');
    const before = Promise.withResolvers<void>();
    const { vault } = await vaults.ownerOf('ahead', 1, vaults.writingAfter(before.promise));
    const answered: string[] = [];
    const ahead = vault
      .commitAhead({ puts: [{ kind: 'sent', id: 'm', value: 1 }] })
      .then(() => answered.push('ahead'));
    const later = vault
      .commit({ puts: [{ kind: 'lid-mapping', id: 'a', value: 'b' }] })
      .then(() => answered.push('later'));
    await vi.waitFor(async () =>
      expect(await vaults.parts.links.recordsOfKind('ahead', 'lid-mapping')).toHaveLength(1),
    );
    expect(answered).toEqual([]);
    before.resolve();
    await Promise.all([ahead, later]);
    expect(answered).toEqual(['ahead', 'later']);
  });

  test('nor before any other of them after the first has resolved', async () => {
    await vaults.newLink('further ahead');
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { vault } = await vaults.ownerOf(
      'further ahead',
      1,
      vaults.writingAfter(first.promise, second.promise),
    );
    const answered: string[] = [];
    const put = (id: string) => ({ puts: [{ kind: 'contact', id, value: 1 }] });
    const ahead = ['first', 'second'].map((id) => vault.commitAhead(put(id)).then(() => answered.push(id)));
    first.resolve();
    await ahead[0];
    const later = vault.commit(put('later')).then(() => answered.push('later'));
    await vi.waitFor(async () =>
      expect(await vaults.parts.links.records('further ahead', 'contact', ['later'])).toHaveLength(1),
    );
    expect(answered).toEqual(['first']);
    second.resolve();
    await Promise.all([...ahead, later]);
    expect(answered).toEqual(['first', 'second', 'later']);
  });

  test('fails the commits that wait for a failed one ahead, and no later one', async () => {
    await vaults.newLink('in vain ahead');
    const first = Promise.withResolvers<void>();
    const using = vaults.writingAfter(first.promise);
    const { vault, broken } = await vaults.ownerOf('in vain ahead', 1, using);
    const put = (id: string) => ({ puts: [{ kind: 'contact', id, value: 1 }] });
    const outcomes = Promise.allSettled([vault.commitAhead(put('ahead')), vault.commit(put('beside'))]);
    first.reject(new Error('away'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(broken).toHaveLength(2);
    await vault.commit(put('later'));
    expect(broken).toHaveLength(2);
  });

  test('treats the same event in other bytes, or the same bytes again, as known', async () => {
    await vaults.newLink('copies');
    const { vault, arrived, calls, copies } = await vaults.ownerOf('copies');
    await vault.commit({ arrivals: [draft('first', 'event')] });
    await vault.commit({});
    expect(copies()).toBe(0);
    await vault.commit({ arrivals: [draft('second', 'event'), draft('first', 'event')] });
    expect(arrived.map(({ digest }) => digest)).toEqual(['first']);
    expect([calls(), copies()]).toEqual([1, 1]);
    expect(await vault.arrivalOf('second')).toBeNull();
    expect(await vault.waitingArrivals(10)).toHaveLength(1);
  });

  test('sweeps expired rows and nothing else', async () => {
    await vaults.newLink('sweep');
    const { vault } = await vaults.ownerOf('sweep');
    await vault.commit({
      puts: [
        { kind: 'sent', id: 'a week', value: 1 },
        { kind: 'poll', id: 'half a year', value: 1 },
        { kind: 'contact', id: 'for ever', value: 1 },
      ],
      arrivals: [draft('a', null), draft('b', null)],
      taken: ['a'],
    });
    const inDays = (days: number) => vaults.clock.now() + days * 86_400_000;
    await vaults.parts.links.sweep({ now: inDays(6), takenBefore: vaults.clock.now(), limit: 100 });
    expect((await vault.readAll('sent')).size).toBe(1);
    expect(await vault.arrivalOf('a')).toBeNull();
    const tenDaysOn = inDays(10);
    await vaults.parts.links.sweep({ now: tenDaysOn, takenBefore: vaults.clock.now() + 1, limit: 100 });
    expect((await vault.readAll('sent')).size).toBe(0);
    expect((await vault.readAll('poll')).size).toBe(1);
    expect((await vault.readAll('contact')).size).toBe(1);
    expect(await vault.arrivalOf('a')).toBeUndefined();
    expect(await vault.arrivalOf('b')).toEqual({ text: 'value of b' });
  });

  test('sweeps expired rows every hour, and taken arrivals a week after', async () => {
    const clock = createSteppedClock();
    const begun = clock.now();
    const asked: number[][] = [];
    const sweep = async ({
      now,
      takenBefore,
      limit,
    }: {
      now: number;
      takenBefore: number;
      limit: number;
    }) => {
      asked.push([now - begun, now - takenBefore, limit]);
      return false;
    };
    const job = dropOldRecords({
      links: { sweep, trim: async () => false },
      clock,
      log: { debug() {}, warn() {} },
    });
    for (const minutes of [59, 1, 60]) {
      clock.advance(minutes * 60_000);
      await new Promise(setImmediate);
    }
    const hour = 3_600_000;
    expect(asked).toEqual([
      [hour, 7 * 24 * hour, 1_000],
      [2 * hour, 7 * 24 * hour, 1_000],
    ]);
    await job.stop();
  });

  test('counts the backlog of all links, up to a limit', async () => {
    await vaults.newLink('backlog');
    const before = await journalBacklog(database.store);
    const { vault } = await vaults.ownerOf('backlog');
    await vault.commit({ arrivals: [draft('one', null), draft('two', null)], taken: ['one'] });
    expect(await journalBacklog(database.store)).toBe(before + 1);
    await vault.commit({
      arrivals: Array.from({ length: 20_000 }, (_, each) => draft(`many ${each}`, null)),
    });
    expect(await journalBacklog(database.store)).toBe(20_000);
    await vaults.parts.links.forget('backlog');
  });

  test('deletes all expired arrivals of a large backlog', async () => {
    await vaults.newLink('flood');
    const { vault } = await vaults.ownerOf('flood');
    const taken = Array.from({ length: 2_500 }, (_, each) => `arrival ${each}`);
    await vault.commit({ arrivals: taken.map((digest) => draft(digest, null)), taken });
    const job = dropOldRecords({
      links: vaults.parts.links,
      clock: vaults.clock,
      log: { debug() {}, warn: (details) => expect(details).toBeUndefined() },
    });
    vaults.clock.advance(8 * 86_400_000);
    const left = () =>
      database.store.read
        .selectFrom('network_journal')
        .select('digest')
        .where('link_id', '=', 'flood')
        .execute();
    await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 30_000 });
    await job.stop();
  });
}
