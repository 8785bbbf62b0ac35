import { beforeAll, expect, test } from 'vitest';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { draft, TestVaults, vaultCommands } from '../testing/vaults.ts';
import { LASTING_SECRET, SECRET, type VaultDependencies } from './index.ts';

describeOnEachDatabase('commits of the vault', runCommitTests, 'shared by all tests', vaultCommands);

function runCommitTests(database: TestStore): void {
  let vaults: TestVaults;

  beforeAll(() => {
    vaults = new TestVaults(database);
  });

  const contact = (id: string, value?: unknown) => ({ kind: 'contact', id, value });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };

  /** A store whose commits succeed, and whose answers are lost after `lose`. */
  function losing(): { using: VaultDependencies; lose(): void } {
    const { store } = vaults.parts;
    let isLost = false;
    return {
      lose() {
        isLost = true;
      },
      using: {
        ...vaults.parts,
        store: {
          ...store,
          async run(command, item) {
            const answer = await store.run(command, item);
            if (isLost) throw new Error('the answer was lost');
            return answer;
          },
        },
      },
    };
  }

  test('of one moment are applied in order; the last write of a record wins', async () => {
    await vaults.newLink('batch');
    const { vault } = await vaults.ownerOf('batch');
    await vault.commit({ puts: [contact('a', 0), contact('d', 0)] });
    await Promise.all([
      vault.commit({ puts: [contact('a', 1), contact('b', 1), contact('c', 1)] }),
      vault.commit({ deletes: [contact('a'), contact('b'), contact('d')] }),
      vault.commit({ puts: [contact('b', 2), contact('c', 2)] }),
    ]);
    const { vault: next } = await vaults.ownerOf('batch', 2);
    expect(await next.readAll('contact')).toEqual(
      new Map([
        ['b', 2],
        ['c', 2],
      ]),
    );
  });

  test('of several links in one batch are each checked against their own owner', async () => {
    for (const linkId of ['several 1', 'several 2']) await vaults.newLink(linkId);
    const [one, old] = [await vaults.ownerOf('several 1'), await vaults.ownerOf('several 2')];
    const young = await vaults.ownerOf('several 2', 2);
    one.vault.creds.nextPreKeyId = 11;
    one.vault.credsChanged();
    old.vault.creds.nextPreKeyId = 12;
    old.vault.credsChanged();
    const outcomes = await Promise.allSettled([
      one.vault.commit({ puts: [contact('x', 1)], arrivals: [draft('d', 'e')] }),
      old.vault.commit({ puts: [contact('x', 2)], arrivals: [draft('d', 'e')] }),
      young.vault.commit({ puts: [contact('y', 3)], arrivals: [draft('f', 'e')] }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(
      [one.arrived, old.arrived, young.arrived].map((drafts) => drafts.map(({ digest }) => digest)),
    ).toEqual([['d'], [], ['f']]);
    expect(await young.vault.readAll('contact')).toEqual(new Map([['y', 3]]));
    const next = [await vaults.ownerOf('several 1', 2), await vaults.ownerOf('several 2', 3)];
    expect(next.map(({ vault }) => vault.creds.nextPreKeyId)).toEqual([11, 1]);
  });

  test('delete and take the named rows only', async () => {
    await vaults.newLink('named');
    const { vault } = await vaults.ownerOf('named');
    await vault.commit({
      puts: [contact('a', 1), contact('b', 1), { kind: 'poll', id: 'a', value: 1 }],
      arrivals: [draft('d1', null, 1), draft('d2', null, 2), draft('d3', null, 3)],
    });
    await vault.commit({ deletes: [contact('a')], taken: ['d2'] });
    expect([...(await vault.readAll('contact')).keys()]).toEqual(['b']);
    expect([...(await vault.readAll('poll')).keys()]).toEqual(['a']);
    expect((await vault.waitingArrivals(10)).map(({ digest }) => digest)).toEqual(['d1', 'd3']);
    expect((await vault.waitingArrivals(1)).map(({ digest }) => digest)).toEqual(['d1']);
  });

  test('break the vault and clear its cache when the answer is lost', async () => {
    await vaults.newLink('unanswered');
    const { using, lose } = losing();
    const { vault, broken } = await vaults.ownerOf('unanswered', 1, using);
    await vault.commit({ puts: [contact('a', 1)] });
    expect(await vault.read('contact', ['a', 'b'])).toEqual(new Map([['a', 1]]));
    lose();
    const change = { puts: [contact('a', 2), contact('b', 2)] };
    await expect(vault.commit(change)).rejects.toThrow('the answer was lost');
    expect(broken).toHaveLength(1);
    expect(await vault.read('contact', ['a', 'b'])).toEqual(
      new Map([
        ['a', 2],
        ['b', 2],
      ]),
    );
  });

  test('contain the credentials when they have changed, and only then', async () => {
    await vaults.newLink('clean');
    const { vault } = await vaults.ownerOf('clean');
    vault.creds.nextPreKeyId = 813;
    await vault.commit({ puts: [contact('a', 1)] });
    const { vault: next } = await vaults.ownerOf('clean', 2);
    expect(next.creds.nextPreKeyId).toBe(1);
  });

  test('merge several changes of the credentials while a snapshot is being written', async () => {
    await vaults.newLink('often');
    const moment = Promise.withResolvers<void>();
    const { using, writes } = vaults.counting();
    const { run } = using.store;
    let waits = true;
    const { vault } = await vaults.ownerOf('often', 1, {
      ...using,
      store: {
        ...using.store,
        async run(command, item) {
          const isFirst = waits;
          waits = false;
          if (isFirst) await moment.promise;
          return run(command, item);
        },
      },
    });
    for (const next of [11, 12]) {
      vault.creds.nextPreKeyId = next;
      vault.credsChanged();
      vault.credsChanged();
      await turns();
    }
    moment.resolve();
    await vault.settled();
    await turns();
    expect(writes()).toBe(2);
    expect((await vaults.ownerOf('often', 2)).vault.creds.nextPreKeyId).toBe(12);
  });

  test('write changed credentials once, and wait for no commit without credentials', async () => {
    await vaults.newLink('carried');
    const moment = Promise.withResolvers<void>();
    const { using, writes } = vaults.counting();
    const { run } = using.store;
    const { vault } = await vaults.ownerOf('carried', 1, {
      ...using,
      store: {
        ...using.store,
        run: (command, item) => {
          const answer = run(command, item);
          return writes() === 1 ? moment.promise.then(() => answer) : answer;
        },
      },
    });
    const slow = vault.commit({ puts: [contact('a', 1)] });
    vault.creds.nextPreKeyId = 11;
    vault.credsChanged();
    await vault.commit({ puts: [contact('b', 1)] });
    await turns();
    expect(writes()).toBe(2);
    moment.resolve();
    await slow;
    expect((await vaults.ownerOf('carried', 2)).vault.creds.nextPreKeyId).toBe(11);
  });

  test('are not made on close when nothing was taken', async () => {
    await vaults.newLink('left');
    const { using, writes } = vaults.counting();
    const { vault } = await vaults.ownerOf('left', 1, using);
    await vault.settled();
    await turns();
    expect(writes()).toBe(0);
  });

  test('that only acknowledge arrivals are delayed by five seconds', async () => {
    await vaults.newLink('company');
    const { using, writes } = vaults.counting();
    const { vault } = await vaults.ownerOf('company', 1, using);
    await vault.commit({ arrivals: [draft('d', null)] });
    const taken = vault.takeSoon(['d']);
    vaults.clock.advance(4_999);
    await turns();
    expect(writes()).toBe(1);
    vaults.clock.advance(1);
    await taken;
    expect(writes()).toBe(2);
    vaults.clock.advance(10_000);
    await turns();
    expect(writes()).toBe(2);
    const carried = vault.takeSoon(['d']);
    await vault.commit({ puts: [contact('a', 1)] });
    await carried;
    vaults.clock.advance(10_000);
    await turns();
    expect(writes()).toBe(3);
  });

  test('continue for an owner that claims the link again with the same fence', async () => {
    await vaults.newLink('again');
    const before = await vaults.ownerOf('again', 3);
    const { vault } = await vaults.ownerOf('again', 3);
    await before.vault.commit({ puts: [contact('a', 1)] });
    await vault.commit({ puts: [contact('b', 1)] });
    expect((await vault.readAll('contact')).size).toBe(2);
    await expect(vaults.ownerOf('again', 2)).rejects.toMatchObject({ reason: 'taken_over' });
  });

  test('of other links stay when one link is deleted', async () => {
    for (const linkId of ['forgotten', 'remembered']) {
      await vaults.newLink(linkId);
      const { vault } = await vaults.ownerOf(linkId);
      await vault.commit({ puts: [contact('a', 1)], arrivals: [draft('d', null)] });
    }
    await vaults.parts.links.forget('forgotten');
    const { vault } = await vaults.ownerOf('remembered', 2);
    expect((await vault.readAll('contact')).size).toBe(1);
    expect(await vault.waitingArrivals(10)).toHaveLength(1);
    const left = database.store.read.selectFrom('network_journal').select('digest');
    expect(await left.where('link_id', '=', 'forgotten').execute()).toEqual([]);
    expect(await vaults.parts.links.exists('forgotten')).toBe(false);
  });

  test('of a link that is created again use its new credentials', async () => {
    await vaults.newLink('anew');
    const { vault } = await vaults.ownerOf('anew');
    await vaults.newLink('anew');
    const { vault: next } = await vaults.ownerOf('anew', 2);
    expect(next.creds.noiseKey).not.toEqual(vault.creds.noiseKey);
  });

  test('are swept in batches, each of which reports whether it was full', async () => {
    await vaults.newLink('steps');
    const { vault } = await vaults.ownerOf('steps');
    const now = vaults.clock.now();
    const week = 7 * 86_400_000;
    await vault.commit({
      puts: ['1', '2', '3'].map((id) => ({ kind: 'sent', id, value: 1 })),
      arrivals: [draft('d1', null), draft('d2', null)],
      taken: ['d1'],
    });
    const sweep = (at: number, takenBefore: number) =>
      vaults.parts.links.sweep({ now: at, takenBefore, limit: 2 });
    // Rows of other tests.
    while (await sweep(now + week, now));
    expect((await vault.readAll('sent')).size).toBe(3);
    expect(await sweep(now + week, now)).toBe(false);
    expect(await sweep(now + week + 1, now)).toBe(true);
    expect((await vault.readAll('sent')).size).toBe(1);
    expect(await sweep(now + week + 1, now)).toBe(false);
    expect((await vault.readAll('sent')).size).toBe(0);
    expect(await vault.arrivalOf('d1')).toBeNull();
    await sweep(now, now + 1);
    expect(await vault.arrivalOf('d1')).toBeUndefined();
    expect(await vault.arrivalOf('d2')).toBeDefined();
  });

  test('keep as many secrets of a link as its bound, the newest ones', async () => {
    for (const link of ['crowd', 'few']) await vaults.newLink(link);
    const { vault } = await vaults.ownerOf('crowd');
    const { vault: other } = await vaults.ownerOf('few');
    for (const id of ['1', '2', '3', '4', '5']) {
      await vault.commit({ puts: [{ kind: SECRET, id, value: 1 }] });
      vaults.clock.advance(1_000);
    }
    await vault.commit({ puts: [{ kind: 'sent', id: '1', value: 1 }] });
    await other.commit({ puts: [{ kind: SECRET, id: '1', value: 1 }] });
    const trim = () => vaults.parts.links.trim({ kind: SECRET, most: 2, limit: 2 });
    expect(await trim()).toBe(true);
    expect([...(await vault.readAll(SECRET)).keys()]).toEqual(['3', '4', '5']);
    expect(await trim()).toBe(false);
    expect([...(await vault.readAll(SECRET)).keys()]).toEqual(['4', '5']);
    expect((await vault.readAll('sent')).size + (await other.readAll(SECRET)).size).toBe(2);
  });

  test.each([
    ['a poll for half a year', LASTING_SECRET, 180],
    ['another message for a week', SECRET, 7],
  ])('keep the secret of %s', async (_, kind, days) => {
    await vaults.newLink(kind);
    const { vault } = await vaults.ownerOf(kind);
    const end = vaults.clock.now() + days * 86_400_000;
    await vault.commit({ puts: [{ kind, id: 'kept', value: 1 }] });
    const sweep = (now: number) => vaults.parts.links.sweep({ now, takenBefore: 0, limit: 1_000 });
    await sweep(end);
    expect((await vault.readAll(kind)).size).toBe(1);
    await sweep(end + 1);
    expect((await vault.readAll(kind)).size).toBe(0);
  });
}
