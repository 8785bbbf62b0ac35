import { initAuthCreds } from 'baileys';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { describeOnEachDatabase, type TestStore } from '#testing';
import {
  type ArrivalDraft,
  createLinkStore,
  createRecordCache,
  dropOldRecords,
  type KeyBatch,
  LinkLost,
  type LinkStore,
  openVault,
  storeLink,
  type Vault,
  type VaultDependencies,
} from './index.ts';

const clock = createSteppedClock();
const commandModules = [new URL('./write-commands.ts', import.meta.url)];

describeOnEachDatabase('the vault', tellTheStory, 'shared by all tests', commandModules);

function tellTheStory(database: TestStore): void {
  let parts: VaultDependencies;

  beforeAll(() => {
    const { store } = database;
    parts = {
      store,
      links: createLinkStore(store),
      sealedBox: createSealedBox({ masterKeys: [systemRandom.bytes(32)], random: systemRandom }),
      clock,
      cache: createRecordCache({ limit: 1_000_000 }),
    };
  });

  async function ownerOf(
    linkId: string,
    fence = 1,
    using = parts,
  ): Promise<{ vault: Vault; arrived: ArrivalDraft[]; copies: () => number; broken: unknown[] }> {
    const arrived: ArrivalDraft[] = [];
    const broken: unknown[] = [];
    let copies = 0;
    const vault = await openVault(using, {
      linkId,
      fence,
      onArrivals: (arrivals) => arrived.push(...arrivals),
      onCopies: () => {
        copies += 1;
      },
      onBroken: (error) => broken.push(error),
    });
    return { vault, arrived, copies: () => copies, broken };
  }

  /** A store whose first write waits. */
  function writingAfter(moment: Promise<void>): VaultDependencies {
    const { store } = parts;
    let isFirst = true;
    return {
      ...parts,
      store: {
        ...store,
        async run(command, item) {
          const waits = isFirst;
          isFirst = false;
          if (waits) await moment;
          return store.run(command, item);
        },
      },
    };
  }

  async function newLink(linkId: string): Promise<void> {
    await storeLink(parts, linkId, initAuthCreds());
  }

  function draft(digest: string, eventKey: string | null, seq = 1): ArrivalDraft {
    return { digest, eventKey, seq, value: { text: `value of ${digest}` } };
  }

  describe('credentials and keys', () => {
    test('that cannot be read break the vault before the library could take them for absent', async () => {
      await newLink('unread');
      const unreachable = async (): Promise<never> => {
        throw new Error('out of reach');
      };
      const links: LinkStore = { ...parts.links, records: unreachable, arrival: unreachable };
      const { vault, broken } = await ownerOf('unread', 1, { ...parts, links });
      await expect(vault.keys.get('identity-key', ['x.0'])).rejects.toThrow('out of reach');
      expect(broken).toHaveLength(1);
      await expect(vault.arrivalOf('some bytes')).rejects.toThrow('out of reach');
      expect(broken).toHaveLength(2);
    });

    test('come back as they were, buffers included', async () => {
      await newLink('one');
      const { vault } = await ownerOf('one');
      await vault.keys.set({
        'identity-key': { 'x.0': Buffer.from([1, 2, 3]) },
        'lid-mapping': { '1555': '77' },
      });
      const { vault: next } = await ownerOf('one', 2);
      expect(await next.keys.get('identity-key', ['x.0', 'unknown'])).toEqual({
        'x.0': Buffer.from([1, 2, 3]),
      });
      await next.keys.set({ 'lid-mapping': { '1555': null } });
      expect(await next.keys.get('lid-mapping', ['1555'])).toEqual({});
    });

    test('that are not there are asked for once, and found as soon as they are', async () => {
      await newLink('absent');
      const asked: string[] = [];
      const links: LinkStore = {
        ...parts.links,
        records(linkId, kind, ids) {
          asked.push(...ids);
          return parts.links.records(linkId, kind, ids);
        },
      };
      const { vault } = await ownerOf('absent', 1, { ...parts, links });
      expect(await vault.keys.get('lid-mapping', ['a', 'b'])).toEqual({});
      expect(await vault.keys.get('lid-mapping', ['b', 'a'])).toEqual({});
      expect(asked).toEqual(['a', 'b']);
      await vault.keys.set({ 'lid-mapping': { a: '1' } });
      expect(await vault.keys.get('lid-mapping', ['a', 'b'])).toEqual({ a: '1' });
    });

    test('that the owner before was still reading do not come before what the next one writes', async () => {
      await newLink('late');
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const { promise: isRead, resolve: tellRead } = Promise.withResolvers<void>();
      const links: LinkStore = {
        ...parts.links,
        async records(linkId, kind, ids) {
          const rows = await parts.links.records(linkId, kind, ids);
          tellRead();
          await held;
          return rows;
        },
      };
      const { vault: before } = await ownerOf('late', 1, { ...parts, links });
      const reading = before.keys.get('lid-mapping', ['a']);
      await isRead;
      const { vault } = await ownerOf('late', 2);
      await vault.keys.set({ 'lid-mapping': { a: '1' } });
      letGo();
      expect(await reading).toEqual({});
      expect(await vault.keys.get('lid-mapping', ['a'])).toEqual({ a: '1' });
    });

    test('lie in the database sealed', async () => {
      await newLink('sealed');
      const { vault } = await ownerOf('sealed');
      await vault.keys.set({ 'lid-mapping': { secretive: 'a very plain text' } });
      await vault.commit({ arrivals: [draft('a very plain arrival', null)] });
      const { read } = database.store;
      const rows = [
        ...(await read.selectFrom('network_links').select('creds as bytes').execute()),
        ...(await read.selectFrom('network_records').select('value as bytes').execute()),
        ...(await read.selectFrom('network_journal').select('value as bytes').execute()),
      ];
      const stored = rows.map(({ bytes }) => Buffer.from(bytes ?? []).toString('latin1')).join('');
      expect(rows.length).toBeGreaterThan(2);
      for (const secret of ['a very plain text', 'value of', 'advSecretKey'])
        expect(stored).not.toContain(secret);
    });

    test('a box moved to another row does not open', async () => {
      await newLink('moved');
      const { vault } = await ownerOf('moved');
      await vault.keys.set({ 'lid-mapping': { here: '1', there: '2' } });
      const { vault: next } = await ownerOf('moved', 2);
      await database.store.transaction(async (trx) => {
        const { value } = await trx
          .selectFrom('network_records')
          .select('value')
          .where('link_id', '=', 'moved')
          .where('id', '=', 'here')
          .executeTakeFirstOrThrow();
        await trx.updateTable('network_records').set({ value }).where('link_id', '=', 'moved').execute();
      });
      await expect(next.keys.get('lid-mapping', ['there'])).rejects.toThrow('altered');
    });

    test('changed credentials travel with the next batch, or by themselves', async () => {
      await newLink('creds');
      const { vault } = await ownerOf('creds');
      vault.creds.nextPreKeyId = 813;
      vault.credsChanged();
      await vault.keys.set({ 'lid-mapping': { a: 'b' } });
      vault.creds.platform = 'android';
      vault.credsChanged();
      await Promise.resolve();
      await vault.settled();
      const { vault: next } = await ownerOf('creds', 2);
      expect([next.creds.nextPreKeyId, next.creds.platform]).toEqual([813, 'android']);
    });
  });

  describe('ownership', () => {
    test('a write of an older owner is refused and breaks its vault', async () => {
      await newLink('fenced');
      const old = await ownerOf('fenced', 1);
      const young = await ownerOf('fenced', 2);
      await young.vault.keys.set({ 'lid-mapping': { k: 'young' } });
      await expect(old.vault.keys.set({ 'lid-mapping': { k: 'old' } })).rejects.toBeInstanceOf(LinkLost);
      expect(old.broken).toHaveLength(1);
      expect(await young.vault.keys.get('lid-mapping', ['k'])).toEqual({ k: 'young' });
      await expect(ownerOf('fenced', 1)).rejects.toBeInstanceOf(LinkLost);
    });

    test('a forgotten link is gone with all that it kept', async () => {
      await newLink('gone');
      const { vault } = await ownerOf('gone');
      await vault.commit({ puts: [{ kind: 'contact', id: 'x', value: 1 }], arrivals: [draft('d', null)] });
      await parts.links.forget('gone');
      await parts.links.forget('gone');
      await expect(vault.keys.set({ 'lid-mapping': { a: 'b' } })).rejects.toBeInstanceOf(LinkLost);
      await expect(ownerOf('gone', 9)).rejects.toBeInstanceOf(LinkLost);
      expect(await parts.links.recordsOfKind('gone', 'contact')).toEqual([]);
    });
  });

  describe('the journal', () => {
    test('gets what follows from a change in one transaction with it, and no two such changes overlap', async () => {
      await newLink('consequences');
      const arrived: ArrivalDraft[] = [];
      let underWay = 0;
      const vault = await openVault(parts, {
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

    test('an arrival waits until it is taken, and its bytes are known afterwards', async () => {
      await newLink('journal');
      const { vault, arrived } = await ownerOf('journal');
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

    test('what was taken rides along with the next commit, or goes alone when the vault is left', async () => {
      await newLink('riding');
      const { vault } = await ownerOf('riding');
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

    test('what was taken goes alone after a moment, and whoever took it learns that it failed', async () => {
      await newLink('alone');
      const clock = createSteppedClock();
      const { vault } = await ownerOf('alone', 1, { ...parts, clock });
      await vault.commit({ arrivals: [draft('d1', null, 1), draft('d2', null, 2)] });
      const taken = vault.takeSoon(['d1']);
      clock.advance(5_000);
      await taken;
      const inVain = vault.takeSoon(['d2']);
      await ownerOf('alone', 2);
      clock.advance(5_000);
      await expect(inVain).rejects.toBeInstanceOf(LinkLost);
    });

    test('what was taken is waited for, also when it rides with a commit that is under way', async () => {
      await newLink('under way');
      const { vault: before } = await ownerOf('under way', 1);
      await before.commit({ arrivals: [draft('d1', null, 1)] });
      const written = Promise.withResolvers<void>();
      const { vault } = await ownerOf('under way', 2, writingAfter(written.promise));
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

    test('no commit is answered before one that was made ahead of it', async () => {
      await newLink('ahead');
      const before = Promise.withResolvers<void>();
      const { vault } = await ownerOf('ahead', 1, writingAfter(before.promise));
      const answered: string[] = [];
      const ahead = vault
        .commitAhead({ puts: [{ kind: 'sent', id: 'm', value: 1 }] })
        .then(() => answered.push('ahead'));
      const later = vault
        .commit({ puts: [{ kind: 'lid-mapping', id: 'a', value: 'b' }] })
        .then(() => answered.push('later'));
      await vi.waitFor(async () =>
        expect(await parts.links.recordsOfKind('ahead', 'lid-mapping')).toHaveLength(1),
      );
      expect(answered).toEqual([]);
      before.resolve();
      await Promise.all([ahead, later]);
      expect(answered).toEqual(['ahead', 'later']);
    });

    test('the same event in other bytes, or the same bytes again, is not news', async () => {
      await newLink('copies');
      const { vault, arrived, copies } = await ownerOf('copies');
      await vault.commit({ arrivals: [draft('first', 'event')] });
      expect(copies()).toBe(0);
      await vault.commit({ arrivals: [draft('second', 'event'), draft('first', 'event')] });
      expect(arrived.map(({ digest }) => digest)).toEqual(['first']);
      expect(copies()).toBe(1);
      expect(await vault.arrivalOf('second')).toBeNull();
      expect(await vault.waitingArrivals(10)).toHaveLength(1);
    });

    test('the sweep drops what is over and nothing else', async () => {
      await newLink('sweep');
      const { vault } = await ownerOf('sweep');
      await vault.commit({
        puts: [
          { kind: 'sent', id: 'a week', value: 1 },
          { kind: 'poll', id: 'half a year', value: 1 },
          { kind: 'contact', id: 'for ever', value: 1 },
        ],
        arrivals: [draft('a', null), draft('b', null)],
        taken: ['a'],
      });
      const tenDaysOn = clock.now() + 10 * 86_400_000;
      await parts.links.sweep({ now: tenDaysOn, takenBefore: clock.now() + 1, limit: 100 });
      expect((await vault.readAll('sent')).size).toBe(0);
      expect((await vault.readAll('poll')).size).toBe(1);
      expect((await vault.readAll('contact')).size).toBe(1);
      expect(await vault.arrivalOf('a')).toBeUndefined();
      expect(await vault.arrivalOf('b')).toEqual({ text: 'value of b' });
    });

    test('however much has come in, all of it is dropped in its time', async () => {
      await newLink('flood');
      const { vault } = await ownerOf('flood');
      const taken = Array.from({ length: 2_500 }, (_, each) => `arrival ${each}`);
      await vault.commit({ arrivals: taken.map((digest) => draft(digest, null)), taken });
      const job = dropOldRecords({
        links: parts.links,
        clock,
        log: { warn: (details) => expect(details).toBeUndefined() },
      });
      clock.advance(8 * 86_400_000);
      const left = () =>
        database.store.read
          .selectFrom('network_journal')
          .select('digest')
          .where('link_id', '=', 'flood')
          .execute();
      await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 30_000 });
      await job.stop();
    });
  });
}
