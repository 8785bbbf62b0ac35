import { createHash, randomBytes } from 'node:crypto';
import { decryptPollVote, generateWAMessageFromContent, type WAMessage } from 'baileys';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, cleo, handset, text } from '../world/fixture.ts';
import type { Content } from '../world/index.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const benJid = `${ben}@s.whatsapp.net`;
const adaJid = `${ada}@s.whatsapp.net`;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

const seenByBen = (id: string) =>
  vi.waitFor(() => {
    const bubble = network.world.messages.find(ben, id);
    if (!bubble) throw new Error('not there yet');
    return bubble;
  });

async function send(
  content: Parameters<Client['sock']['sendMessage']>[1],
  options: Parameters<Client['sock']['sendMessage']>[2] = {},
): Promise<string> {
  const sent = await client.sock.sendMessage(benJid, content, options);
  return sent?.key.id ?? '';
}

async function receive(content: Content, to = ada): Promise<WAMessage> {
  const id = network.world.messages.newId();
  const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === id);
  network.world.messages.send(handset(ben), { id, to, content });
  const [message] = (await arrived).messages;
  if (!message) throw new Error('no message');
  return message;
}

describe('from a client to a phone', () => {
  it('a location', async () => {
    const id = await send({
      location: { degreesLatitude: 52.5, degreesLongitude: 13.4, name: 'Here', address: 'Street 1' },
    });
    expect((await seenByBen(id)).content).toEqual({
      type: 'location',
      latitude: 52.5,
      longitude: 13.4,
      name: 'Here',
      address: 'Street 1',
    });
  });

  it('a contact', async () => {
    const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Cleo\nEND:VCARD';
    const id = await send({ contacts: { contacts: [{ displayName: 'Cleo', vcard }] } });
    expect((await seenByBen(id)).content).toEqual({ type: 'contact', displayName: 'Cleo', vcard });
  });

  it('a reply that quotes, and a forwarded text', async () => {
    const quoted = await receive(text('the question'));
    const id = await send({ text: 'the answer' }, { quoted });
    expect((await seenByBen(id)).content).toEqual({
      type: 'text',
      text: 'the answer',
      quote: { id: quoted.key.id, sender: ben, text: 'the question' },
    });
    const forwarded = await send({ text: 'pass it on', contextInfo: { isForwarded: true } });
    expect((await seenByBen(forwarded)).content).toMatchObject({ forwarded: true });
  });

  it('a reaction, and its end', async () => {
    const { key } = await receive(text('react to me'));
    await send({ react: { text: '🙂', key } });
    const bubble = () => network.world.messages.find(ben, key.id ?? '');
    await vi.waitFor(() => expect(bubble()?.reactions).toMatchObject([{ emoji: '🙂' }]));
    await send({ react: { text: '', key } });
    await vi.waitFor(() => expect(bubble()?.reactions).toEqual([]));
  });

  it('an edit and a deletion', async () => {
    const id = await send({ text: 'helo' });
    await seenByBen(id);
    const key = { remoteJid: benJid, fromMe: true, id };
    await send({ text: 'hello', edit: key });
    await vi.waitFor(() => expect(network.world.messages.find(ben, id)?.edited?.text).toBe('hello'));
    await send({ delete: key });
    await vi.waitFor(() => expect(network.world.messages.find(ben, id)?.revoked).toBeDefined());
  });

  it('a poll, whose votes the client can read with the secret it sent', async () => {
    const secret = randomBytes(32);
    const id = await send({
      poll: { name: 'Tea?', values: ['yes', 'no'], selectableCount: 1, messageSecret: secret },
    });
    expect((await seenByBen(id)).content).toMatchObject({
      type: 'poll',
      name: 'Tea?',
      options: ['yes', 'no'],
      selectableCount: 1,
      secret: secret.toString('base64'),
    });
    const voted = event(
      client.sock,
      'messages.upsert',
      ({ messages }) => !!messages[0]?.message?.pollUpdateMessage,
    );
    network.world.messages.vote(ben, id, ['no']);
    const update = (await voted).messages[0]?.message?.pollUpdateMessage;
    expect(update?.pollCreationMessageKey).toMatchObject({ id, fromMe: true });
    const { selectedOptions } = decryptPollVote(update?.vote ?? {}, {
      pollCreatorJid: adaJid,
      pollMsgId: id,
      pollEncKey: secret,
      voterJid: benJid,
    });
    expect(selectedOptions?.map((hash) => Buffer.from(hash).toString('hex'))).toEqual([
      createHash('sha256').update('no').digest('hex'),
    ]);
  });

  it('buttons, whose press comes back', async () => {
    const buttons = [
      { name: 'quick_reply', buttonParamsJson: JSON.stringify({ display_text: 'Yes', id: 'y' }) },
      {
        name: 'cta_url',
        buttonParamsJson: JSON.stringify({ display_text: 'Open', url: 'https://parley.test' }),
      },
      {
        name: 'single_select',
        buttonParamsJson: JSON.stringify({
          title: 'Pick',
          sections: [{ title: 'All', rows: [{ id: 'r1', title: 'Row', description: 'one' }] }],
        }),
      },
    ];
    const built = generateWAMessageFromContent(
      benJid,
      {
        interactiveMessage: {
          body: { text: 'Well?' },
          footer: { text: 'foot' },
          nativeFlowMessage: { buttons },
        },
      },
      { userJid: adaJid },
    );
    const id = await client.sock.relayMessage(benJid, built.message ?? {}, {});
    expect((await seenByBen(id)).content).toEqual({
      type: 'interactive',
      body: 'Well?',
      footer: 'foot',
      buttons: [
        { type: 'quick_reply', text: 'Yes', id: 'y' },
        { type: 'cta_url', text: 'Open', url: 'https://parley.test' },
        {
          type: 'single_select',
          text: 'Pick',
          sections: [{ title: 'All', rows: [{ id: 'r1', title: 'Row', description: 'one' }] }],
        },
      ],
    });
    const pressed = event(
      client.sock,
      'messages.upsert',
      ({ messages }) => !!messages[0]?.message?.interactiveResponseMessage,
    );
    network.world.messages.pressButton(ben, id, 'y');
    const response = (await pressed).messages[0]?.message?.interactiveResponseMessage;
    expect(response?.contextInfo?.stanzaId).toBe(id);
    expect(JSON.parse(response?.nativeFlowResponseMessage?.paramsJson ?? '')).toMatchObject({ id: 'y' });
  });

  it('a disappearing timer', async () => {
    const id = await send({ disappearingMessagesInChat: 86_400 });
    expect((await seenByBen(id)).content).toEqual({ type: 'disappearing', seconds: 86_400 });
    expect((await receive(text('short-lived'))).message?.extendedTextMessage?.contextInfo?.expiration).toBe(
      86_400,
    );
    await send({ disappearingMessagesInChat: false });
  });

  it('an invite to a group', async () => {
    const { group } = network.world.groups.create(handset(ada), { name: 'Club', participants: [] });
    const groupInviteMessage = {
      groupJid: group.jid,
      inviteCode: 'CODE',
      inviteExpiration: 1,
      groupName: 'Club',
      caption: 'come',
    };
    const id = await client.sock.relayMessage(benJid, { groupInviteMessage }, {});
    expect((await seenByBen(id)).content).toEqual({
      type: 'group_invite',
      group: group.jid,
      code: 'CODE',
      name: 'Club',
      caption: 'come',
    });
  });

  it('something this network has no name for, unchanged', async () => {
    const pinned = { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: 'live' } };
    const id = await client.sock.relayMessage(benJid, pinned, {});
    expect((await seenByBen(id)).content.type).toBe('other');
  });

  it('a story, to those whom the client names', async () => {
    const sent = await client.sock.sendMessage(
      'status@broadcast',
      { text: 'my day' },
      { statusJidList: [benJid], backgroundColor: '#000000', font: 1 },
    );
    expect((await seenByBen(sent?.key.id ?? '')).chat.kind).toBe('status');
    expect(network.world.messages.find(cleo, sent?.key.id ?? '')).toBeUndefined();
  });

  it('a note to oneself', async () => {
    const sent = await client.sock.sendMessage(adaJid, { text: 'remember' });
    await vi.waitFor(() =>
      expect(network.world.messages.find(ada, sent?.key.id ?? '')?.content).toMatchObject({
        text: 'remember',
      }),
    );
  });
});

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

  it('a reply, with who was quoted', async () => {
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
    expect(edited.message?.protocolMessage).toMatchObject({
      key: { id: target },
      editedMessage: { conversation: 'final' },
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

  it('the checked name of a business', async () => {
    network.world.phones.update(handset(ben), { businessName: 'Ben & Co' });
    expect((await receive(text('we are open'))).verifiedBizName).toBe('Ben & Co');
  });
});

describe('people in LID mode', () => {
  it('write and are written to by their alternate address', async () => {
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
