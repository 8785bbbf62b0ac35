import { proto } from 'baileys';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeOnEachDatabase, type TestStore } from '#testing';
import { draft, TestVaults, vaultCommands } from '../testing/vaults.ts';
import { LinkLost, type LinkStore } from './index.ts';

describeOnEachDatabase('the vault', runVaultTests, 'shared by all tests', vaultCommands);

function runVaultTests(database: TestStore): void {
  let vaults: TestVaults;

  beforeAll(() => {
    vaults = new TestVaults(database);
  });

  describe('credentials and keys', () => {
    test('break the vault when they cannot be read, before the library takes them for absent', async () => {
      await vaults.newLink('unread');
      const unreachable = async (): Promise<never> => {
        throw new Error('out of reach');
      };
      const links: LinkStore = { ...vaults.parts.links, records: unreachable, arrival: unreachable };
      const { vault, broken } = await vaults.ownerOf('unread', 1, { ...vaults.parts, links });
      await expect(vault.keys.get('identity-key', ['x.0'])).rejects.toThrow('out of reach');
      expect(broken).toHaveLength(1);
      await expect(vault.arrivalOf('some bytes')).rejects.toThrow('out of reach');
      expect(broken).toHaveLength(2);
    });

    test('are read as they were written, buffers included', async () => {
      await vaults.newLink('one');
      const { vault } = await vaults.ownerOf('one');
      await vault.keys.set({
        'identity-key': { 'x.0': Buffer.from([1, 2, 3]) },
        'lid-mapping': { '1555': '77' },
        'app-state-sync-key': { k: { keyData: Buffer.from([4, 5]), timestamp: 6 } },
      });
      const { vault: next } = await vaults.ownerOf('one', 2);
      expect(await next.keys.get('identity-key', ['x.0', 'unknown'])).toEqual({
        'x.0': Buffer.from([1, 2, 3]),
      });
      const { k } = await next.keys.get('app-state-sync-key', ['k']);
      expect(k).toBeInstanceOf(proto.Message.AppStateSyncKeyData);
      expect(k?.keyData).toEqual(Buffer.from([4, 5]));
      expect(await next.keys.get('identity-key', ['x.0'])).not.toBeInstanceOf(
        proto.Message.AppStateSyncKeyData,
      );
      await next.keys.set({ 'lid-mapping': { '1555': null } });
      expect(await next.keys.get('lid-mapping', ['1555'])).toEqual({});
    });

    test('that are absent are queried once, and found as soon as they exist', async () => {
      await vaults.newLink('absent');
      const asked: string[] = [];
      const links: LinkStore = {
        ...vaults.parts.links,
        records(linkId, kind, ids) {
          asked.push(...ids);
          return vaults.parts.links.records(linkId, kind, ids);
        },
      };
      const { vault } = await vaults.ownerOf('absent', 1, { ...vaults.parts, links });
      expect(await vault.keys.get('lid-mapping', ['a', 'b'])).toEqual({});
      expect(await vault.keys.get('lid-mapping', ['b', 'a'])).toEqual({});
      expect(asked).toEqual(['a', 'b']);
      await vault.keys.set({ 'lid-mapping': { a: '1' } });
      expect(await vault.keys.get('lid-mapping', ['a', 'b'])).toEqual({ a: '1' });
    });

    test('read late by the previous owner do not replace writes of the next one', async () => {
      await vaults.newLink('late');
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const { promise: isRead, resolve: markRead } = Promise.withResolvers<void>();
      const links: LinkStore = {
        ...vaults.parts.links,
        async records(linkId, kind, ids) {
          const rows = await vaults.parts.links.records(linkId, kind, ids);
          markRead();
          await held;
          return rows;
        },
      };
      const { vault: before } = await vaults.ownerOf('late', 1, { ...vaults.parts, links });
      const reading = before.keys.get('lid-mapping', ['a']);
      await isRead;
      const { vault } = await vaults.ownerOf('late', 2);
      await vault.keys.set({ 'lid-mapping': { a: '1' } });
      letGo();
      expect(await reading).toEqual({});
      expect(await vault.keys.get('lid-mapping', ['a'])).toEqual({ a: '1' });
    });

    test('are sealed in the database', async () => {
      await vaults.newLink('sealed');
      const { vault } = await vaults.ownerOf('sealed');
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

    test('refuses to open a box moved to another row', async () => {
      await vaults.newLink('moved');
      const { vault } = await vaults.ownerOf('moved');
      await vault.keys.set({ 'lid-mapping': { here: '1', there: '2' } });
      const { vault: next } = await vaults.ownerOf('moved', 2);
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

    test('commits changed credentials with the next batch, or in a commit of their own', async () => {
      await vaults.newLink('creds');
      const { using, writes } = vaults.counting();
      const { vault } = await vaults.ownerOf('creds', 1, using);
      vault.creds.nextPreKeyId = 813;
      vault.credsChanged();
      await vault.keys.set({ 'lid-mapping': { a: 'b' } });
      expect(writes()).toBe(1);
      vault.creds.platform = 'android';
      vault.credsChanged();
      await Promise.resolve();
      await vault.settled();
      await vault.settled();
      expect(writes()).toBe(2);
      const { vault: next } = await vaults.ownerOf('creds', 2);
      expect([next.creds.nextPreKeyId, next.creds.platform]).toEqual([813, 'android']);
    });

    test('writes snapshots of the credentials in order', async () => {
      await vaults.newLink('overtaking');
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const { vault } = await vaults.ownerOf('overtaking', 1, vaults.writingAfter(held));
      vault.creds.nextPreKeyId = 813;
      vault.credsChanged();
      const former = vault.commit({});
      vault.creds.nextPreKeyId = 814;
      vault.credsChanged();
      const latter = vault.commit({});
      letGo();
      await Promise.all([former, latter]);
      const { vault: next } = await vaults.ownerOf('overtaking', 2);
      expect(next.creds.nextPreKeyId).toBe(814);
    });
  });

  describe('ownership', () => {
    test('refuses a write of an older owner and breaks its vault', async () => {
      await vaults.newLink('fenced');
      const old = await vaults.ownerOf('fenced', 1);
      const young = await vaults.ownerOf('fenced', 2);
      await young.vault.keys.set({ 'lid-mapping': { k: 'young' } });
      const lost = { name: 'LinkLost', reason: 'taken_over' };
      await expect(old.vault.keys.set({ 'lid-mapping': { k: 'old' } })).rejects.toMatchObject(lost);
      expect(old.broken).toMatchObject([lost]);
      expect(await young.vault.keys.get('lid-mapping', ['k'])).toEqual({ k: 'young' });
      await expect(vaults.ownerOf('fenced', 1)).rejects.toBeInstanceOf(LinkLost);
    });

    test('keeps rows of the same name of another link when one link’s are deleted or taken', async () => {
      await Promise.all([vaults.newLink('twin 1'), vaults.newLink('twin 2')]);
      const [{ vault: one }, { vault: other }] = [
        await vaults.ownerOf('twin 1'),
        await vaults.ownerOf('twin 2'),
      ];
      const puts = ['contact', 'poll'].map((kind) => ({ kind, id: 'x', value: kind }));
      for (const vault of [one, other]) await vault.commit({ puts, arrivals: [draft('d', null)] });
      await one.commit({ deletes: [{ kind: 'contact', id: 'x' }], taken: ['d'] });
      const kept = async (linkId: string, kind: string) =>
        (await vaults.parts.links.recordsOfKind(linkId, kind)).length;
      expect([await kept('twin 1', 'contact'), await kept('twin 1', 'poll')]).toEqual([0, 1]);
      expect([await kept('twin 2', 'contact'), await kept('twin 2', 'poll')]).toEqual([1, 1]);
      expect(await one.waitingArrivals(10)).toEqual([]);
      expect(await other.waitingArrivals(10)).toHaveLength(1);
    });

    test('deletes all rows of a forgotten link', async () => {
      await vaults.newLink('gone');
      const { vault } = await vaults.ownerOf('gone');
      await vault.commit({ puts: [{ kind: 'contact', id: 'x', value: 1 }], arrivals: [draft('d', null)] });
      await vaults.parts.links.forget('gone');
      await vaults.parts.links.forget('gone');
      await expect(vault.keys.set({ 'lid-mapping': { a: 'b' } })).rejects.toMatchObject({
        reason: 'unknown',
      });
      await expect(vaults.ownerOf('gone', 9)).rejects.toBeInstanceOf(LinkLost);
      expect(await vaults.parts.links.recordsOfKind('gone', 'contact')).toEqual([]);
    });
  });
}
