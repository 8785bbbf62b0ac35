import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import type { Content } from '../world/index.ts';
import {
  type Client,
  event,
  receiveFrom,
  type Sending,
  seen,
  sendFrom,
  startTestNetwork,
  type TestNetwork,
} from './fixture.ts';

let network: TestNetwork;
let client: Client;
const { SecretEncType } = proto.Message.SecretEncryptedMessage;
const benJid = `${ben}@s.whatsapp.net`;
const adaJid = `${ada}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const seenByBen = (id: string) => seen(network, ben, id);
const send = (content: Sending[1], options?: Sending[2]) => sendFrom(client, benJid, content, options);
const receive = (content: Content, to = ada) => receiveFrom(network, client, handset(ben), to, content);

describe('from a phone to a client', () => {
  it('a location, a contact and an invite', async () => {
    const place = await receive({ type: 'location', latitude: 1.5, longitude: 2.5, name: 'There' });
    expect(place.message?.locationMessage).toMatchObject({
      degreesLatitude: 1.5,
      degreesLongitude: 2.5,
      name: 'There',
    });
    const card = await receive({ type: 'contact', displayName: 'Cleo', vcard: 'BEGIN:VCARD' });
    expect(card.message?.contactMessage).toMatchObject({ displayName: 'Cleo', vcard: 'BEGIN:VCARD' });
    const { group } = network.world.groups.create(handset(ben), { name: 'Club', participants: [] });
    const invite = await receive({ type: 'group_invite', group: group.jid, code: 'C', name: 'Club' });
    expect(invite.message?.groupInviteMessage).toMatchObject({ groupJid: group.jid, inviteCode: 'C' });
  });

  it('a reply, with the author of the quote', async () => {
    const id = await send({ text: 'the question' });
    await seenByBen(id);
    const reply = await receive({
      type: 'text',
      text: 'the answer',
      quote: { id, sender: ada, text: 'the question' },
    });
    expect(reply.message?.extendedTextMessage).toMatchObject({
      text: 'the answer',
      contextInfo: { stanzaId: id, participant: adaJid, quotedMessage: { conversation: 'the question' } },
    });
  });

  it('a reaction to a message of the client', async () => {
    const id = await send({ text: 'like me' });
    await seenByBen(id);
    const { message } = await receive({ type: 'reaction', target: id, emoji: '👍' });
    expect(message?.reactionMessage).toMatchObject({ text: '👍', key: { id, fromMe: true } });
  });

  it('an edit and a deletion', async () => {
    const { key } = await receive(text('draft'));
    const target = key.id ?? '';
    const edited = await receive({ type: 'edit', target, text: 'final' });
    expect(edited.message?.protocolMessage).toBeNull();
    expect(edited.message?.secretEncryptedMessage).toMatchObject({
      targetMessageKey: { id: target },
      secretEncType: SecretEncType.MESSAGE_EDIT,
    });
    network.world.phones.update(handset(ben), { edits: 'plain' });
    const plain = await receive({ type: 'edit', target, text: 'as before' });
    network.world.phones.update(handset(ben), { edits: 'encrypted' });
    expect(plain.message?.protocolMessage).toMatchObject({
      key: { id: target },
      editedMessage: { conversation: 'as before' },
    });
    const updated = event(client.sock, 'messages.update', ([update]) => update?.key.id === target);
    await receive({ type: 'revoke', target });
    expect((await updated)[0]?.update.message).toBeNull();
  });

  it('a poll with its secret', async () => {
    const secret = randomBytes(32).toString('base64');
    const { message } = await receive({
      type: 'poll',
      name: 'When?',
      options: ['a', 'b'],
      selectableCount: 0,
      secret,
    });
    expect(message?.pollCreationMessage?.options?.map(({ optionName }) => optionName)).toEqual(['a', 'b']);
    expect(Buffer.from(message?.messageContextInfo?.messageSecret ?? []).toString('base64')).toBe(secret);
  });

  it('a story', async () => {
    network.world.contacts.save(handset(ben), { phone: ada, firstName: 'Ada', fullName: 'Ada' });
    const story = await receive(text('my story'), 'status@broadcast');
    expect(story).toMatchObject({
      key: { remoteJid: 'status@broadcast', participant: benJid },
      broadcast: true,
      message: { extendedTextMessage: { text: 'my story' } },
    });
  });

  it('the verified name of a business', async () => {
    network.world.phones.update(handset(ben), { businessName: 'Ben & Co' });
    expect((await receive(text('we are open'))).verifiedBizName).toBe('Ben & Co');
  });
});

describe('people in LID mode', () => {
  it('write and are written to by their LID', async () => {
    network.world.phones.update(handset(cleo), { lidMode: true });
    const { lid } = network.world.phones.get(cleo);
    const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === 'LID1');
    network.world.messages.send(handset(cleo), { id: 'LID1', to: ada, content: text('from a LID') });
    expect((await arrived).messages[0]?.key).toMatchObject({
      remoteJid: `${lid}@lid`,
      remoteJidAlt: `${cleo}@s.whatsapp.net`,
    });
    const sent = await client.sock.sendMessage(`${lid}@lid`, { text: 'to a LID' });
    await vi.waitFor(() =>
      expect(network.world.messages.find(cleo, sent?.key.id ?? '')?.content).toMatchObject({
        text: 'to a LID',
      }),
    );
  });
});
