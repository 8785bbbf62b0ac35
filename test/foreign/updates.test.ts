import { createHash, randomBytes } from 'node:crypto';
import type { Group } from '@parley/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { proto } from 'zapo-js/proto';
import { type Someone, someone, WATCHING } from '../conformance/numbers.ts';
import { shownOn } from '../conformance/sends.ts';
import { sharedGateway } from '../conformance/shared-gateway.ts';
import { createWebhookHarness } from '../conformance/webhook-harness.ts';
import { type AboutMessage, type ForeignClient, linkForeignClient, type UpdateKind } from './client.ts';

/** Updates that are encrypted under the secret of their message, written and read by code that the gateway does not share. */
const gateway = sharedGateway();
const { me, receiver, send } = await createWebhookHarness(gateway);
const bob = await someone(gateway, { name: 'Bob' });
const { lid: myLid } = await gateway.sandbox<Someone>('GET', `/phones/${me.phone}`);
const secret = randomBytes(32);
let client: ForeignClient;

beforeAll(async () => {
  client = await linkForeignClient(gateway, bob);
  // The network lets people answer who are written to.
  const { id } = await send({ to: bob.phone, text: 'Hello' });
  await client.next('message', ({ stanzaId }) => stanzaId === id);
});
afterAll(async () => {
  await client?.close();
  receiver.close();
});

const { SecretEncType } = proto.Message.SecretEncryptedMessage;
const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

const receivedHere = (id: string) => receiver.next('message', ({ message_id }) => message_id === id);

async function bobSends(content: proto.IMessage, to: string): Promise<string> {
  const { id } = await client.client.sendMessage(to, content);
  return id;
}

/** A message of Bob under the secret. */
async function bobWrites(content: proto.IMessage, to = myLid): Promise<AboutMessage> {
  const id = await bobSends({ ...content, messageContextInfo: { messageSecret: secret } }, to);
  await receivedHere(id);
  return { id, author: bob.lid, secret };
}

/** Bob's client updates a message in the form of today's phones; resolves to the event. */
async function bobUpdates(
  about: AboutMessage,
  [secretEncType, kind]: readonly [number, UpdateKind],
  payload: proto.IMessage,
  to = myLid,
) {
  const targetMessageKey = { remoteJid: to, fromMe: about.author === bob.lid, id: about.id };
  const sealed = await client.seal(about, kind, proto.Message.encode(payload).finish());
  const id = await bobSends({ secretEncryptedMessage: { targetMessageKey, secretEncType, ...sealed } }, to);
  return (await receivedHere(id)).event;
}

const EDIT = [SecretEncType.MESSAGE_EDIT, 'Message Edit'] as const;
const edited = (editedMessage: proto.IMessage): proto.IMessage => ({
  protocolMessage: { type: MESSAGE_EDIT, editedMessage },
});

test('an edit of the client has the new text: in the event, in the kept conversation, on the phone', async () => {
  expect(await me.on('PUT', '/history', { enabled: true, days: 90 })).toMatchObject({ status: 200 });
  const about = await bobWrites({ conversation: 'Firt' });
  expect(await bobUpdates(about, EDIT, edited({ conversation: 'First' }))).toMatchObject({
    type: 'other',
    text: 'First',
    edited_message_id: about.id,
    sender_jid: bob.jid,
  });
  await vi.waitFor(async () => {
    const { body } = await me.on('GET', `/messages/${about.id}`);
    expect(body).toMatchObject({ text: 'First', edited_at_unix: expect.any(Number) });
  }, WATCHING);
  expect(await shownOn(gateway, me, about.id)).toMatchObject({ text: 'First', edited: true });
});

test('an edit of the number’s phone can be read by the client', async () => {
  const phone = `/phones/${me.phone}/messages`;
  const sent = await gateway.sandbox<{ message_id: string }>('POST', phone, { to: bob.phone, text: 'Owm' });
  const original = await client.next('message', ({ stanzaId }) => stanzaId === sent.message_id);
  const edit = { to: bob.phone, type: 'edit', edit_message_id: sent.message_id, text: 'Own' };
  const { message_id } = await gateway.sandbox<{ message_id: string }>('POST', phone, edit);
  const { message, senderJid = '' } = await client.next('message', ({ stanzaId }) => stanzaId === message_id);
  const key = original.message?.messageContextInfo?.messageSecret ?? Buffer.alloc(0);
  const author = senderJid.replace(/:\d+@/, '@');
  const update = message?.secretEncryptedMessage ?? {};
  const about = { id: update.targetMessageKey?.id ?? '', author, secret: key };
  const { encIv, encPayload } = update;
  const opened = await client.open(about, 'Message Edit', author, {
    ...(encIv && { encIv }),
    ...(encPayload && { encPayload }),
  });
  expect(proto.Message.decode(opened).protocolMessage).toMatchObject({
    type: MESSAGE_EDIT,
    editedMessage: { conversation: 'Own' },
  });
});

