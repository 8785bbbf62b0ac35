import { getBinaryNodeChild } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, unregistered } from '../world/fixture.ts';
import { type Client, event, memoryAuth, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  network.world.contacts.save(handset(ada), { phone: ben, firstName: 'Ben', fullName: 'Ben Okafor' });
  client = await network.link(ada);
});
afterAll(() => network.stop());

/** A new client downloads keys, history and contacts one after the other. */
const SYNCHRONISED = { timeout: 10_000 };

describe('contacts', () => {
  it('are sent to a newly linked client, with their names and addresses', async () => {
    const auth = memoryAuth();
    const pairing = network.connect(auth);
    const { qr } = await event(pairing, 'connection.update', (update) => update.qr !== undefined);
    await network.wire.pairing.scan(ada, qr ?? '');
    const sock = network.connect(auth);
    // the library may merge one of these events into another
    const learned: Record<string, unknown> = {};
    const learn = (contacts: { id?: string }[]) => {
      for (const contact of contacts) if (contact.id === jid(ben)) Object.assign(learned, contact);
    };
    sock.ev.on('messaging-history.set', ({ contacts }) => learn(contacts));
    sock.ev.on('contacts.upsert', learn);
    sock.ev.on('contacts.update', learn);
    const { lid } = network.world.phones.get(ben);
    await vi.waitFor(
      () => expect(learned).toMatchObject({ name: 'Ben Okafor', notify: 'Ben', lid: `${lid}@lid` }),
      SYNCHRONISED,
    );
    await vi.waitFor(() => expect(auth.creds.myAppStateKeyId).toBeTruthy(), SYNCHRONISED);
  });

  it('of the phone arrive later as app state', async () => {
    const upserted = event(client.sock, 'contacts.upsert', ([contact]) => contact?.id === jid(cleo));
    network.world.contacts.save(handset(ada), { phone: cleo, firstName: 'Cleo', fullName: 'Cleo Marsh' });
    expect((await upserted)[0]).toMatchObject({ name: 'Cleo Marsh' });
  });

  it('of a client are in the address book of its phone, and can be removed', async () => {
    await client.sock.addOrEditContact(jid(unregistered), { fullName: 'No Body', firstName: 'No' });
    expect(network.world.contacts.list(ada)).toContainEqual(
      expect.objectContaining({ phone: unregistered, fullName: 'No Body', firstName: 'No' }),
    );
    await client.sock.removeContact(jid(unregistered));
    expect(network.world.contacts.list(ada).map(({ phone }) => phone)).not.toContain(unregistered);
    await client.sock.addOrEditContact(jid(unregistered), { fullName: 'Some Body', firstName: 'Some' });
    expect(network.world.contacts.list(ada).map(({ fullName }) => fullName)).toContain('Some Body');
  });
});

