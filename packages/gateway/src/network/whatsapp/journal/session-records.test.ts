import { initAuthCreds, type SignalKeyStore } from 'baileys';
import { beforeAll, expect, test } from 'vitest';
import { type DatabaseName, describeOnEachDatabase, type TestStore } from '#testing';
import { installGuards } from '../guards/index.ts';
import { createMemoryKeys } from '../link/socket.ts';
import { bundleOf, startSignal } from '../testing/signal-ends.ts';
import { TestVaults, vaultCommands } from '../testing/vaults.ts';

installGuards();

const HERE = '15550001001@s.whatsapp.net';
const PN = '15550002001@s.whatsapp.net';
const LID = '77000000000001@lid';
const FORMER_CHAINS = 20_000;

describeOnEachDatabase('stored sessions', runTests, 'shared by all tests', vaultCommands);

function runTests(database: TestStore, name: DatabaseName): void {
  // The library cuts a session before any database sees it, so one of them is enough by day.
  const repetition = name === 'PostgreSQL' ? { tags: 'nightly' } : {};
  let vaults: TestVaults;

  beforeAll(() => {
    vaults = new TestVaults(database);
  });

  /** Sealed bytes of each session that the link has stored. */
  async function sealedSizes(linkId: string): Promise<Record<string, number>> {
    const rows = await vaults.parts.links.recordsOfKind(linkId, 'session');
    return Object.fromEntries(rows.map(({ id, value }) => [id, value.length]));
  }

  /** A link with its keys in the vault, in a chat with a peer in memory. */
  async function createChat(linkId: string, jid: string, known?: { lid: string; pn: string }) {
    await vaults.newLink(linkId);
    const { vault } = await vaults.ownerOf(linkId);
    const theirs = initAuthCreds();
    const here = startSignal(vault.creds, vault.keys);
    const there = startSignal(theirs, createMemoryKeys());
    if (known) await here.lidMapping.storeLIDPNMappings([known]);
    await here.injectE2ESession({ jid, session: bundleOf(theirs) as never });
    const chat = {
      vault,
      here,
      write: (text: string) => there.encryptMessage({ jid: HERE, data: Buffer.from(text) }),
      async read(message: Awaited<ReturnType<typeof there.encryptMessage>>, from = jid): Promise<string> {
        return Buffer.from(await here.decryptMessage({ jid: from, ...message })).toString();
      },
      async answer(text: string): Promise<string> {
        const message = await here.encryptMessage({ jid, data: Buffer.from(text) });
        return Buffer.from(await there.decryptMessage({ jid: HERE, ...message })).toString();
      },
      async takeTurns(count: number): Promise<void> {
        for (let turn = 0; turn < count; turn++) {
          await chat.read(await chat.write(`there ${turn}`));
          await chat.answer(`here ${turn}`);
        }
      },
    };
    await chat.answer('hello');
    return chat;
  }

  test('have the same size after 10 turns as after 60', async () => {
    const { takeTurns } = await createChat('turns', PN);
    await takeTurns(10);
    const { '15550002001.0': before = 0 } = await sealedSizes('turns');
    expect(before).toBeGreaterThan(1_000);
    await takeTurns(50);
    const { '15550002001.0': after = 0 } = await sealedSizes('turns');
    expect(after - before).toBeLessThan(50);
  });

  test.each([
    { title: 'phone number', jid: PN, address: '15550002001.0', known: undefined },
    { title: 'LID', jid: LID, address: '77000000000001_1.0', known: undefined },
    {
      title: 'phone number whose LID is known',
      jid: PN,
      address: '77000000000001_1.0',
      known: { lid: LID, pn: PN },
    },
  ])(
    'of 2 MB with a $title are cut at their next use, and read what is under way',
    repetition,
    async (peer) => {
      const linkId = `cut, ${peer.title}`;
      const { vault, write, read, answer, takeTurns } = await createChat(linkId, peer.jid, peer.known);
      await takeTurns(4);
      const late = await write('late');
      await takeTurns(2);
      await addFormerChains(vault.keys, peer.address);
      const { [peer.address]: before = 0, ...others } = await sealedSizes(linkId);
      expect(before).toBeGreaterThan(2_000_000);
      expect(others).toEqual({});

      expect(await answer('answer')).toBe('answer');
      const { [peer.address]: after = 0 } = await sealedSizes(linkId);
      expect(after).toBeLessThan(2_000);
      expect(await read(late)).toBe('late');
      await takeTurns(2);
    },
  );

  test('are cut when they move from a phone number to its LID', repetition, async () => {
    const { vault, here, write, read } = await createChat('moved', PN);
    const late = await write('late');
    await read(await write('first'));
    await addFormerChains(vault.keys, '15550002001.0');
    await vault.keys.set({ 'device-list': { '15550002001': ['0'] } });
    await here.lidMapping.storeLIDPNMappings([{ lid: LID, pn: PN }]);
    await here.migrateSession(PN, LID);
    const { '77000000000001_1.0': size = 0, ...others } = await sealedSizes('moved');
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(2_000);
    expect(others).toEqual({});
    expect(await read(late, LID)).toBe('late');
  });
}

interface StoredRecord {
  readonly _sessions: Record<string, { _chains: object }>;
}

/** Stores a session as an earlier version has it after so many more turns: older chains stand before its own. */
async function addFormerChains(keys: SignalKeyStore, address: string): Promise<void> {
  const { [address]: record } = await keys.get('session', [address]);
  const [session] = Object.values((record as unknown as StoredRecord)._sessions);
  if (!session) throw new Error('There is no session yet.');
  const former = Array.from({ length: FORMER_CHAINS }, (_, place) => [
    Buffer.alloc(33, `former ${place} `).toString('base64'),
    { chainKey: { counter: 0 }, chainType: 2, messageKeys: {} },
  ]);
  session._chains = { ...Object.fromEntries(former), ...session._chains };
  await keys.set({ session: { [address]: record as Uint8Array } });
}
