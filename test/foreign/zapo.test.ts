import { createHash, randomBytes } from 'node:crypto';
import { readPictureHeader } from '@parley/codecs';
import { box, greyPng, RED_VIDEO, VOICE } from '@parley/codecs/testing';
import type { Group } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WaMediaCrypto } from 'zapo-js/media';
import { proto } from 'zapo-js/proto';
import { type Someone, someone, WATCHING } from '../conformance/numbers.ts';
import { shownOn } from '../conformance/sends.ts';
import { sharedGateway } from '../conformance/shared-gateway.ts';
import { createWebhookHarness } from '../conformance/webhook-harness.ts';
import { type ForeignClient, linkForeignClient, type SentContent } from './client.ts';

/** The gateway's number exchanges messages with zapo-js, a client of the same network that shares no code with it. */
const gateway = sharedGateway();
const { me, receiver, send } = await createWebhookHarness(gateway);
const bob = await someone(gateway, { name: 'Bob' });
const { lid: myLid } = await gateway.sandbox<Someone>('GET', `/phones/${me.phone}`);
let client: ForeignClient;

beforeAll(async () => {
  client = await linkForeignClient(gateway, bob);
});
afterAll(async () => {
  await client?.close();
  receiver.close();
});

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(3_000, 7)]);
const { ProtocolMessage } = proto.Message;

const receivedHere = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);
const receivedThere = (id: string, at: ForeignClient = client) =>
  at.next('message', ({ stanzaId, message }) => stanzaId === id && message != null);

/** Bob's client writes, by default to the person of the number: by LID, as the network requires. */
async function bobSends(content: SentContent, to = myLid): Promise<string> {
  const { id } = await client.client.sendMessage(to, content);
  return id;
}

test('pairs by code as well as by QR', async () => {
  const eve = await someone(gateway, { name: 'Eve' });
  const other = await linkForeignClient(gateway, eve, 'code');
  expect(other.client.getCredentials()?.meJid).toMatch(new RegExp(`^${eve.phone}:\\d+@s\\.whatsapp\\.net$`));
  await other.close();
});