describe('the directory', () => {
  it('reports which numbers are on the network', async () => {
    expect(await client.sock.onWhatsApp(ben, unregistered)).toEqual([{ jid: jid(ben), exists: true }]);
  });

  it('finds a number in its other spelling, and names and reaches the account under its own only', async () => {
    const [own, other] = ['5215512345678', '525512345678'];
    const { lid } = network.world.phones.create(own, { name: 'Luz', otherSpelling: other });
    expect(await client.sock.onWhatsApp(`+${other}`)).toEqual([{ jid: jid(own), exists: true }]);

    expect(await client.sock.getUSyncDevices([jid(other)], false, false)).toEqual([]);
    expect(await client.sock.getUSyncDevices([jid(own)], false, false)).toMatchObject([{ user: own }]);
    const lost = await client.sock.sendMessage(jid(other), { text: 'Hello' });
    const found = await client.sock.sendMessage(`${lid}@lid`, { text: 'Hello again' });
    await vi.waitFor(() =>
      expect(network.world.messages.seenBy(own).map(({ id }) => id)).toEqual([found?.key.id]),
    );
    expect(network.world.messages.seenBy(own).map(({ id }) => id)).not.toContain(lost?.key.id);
  });

  it('names people by their hidden address first, where the client asks so', async () => {
    const answer = await client.sock.query({
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
      content: [
        {
          tag: 'usync',
          attrs: {
            sid: '1',
            mode: 'query',
            last: 'true',
            index: '0',
            context: 'interactive',
            addressing_mode: 'lid',
          },
          content: [
            { tag: 'query', attrs: {}, content: [{ tag: 'contact', attrs: {} }] },
            {
              tag: 'list',
              attrs: {},
              content: [
                { tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs: {}, content: `+${ben}@c.us` }] },
              ],
            },
          ],
        },
      ],
    });
    const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list');
    const user = getBinaryNodeChild(list, 'user');
    const { lid } = network.world.phones.get(ben);
    expect(user?.attrs).toEqual({ jid: `${lid}@lid`, pn_jid: jid(ben) });
    const contact = getBinaryNodeChild(user, 'contact');
    expect(contact?.attrs).toEqual({ type: 'in' });
    expect(String(contact?.content)).toBe(`+${ben}@c.us`);
  });

  it('reports About texts, and sets the own one', async () => {
    await client.sock.updateProfileStatus('reading');
    expect(network.world.phones.get(ada).about).toBe('reading');
    const [seen] = (await client.sock.fetchStatus(jid(ada))) ?? [];
    expect(seen).toMatchObject({ status: { status: 'reading' } });
  });
});

describe('the blocklist', () => {
  it('is changed and read by LIDs', async () => {
    await client.sock.updateBlockStatus(jid(ben), 'block');
    expect(await client.sock.fetchBlocklist()).toEqual([`${network.world.phones.get(ben).lid}@lid`]);
    await client.sock.updateBlockStatus(jid(ben), 'unblock');
    expect(await client.sock.fetchBlocklist()).toEqual([]);
  });
});

describe('presence', () => {
  it('of a contact comes after subscribing', async () => {
    network.world.messages.send(handset(ben), { id: 'P1', to: ada, content: { type: 'text', text: 'hi' } });
    await event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === 'P1');
    await client.sock.presenceSubscribe(jid(ben));
    const online = event(client.sock, 'presence.update', ({ presences }) =>
      Object.values(presences).some(({ lastKnownPresence }) => lastKnownPresence === 'available'),
    );
    await vi.waitFor(() => {
      network.world.presence.set(handset(ben), { online: false });
      network.world.presence.set(handset(ben), { online: true });
    });
    expect((await online).id).toBe(jid(ben));
  });

  it('shows who types, and what kind, both ways', async () => {
    const typing = event(client.sock, 'presence.update', ({ presences }) =>
      Object.values(presences).some(({ lastKnownPresence }) => lastKnownPresence === 'recording'),
    );
    network.world.presence.typing(handset(ben), ada, { typing: true, media: 'audio' });
    expect((await typing).id).toBe(jid(ben));
    await client.sock.sendPresenceUpdate('composing', jid(ben));
    await vi.waitFor(() => expect(network.world.presence.typingTo(ben)).toHaveLength(1));
    await client.sock.sendPresenceUpdate('paused', jid(ben));
    await vi.waitFor(() => expect(network.world.presence.typingTo(ben)).toHaveLength(0));
  });
});

describe('calls', () => {
  it('ring on a client, which can reject them', async () => {
    const ringing = event(client.sock, 'call', ([call]) => call?.status === 'offer');
    const { id } = network.world.calls.offer(handset(ben), ada, { video: true });
    const [call] = await ringing;
    expect(call).toMatchObject({ id, from: jid(ben), isVideo: true });
    await client.sock.rejectCall(id, call?.from ?? '');
    expect(network.world.calls.of(ben)[0]).toMatchObject({ id, state: 'rejected' });
  });

  it('end on a client when the caller hangs up', async () => {
    const ended = event(client.sock, 'call', ([call]) => call?.status === 'terminate');
    const { id } = network.world.calls.offer(handset(ben), ada, { video: false });
    network.world.calls.terminate(handset(ben), id);
    expect((await ended)[0]?.id).toBe(id);
  });
});
