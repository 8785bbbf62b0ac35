import { isGroup, operations, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { Static } from 'typebox';
import { ApiError } from '#kernel';
import type { CompatEndpoint } from '#platform/http';
import { addressOf, jidOf, SMALL_BODY_BYTES } from '../fields.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { EditBody, RevokeBody } from '../message/bodies.ts';
import { send, showTyping } from '../message/endpoints.ts';
import { badRequest, invalid, stopWhenLeft } from '../refusals.ts';
import {
  BlockBody,
  ChatBody,
  NUMBERS_MAX,
  NumberBody,
  NumbersBody,
  OptionalNumberBody,
  PresenceBody,
  ProfileNameBody,
  ProfilePictureBody,
  ProfileStatusBody,
  ReadBody,
} from './bodies.ts';
import { keptEndpoints } from './kept.ts';

const NUMBERS_AT_ONCE = 50;

const onMessages = { permission: 'messages', bodyMaxBytes: REQUEST_BODY_MAX_BYTES } as const;
const onContacts = { permission: 'contacts', bodyMaxBytes: SMALL_BODY_BYTES } as const;

export function chatEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [...keptEndpoints(context), ...conversationEndpoints(context), ...peopleEndpoints(context)];
}

function conversationEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/chat/sendPresence'],
      async (call) => {
        const { presence, number, delay } = call.body;
        const to = addressOf(number);
        if (presence === 'paused')
          await call.invoke(operations.setTyping, { params: paramsOf(call), body: { to, typing: false } });
        else if (delay === undefined) throw invalid('instance requires property "delay"');
        else await showTyping(context, call, to, delay);
        return { status: 201, body: { presence } };
      },
      { permission: 'sessions', input: { body: PresenceBody }, bodyMaxBytes: SMALL_BODY_BYTES },
    ),
    onInstance(
      context,
      ['POST', '/chat/markMessageAsRead'],
      async (call) => {
        await markRead(call, call.body);
        return { status: 201, body: { message: 'Read messages', read: 'success' } };
      },
      { ...onMessages, input: { body: ReadBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/markChatUnread'],
      async (call) => {
        const jid = chatOf(call.body);
        await call.invoke(operations.markChatUnread, { params: { ...paramsOf(call), jid } });
        return { status: 201, body: { chatId: jid, markedChatUnread: true } };
      },
      { ...onMessages, input: { body: ChatBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/archiveChat'],
      async (call) => {
        const on = call.body.archive ?? false;
        const jid = chatOf(call.body);
        await call.invoke(operations.archiveChat, { params: { ...paramsOf(call), jid }, body: { on } });
        return { status: 201, body: { chatId: jid, archived: true } };
      },
      { ...onMessages, input: { body: ChatBody } },
    ),
    onInstance(
      context,
      ['DELETE', '/chat/deleteMessageForEveryone'],
      async (call) => {
        const { id, remoteJid, fromMe = false, participant } = call.body;
        const sent = {
          type: 'revoke',
          revoked_message_id: id,
          revoked_from_me: fromMe,
          ...(participant && { revoked_participant: jidOf(participant) }),
        };
        const said = { type: 'other', revoked_message_id: id } as const;
        const to = jidOf(remoteJid);
        const body = await send(context, call, { fields: {}, translated: { send: sent, said }, to });
        const message = { protocolMessage: { key: { remoteJid: to, fromMe, id }, type: 'REVOKE' } };
        return { status: 201, body: { ...body, message, messageType: 'protocolMessage' } };
      },
      { ...onMessages, input: { body: RevokeBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/updateMessage'],
      async (call) => {
        const { key, text, number } = call.body;
        const sent = { type: 'edit', edit_message_id: key.id, text };
        const said = { type: 'other', text, edited_message_id: key.id } as const;
        const translated = { send: sent, said };
        return { body: await send(context, call, { fields: {}, translated, to: addressOf(number) }) };
      },
      { ...onMessages, input: { body: EditBody } },
    ),
  ];
}

function peopleEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/chat/whatsappNumbers'],
      async (call) => ({ body: await lookUp(call, call.body.numbers) }),
      {
        ...onContacts,
        input: { body: NumbersBody },
        bodyMaxBytes: 2 * SMALL_BODY_BYTES,
        pageMax: NUMBERS_MAX,
      },
    ),
    onInstance(
      context,
      ['POST', '/chat/fetchProfilePictureUrl'],
      async (call) => {
        const wuid = jidOf(call.body.number);
        return { body: { wuid, profilePictureUrl: await pictureOf(call, wuid) } };
      },
      { ...onContacts, input: { body: NumberBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/fetchProfile'],
      async (call) => {
        const { number } = call.body;
        const wuid = number ? jidOf(number) : sessionOf(call.instance);
        const info = await call.invoke(operations.getContact, { params: { ...paramsOf(call), jid: wuid } });
        return {
          body: {
            wuid,
            name: info.verified_name ?? null,
            numberExists: true,
            picture: await pictureOf(call, wuid),
            status: info.status,
            isBusiness: info.verified_name !== undefined,
          },
        };
      },
      { ...onContacts, input: { body: OptionalNumberBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/fetchBusinessProfile'],
      async (call) => {
        const { number } = call.body;
        const wid = jidOf(number);
        const info = await call.invoke(operations.getContact, { params: { ...paramsOf(call), jid: wid } });
        if (info.verified_name !== undefined)
          return { body: { isBusiness: true, wid, name: info.verified_name } };
        const person = { jid: wid, exists: true, number: userOf(number), name: '' };
        return { body: { isBusiness: false, message: 'Not is business profile', ...person } };
      },
      { ...onContacts, input: { body: NumberBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/updateBlockStatus'],
      async (call) => {
        const { status: action, number } = call.body;
        const body = { jid: jidOf(number), action };
        await call.invoke(operations.changeBlocklist, { params: paramsOf(call), body });
        return { status: 201, body: { block: 'success' } };
      },
      { ...onContacts, input: { body: BlockBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/updateProfileStatus'],
      async (call) => {
        const { status } = call.body;
        await call.invoke(operations.setProfileStatus, { params: paramsOf(call), body: { status } });
        return { body: { update: 'success' } };
      },
      { ...onContacts, input: { body: ProfileStatusBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/updateProfileName'],
      async (call) => {
        const { name } = call.body;
        await call.invoke(operations.setProfileName, { params: paramsOf(call), body: { name } });
        return { body: { update: 'success' } };
      },
      { ...onContacts, input: { body: ProfileNameBody } },
    ),
    onInstance(
      context,
      ['POST', '/chat/updateProfilePicture'],
      async (call) => {
        const { picture: image_url } = call.body;
        await call.invoke(operations.setProfilePhoto, { params: paramsOf(call), body: { image_url } });
        return { body: { update: 'success' } };
      },
      { ...onContacts, input: { body: ProfilePictureBody } },
    ),
    onInstance(
      context,
      ['DELETE', '/chat/removeProfilePicture'],
      async (call) => {
        await call.invoke(operations.setProfilePhoto, { params: paramsOf(call), body: { image_url: '' } });
        return { body: { update: 'success' } };
      },
      { ...onContacts, input: {} },
    ),
  ];
}

function paramsOf({ instance }: InstanceCall): { id: string } {
  return { id: sessionOf(instance) };
}

function chatOf({ chat, lastMessage }: Static<typeof ChatBody>): string {
  const jid = chat ?? lastMessage?.key?.remoteJid;
  if (jid === undefined) throw badRequest('chat is required');
  return jidOf(jid);
}

/** Sends read receipts to the senders and to the owner's other devices. A group message without its sender is only marked on the latter. */
async function markRead(call: InstanceCall, { readMessages }: Static<typeof ReadBody>): Promise<void> {
  const messages = readMessages.map((key) => ({ ...key, jid: jidOf(key.remoteJid) }));
  for (const { jid, id, fromMe, participant } of messages) {
    if (!id || fromMe || (isGroup(jid) && participant === undefined)) continue;
    stopWhenLeft(call);
    const params = { ...paramsOf(call), jid, message_id: id };
    await call.invoke(operations.tellMessageRead, {
      params,
      body: participant === undefined ? {} : { participant: jidOf(participant) },
    });
  }
  for (const jid of new Set(messages.map((message) => message.jid))) {
    stopWhenLeft(call);
    await call.invoke(operations.markChatRead, { params: { ...paramsOf(call), jid } });
  }
}

const UNKNOWN_PERSON = /@(?:g\.us|broadcast|newsletter|lid)$/;

async function lookUp(call: InstanceCall, written: readonly string[]): Promise<object[]> {
  const people = written.filter((each) => !UNKNOWN_PERSON.test(each));
  const others = written.filter((each) => UNKNOWN_PERSON.test(each));
  const found: object[] = others.map((jid) => ({ jid, exists: true, number: jid }));
  for (let at = 0; at < people.length; at += NUMBERS_AT_ONCE) {
    stopWhenLeft(call);
    const numbers = people.slice(at, at + NUMBERS_AT_ONCE).map((each) => userOf(addressOf(each)));
    const { results } = await call.invoke(operations.validateNumbers, {
      params: paramsOf(call),
      body: { numbers },
    });
    for (const [place, number] of numbers.entries()) {
      const result = results[place];
      const exists = result?.on_messenger ?? false;
      found.push({ jid: result?.jid ?? jidOf(number), exists, number, name: '' });
    }
  }
  return found;
}

/** Part of an address before the `@`. */
function userOf(address: string): string {
  return address.split('@', 1)[0] ?? address;
}

/** Null when the phone number is absent or hidden. */
export async function pictureOf(call: InstanceCall, jid: string): Promise<string | null> {
  try {
    const params = { ...paramsOf(call), jid };
    const { picture } = await call.invoke(operations.getContactPhoto, { params });
    return picture.has_picture ? picture.url : null;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  }
}