describe('from the gateway', () => {
  test('a text arrives, and its receipts come back', async () => {
    const { id } = await send({ to: bob.phone, text: 'Good morning' });
    const { message, rawNode } = await receivedThere(id);
    expect(message?.conversation ?? message?.extendedTextMessage?.text).toBe('Good morning');
    await client.client.sendReceipt({ to: rawNode.attrs.from ?? '', id, type: 'read' });
    const read = await receiver.next(
      'receipt',
      ({ network_message_id, receipt_type }) => network_message_id === id && receipt_type === 'read',
    );
    expect(read.event.recipient_jid).toBe(bob.jid);
  });

  test('a reaction, an edit and a deletion have the id of their message', async () => {
    const { id } = await send({ to: bob.phone, text: 'Firt' });
    await receivedThere(id);
    const reaction = await send({ to: bob.phone, type: 'reaction', reacted_message_id: id, emoji: '👍' });
    expect((await receivedThere(reaction.id)).message?.reactionMessage).toMatchObject({
      text: '👍',
      key: { id },
    });
    const edit = await send({ to: bob.phone, type: 'edit', edit_message_id: id, text: 'First' });
    const edited = (await receivedThere(edit.id)).message;
    expect(edited?.protocolMessage ?? edited?.editedMessage?.message?.protocolMessage).toMatchObject({
      type: ProtocolMessage.Type.MESSAGE_EDIT,
      key: { id },
    });
    const deletion = await send({
      to: bob.phone,
      type: 'revoke',
      revoked_message_id: id,
      revoked_from_me: true,
    });
    expect((await receivedThere(deletion.id)).message?.protocolMessage).toMatchObject({
      type: ProtocolMessage.Type.REVOKE,
      key: { id },
    });
  });

  test('a picture can be downloaded', async () => {
    receiver.files.set('/cat.jpg', JPEG);
    const { id } = await send({ to: bob.phone, media_type: 'image', media_url: `${receiver.url}/cat.jpg` });
    const image = (await receivedThere(id)).message?.imageMessage;
    const bytes = await client.client.mediaTransfer.downloadAndDecrypt({
      mediaType: 'image',
      url: image?.url ?? '',
      mediaKey: image?.mediaKey ?? Buffer.alloc(0),
      fileSha256: image?.fileSha256 ?? Buffer.alloc(0),
      fileEncSha256: image?.fileEncSha256 ?? Buffer.alloc(0),
    });
    expect(Buffer.from(bytes)).toEqual(JPEG);
  });

  test('a picture has its size and a thumbnail', async () => {
    receiver.files.set('/cat.png', greyPng(300, 200));
    const { id } = await send({ to: bob.phone, media_type: 'image', media_url: `${receiver.url}/cat.png` });
    const image = (await receivedThere(id)).message?.imageMessage;
    expect(image).toMatchObject({ width: 300, height: 200 });
    expect(readPictureHeader(image?.jpegThumbnail ?? Buffer.alloc(0))).toMatchObject({
      width: 100,
      height: 67,
    });
  });

  test('a video has its traits, and the MACs by which it is played while it is downloaded', async () => {
    // Its end is noise that no player reads, so that there are several parts.
    const bytes = Buffer.concat([RED_VIDEO, box('free', randomBytes(200_000))]);
    receiver.files.set('/red.mp4', bytes);
    const { id } = await send({ to: bob.phone, media_type: 'video', media_url: `${receiver.url}/red.mp4` });
    const video = (await receivedThere(id)).message?.videoMessage;
    expect(video).toMatchObject({ seconds: 2, width: 64, height: 36 });
    expect(readPictureHeader(video?.jpegThumbnail ?? Buffer.alloc(0))).toMatchObject({
      width: 64,
      height: 36,
    });
    const expected = await WaMediaCrypto.encryptBytes('video', video?.mediaKey ?? Buffer.alloc(0), bytes);
    expect(Buffer.from(video?.streamingSidecar ?? [])).toEqual(Buffer.from(expected.streamingSidecar ?? []));
    expect(video?.streamingSidecar).toHaveLength(40);
  });

  test('a voice message has its seconds and its waveform', async () => {
    receiver.files.set('/voice.ogg', VOICE);
    const { id } = await send({ to: bob.phone, media_type: 'audio', media_url: `${receiver.url}/voice.ogg` });
    const audio = (await receivedThere(id)).message?.audioMessage;
    expect(audio).toMatchObject({ seconds: 2, ptt: true });
    expect(audio?.waveform).toHaveLength(64);
    const expected = await WaMediaCrypto.encryptBytes('audio', audio?.mediaKey ?? Buffer.alloc(0), VOICE);
    expect(Buffer.from(audio?.streamingSidecar ?? [])).toEqual(Buffer.from(expected.streamingSidecar ?? []));
  });

  test('a message arrives at each linked device of a person', async () => {
    const second = await linkForeignClient(gateway, bob);
    const { id } = await send({ to: bob.phone, text: 'To both' });
    const received = await Promise.all([receivedThere(id), receivedThere(id, second)]);
    expect(
      received.map(({ message }) => message?.conversation ?? message?.extendedTextMessage?.text),
    ).toEqual(['To both', 'To both']);
    const devices = [client, second].map((each) => each.client.getCredentials()?.meJid);
    for (const device of devices)
      expect(device).toMatch(new RegExp(`^${bob.phone}:\\d+@s\\.whatsapp\\.net$`));
    expect(new Set(devices).size).toBe(2);
    await second.close();
  });

  test('an undecryptable message is sent again', async () => {
    await bobSends('We know each other');
    await client.loseSessions();
    const { id } = await send({ to: bob.phone, text: 'Once more' });
    const { message } = await receivedThere(id);
    expect(message?.conversation ?? message?.extendedTextMessage?.text).toBe('Once more');
    expect(client.seen('message').filter((event) => event.stanzaId === id && event.message)).toHaveLength(1);
  });
});

