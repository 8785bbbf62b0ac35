import { createHash, randomBytes } from 'node:crypto';
import { decryptPollVote, generateWAMessageFromContent } from 'baileys';
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

  it('a reaction, and its removal', async () => {
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

  it('buttons, whose answer comes back', async () => {
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

  it('unknown content, unchanged', async () => {
    const party = { eventMessage: { name: 'Party' } };
    const id = await client.sock.relayMessage(benJid, party, {});
    expect((await seenByBen(id)).content.type).toBe('other');
  });

  it('a story, to the audience that the client gives', async () => {
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