test('an edit of another person’s message is not accepted, in either form', async () => {
  const { body: group } = await me.on<Group>('POST', '/groups', { name: 'Rules', participants: [bob.jid] });
  const { id } = await send({ to: group.jid, text: 'Of the number' });
  const { message } = await client.next('message', ({ stanzaId }) => stanzaId === id);
  // Every member of the group has its secret.
  const stolen = message?.messageContextInfo?.messageSecret ?? Buffer.alloc(0);
  expect(stolen).toHaveLength(32);
  for (const author of [myLid, bob.lid]) {
    const about = { id, author, secret: stolen };
    const event = await bobUpdates(about, EDIT, edited({ conversation: 'Forged' }), group.jid);
    expect(event).toMatchObject({ text: '', unreadable_update: { update: 'edit', message_id: id } });
    expect(event).not.toHaveProperty('edited_message_id');
  }
  const key = { remoteJid: group.jid, fromMe: true, id };
  const plain = { protocolMessage: { type: MESSAGE_EDIT, key, editedMessage: { conversation: 'Forged' } } };
  const forged = await bobSends(plain, group.jid);
  await receivedHere(await bobSends({ conversation: 'Nothing has happened' }, group.jid));
  const messages = receiver.deliveries.flatMap(({ event }) => (event.kind === 'message' ? [event] : []));
  expect(messages.some(({ message_id }) => message_id === forged)).toBe(false);
  expect(await shownOn(gateway, me, id)).toMatchObject({ text: 'Of the number', edited: false });
});

test('a reaction is a reaction, and a comment a reply', async () => {
  const about = await bobWrites({ conversation: 'Announcement' });
  const targetMessageKey = { remoteJid: myLid, fromMe: true, id: about.id };
  const reaction = proto.Message.ReactionMessage.encode({ text: '🎉', senderTimestampMs: 1 }).finish();
  const liked = await bobSends(
    { encReactionMessage: { targetMessageKey, ...(await client.seal(about, 'Enc Reaction', reaction)) } },
    myLid,
  );
  expect((await receivedHere(liked)).event).toMatchObject({
    type: 'reaction',
    text: '🎉',
    reacted_message_id: about.id,
  });
  const comment = proto.Message.encode({ extendedTextMessage: { text: 'Well said' } }).finish();
  const said = await bobSends(
    { encCommentMessage: { targetMessageKey, ...(await client.seal(about, 'Enc Comment', comment)) } },
    myLid,
  );
  expect((await receivedHere(said)).event).toMatchObject({
    type: 'text',
    text: 'Well said',
    quoted_message_id: about.id,
  });
});

test('an event is edited and answered', async () => {
  const about = await bobWrites({ eventMessage: { name: 'Tea', startTime: 1_800_000_000 } });
  const kind = [SecretEncType.EVENT_EDIT, 'Event Edit'] as const;
  expect(await bobUpdates(about, kind, edited({ eventMessage: { name: 'Cake' } }))).toMatchObject({
    type: 'other',
    text: 'Cake',
    edited_message_id: about.id,
  });
  const { MAYBE } = proto.Message.EventResponseMessage.EventResponseType;
  const payload = proto.Message.EventResponseMessage.encode({ response: MAYBE, extraGuestCount: 2 }).finish();
  const eventCreationMessageKey = { remoteJid: myLid, fromMe: true, id: about.id };
  const id = await bobSends(
    {
      encEventResponseMessage: {
        eventCreationMessageKey,
        ...(await client.seal(about, 'Event Response', payload)),
      },
    },
    myLid,
  );
  expect((await receivedHere(id)).event).toMatchObject({
    type: 'other',
    event_response: { message_id: about.id, response: 'maybe', extra_guests: 2 },
  });
});

test('a poll gets another name and another option, which votes may choose', async () => {
  const options = [{ optionName: 'now' }, { optionName: 'later' }];
  const creation = { options, selectableOptionsCount: 1 };
  const about = await bobWrites({ pollCreationMessageV3: { name: 'Cake?', ...creation } });
  const renamed = edited({ pollCreationMessageV3: { name: 'Tea?', ...creation } });
  expect(await bobUpdates(about, [SecretEncType.POLL_EDIT, 'Poll Edit'], renamed)).toMatchObject({
    type: 'poll',
    poll: { name: 'Tea?', options: ['now', 'later'], selectable_count: 1 },
    edited_message_id: about.id,
  });
  const addition = { pollAddOptionMessage: { addOption: { optionName: 'never' } } };
  expect(await bobUpdates(about, [SecretEncType.POLL_ADD_OPTION, 'Poll Add Option'], addition)).toMatchObject(
    {
      type: 'poll',
      poll: { name: 'Tea?', options: ['now', 'later', 'never'] },
      edited_message_id: about.id,
    },
  );
  const hash = createHash('sha256').update('never').digest();
  const payload = proto.Message.PollVoteMessage.encode({ selectedOptions: [hash] }).finish();
  await bobSends(
    {
      pollUpdateMessage: {
        pollCreationMessageKey: { remoteJid: myLid, fromMe: true, id: about.id },
        vote: await client.seal(about, 'Poll Vote', payload),
      },
    },
    myLid,
  );
  const vote = await receiver.next('poll_vote', ({ poll_message_id }) => poll_message_id === about.id);
  expect(vote.event).toMatchObject({ selected_options: ['never'] });
});