describe('to the gateway', () => {
  test('a text arrives, and its receipt comes back', async () => {
    const id = await bobSends('Good evening');
    expect((await receivedHere(id)).event).toMatchObject({
      sender_jid: bob.jid,
      sender_phone: bob.jid,
      chat_jid: bob.jid,
      type: 'text',
      text: 'Good evening',
    });
    await client.next('message_receipt', ({ stanzaId }) => stanzaId === id);
    // His own phone has it too, by its own copy.
    expect(await shownOn(gateway, bob, id)).toMatchObject({ from_me: true, text: 'Good evening' });
  });

  test('a reaction and a picture arrive', async () => {
    const { id } = await send({ to: bob.phone, text: 'Do you like it?' });
    await receivedThere(id);
    const key = { remoteJid: me.jid, fromMe: false, id };
    const reaction = await bobSends({ reactionMessage: { key, text: '❤️' } });
    expect((await receivedHere(reaction)).event).toMatchObject({
      type: 'reaction',
      text: '❤️',
      reacted_message_id: id,
    });
    const picture = await bobSends({ type: 'image', media: JPEG, mimetype: 'image/jpeg', caption: 'Look' });
    expect((await receivedHere(picture)).event).toMatchObject({
      type: 'image',
      text: 'Look',
      media: { data: JPEG.toString('base64'), status: 'downloaded' },
    });
  });

  test('an edit and a deletion change the message on the phones', async () => {
    const id = await bobSends('Firt');
    await receivedHere(id);
    const key = { remoteJid: me.jid, fromMe: true, id };
    const { MESSAGE_EDIT, REVOKE } = ProtocolMessage.Type;
    const editedMessage = { conversation: 'First' };
    await bobSends({ protocolMessage: { type: MESSAGE_EDIT, key, editedMessage } });
    await vi.waitFor(async () => {
      expect(await shownOn(gateway, me, id)).toMatchObject({ text: 'First', edited: true });
    }, WATCHING);
    await bobSends({ protocolMessage: { type: REVOKE, key } });
    await vi.waitFor(async () => {
      expect(await shownOn(gateway, me, id)).toMatchObject({ text: '', revoked: true });
    }, WATCHING);
  });

  test('a poll arrives with its options, and is answered by a vote of the number’s own phone', async () => {
    const messageSecret = randomBytes(32);
    const id = await bobSends({
      pollCreationMessageV3: {
        name: 'Cake?',
        options: [{ optionName: 'now' }, { optionName: 'later' }],
        selectableOptionsCount: 1,
      },
      messageContextInfo: { messageSecret },
    });
    expect((await receivedHere(id)).event).toMatchObject({
      type: 'poll',
      sender_jid: bob.jid,
      poll: { name: 'Cake?', options: ['now', 'later'] },
    });
    await gateway.sandbox('POST', `/phones/${me.phone}/votes`, { poll_message_id: id, options: ['later'] });
    const vote = await client.next(
      'message',
      ({ message }) => message?.pollUpdateMessage?.pollCreationMessageKey?.id === id,
    );
    expect(await client.readVote(vote, messageSecret)).toEqual([
      createHash('sha256').update('later').digest('hex'),
    ]);
  });

  test('a vote in a poll of the gateway is decrypted', async () => {
    const { id } = await send({
      to: bob.phone,
      type: 'poll',
      poll_name: 'Tea?',
      poll_options: ['yes', 'no'],
      poll_selectable_count: 1,
    });
    const poll = await receivedThere(id);
    await client.vote(poll, 'yes', myLid);
    const vote = await receiver.next('poll_vote', ({ poll_message_id }) => poll_message_id === id);
    expect(vote.event).toMatchObject({
      voter_jid: bob.jid,
      selected_hashes: [createHash('sha256').update('yes').digest('hex')],
    });
  });
});

describe('in a group', () => {
  test("only an admin deletes another member's message, with the client or with the gateway", async () => {
    const { body: group } = await me.on<Group>('POST', '/groups', { name: 'Rules', participants: [bob.jid] });
    const { id: mine } = await send({ to: group.jid, text: 'Of the number' });
    await receivedThere(mine);
    const key = { remoteJid: group.jid, fromMe: false, id: mine, participant: myLid };
    const forge = (about: proto.IMessageKey, subtype?: string) => {
      const forged = { protocolMessage: { type: ProtocolMessage.Type.REVOKE, key: about } };
      return client.client.sendMessage(group.jid, forged, { subtype });
    };
    expect((await forge(key, 'admin_revoke')).ack.error).toBe(403);
    // Disguised as one of his own it is carried, and every phone ignores it.
    const disguised = [await forge(key), await forge({ remoteJid: group.jid, fromMe: true, id: mine })];
    await receivedHere(await bobSends('Nothing has happened', group.jid));
    for (const { id } of disguised)
      expect(
        receiver.deliveries.some(({ event }) => event.kind === 'message' && event.message_id === id),
      ).toBe(false);
    expect(await shownOn(gateway, bob, mine)).toMatchObject({ revoked: false, text: 'Of the number' });

    const his = await bobSends('Of Bob', group.jid);
    await receivedHere(his);
    const deletion = { to: group.jid, type: 'revoke', revoked_message_id: his, revoked_participant: bob.jid };
    const { id } = await send(deletion);
    expect((await receivedThere(id)).message?.protocolMessage).toMatchObject({ key: { id: his } });
    expect(await shownOn(gateway, bob, his)).toMatchObject({ revoked: true, text: '' });

    await me.on('POST', `/groups/${group.jid}/participants`, { action: 'promote', participants: [bob.jid] });
    // An admin may, whatever the unencrypted part says.
    const { id: byAdmin } = await forge(key);
    expect((await receivedHere(byAdmin)).event).toMatchObject({ revoked_message_id: mine });
  });

  test('both decrypt each other’s messages by sender keys', async () => {
    const { body: group } = await me.on<Group>('POST', '/groups', { name: 'Tea', participants: [bob.jid] });
    const there = await send({ to: group.jid, text: 'Welcome' });
    const welcome = (await receivedThere(there.id)).message;
    expect(welcome?.conversation ?? welcome?.extendedTextMessage?.text).toBe('Welcome');
    for (const text of ['Thank you', 'Nice here']) {
      const here = await bobSends(text, group.jid);
      expect((await receivedHere(here)).event).toMatchObject({
        is_group: true,
        chat_jid: group.jid,
        sender_phone: bob.jid,
        text,
      });
    }
  });
});
