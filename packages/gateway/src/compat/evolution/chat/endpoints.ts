import { isGroup, operations } from '@parley/contract';
import type { ForeignEndpoint } from '#http';
import { Fault } from '#kernel';
import { addressOf, fieldsOf, flag, jidOf, list, number, optionalText, text } from '../input.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { send, showTyping } from '../message/endpoints.ts';
import { badRequest, invalid } from '../refusals.ts';
import { keptEndpoints } from './kept.ts';

const NUMBERS_AT_ONCE = 50;

export function chatEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    ...keptEndpoints(context),
    onInstance(context, ['POST', '/chat/whatsappNumbers'], async (call) => ({ body: await lookUp(call) })),
    onInstance(context, ['POST', '/chat/sendPresence'], async (call) => {
      const fields = fieldsOf(call.body);
      const presence = text(fields, 'presence');
      const to = addressOf(text(fields, 'number'));
      if (presence === 'composing' || presence === 'recording')
        await showTyping(context, call, to, number(fields, 'delay'));
      else if (presence === 'paused')
        await call.invoke(operations.setTyping, { params: paramsOf(call), body: { to, typing: false } });
      else throw invalid('presence is not one of enum values: composing,recording,paused');
      return { status: 201, body: { presence } };
    }),
    onInstance(context, ['POST', '/chat/markMessageAsRead'], async (call) => {
      await markRead(call);
      return { status: 201, body: { message: 'Read messages', read: 'success' } };
    }),
    onInstance(context, ['POST', '/chat/markChatUnread'], async (call) => {
      const jid = chatOf(call);
      await call.invoke(operations.markChatUnread, { params: { ...paramsOf(call), jid } });
      return { status: 201, body: { chatId: jid, markedChatUnread: true } };
    }),
    onInstance(context, ['POST', '/chat/archiveChat'], async (call) => {
      const on = flag(fieldsOf(call.body), 'archive') ?? false;
      const jid = chatOf(call);
      await call.invoke(operations.archiveChat, { params: { ...paramsOf(call), jid }, body: { on } });
      return { status: 201, body: { chatId: jid, archived: true } };
    }),
    onInstance(context, ['DELETE', '/chat/deleteMessageForEveryone'], async (call) => {
      const fields = fieldsOf(call.body);
      const participant = optionalText(fields, 'participant');
      const id = text(fields, 'id');
      const sent = {
        type: 'revoke',
        revoked_message_id: id,
        revoked_from_me: flag(fields, 'fromMe') ?? false,
        ...(participant && { revoked_participant: jidOf(participant) }),
      };
      const to = jidOf(text(fields, 'remoteJid'));
      const said = { type: 'other', revoked_message_id: id } as const;
      const body = await send(context, call, { fields: {}, translated: { send: sent, said }, to });
      const key = { remoteJid: to, fromMe: flag(fields, 'fromMe') ?? false, id };
      return {
        status: 201,
        body: {
          ...body,
          message: { protocolMessage: { key, type: 'REVOKE' } },
          messageType: 'protocolMessage',
        },
      };
    }),
    onInstance(context, ['POST', '/chat/updateMessage'], async (call) => {
      const fields = fieldsOf(call.body);
      const id = text(fieldsOf(fields.key), 'id');
      const words = text(fields, 'text');
      const sent = { type: 'edit', edit_message_id: id, text: words };
      const said = { type: 'other', text: words, edited_message_id: id } as const;
      const to = addressOf(text(fields, 'number'));
      return { body: await send(context, call, { fields: {}, translated: { send: sent, said }, to }) };
    }),
    onInstance(context, ['POST', '/chat/fetchProfilePictureUrl'], async (call) => {
      const wuid = jidOf(text(fieldsOf(call.body), 'number'));
      return { body: { wuid, profilePictureUrl: await pictureOf(call, wuid) } };
    }),
    onInstance(context, ['POST', '/chat/fetchProfile'], async (call) => {
      const written = optionalText(fieldsOf(call.body), 'number');
      const wuid = written === undefined ? sessionOf(call.instance) : jidOf(written);
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
    }),
    onInstance(context, ['POST', '/chat/fetchBusinessProfile'], async (call) => {
      const number = text(fieldsOf(call.body), 'number');
      const wid = jidOf(number);
      const info = await call.invoke(operations.getContact, { params: { ...paramsOf(call), jid: wid } });
      if (info.verified_name !== undefined)
        return { body: { isBusiness: true, wid, name: info.verified_name } };
      const person = { jid: wid, exists: true, number: number.replace(/@.*$/, ''), name: '' };
      return { body: { isBusiness: false, message: 'Not is business profile', ...person } };
    }),
    onInstance(context, ['POST', '/chat/updateBlockStatus'], async (call) => {
      const fields = fieldsOf(call.body);
      const action = text(fields, 'status');
      const jid = jidOf(text(fields, 'number'));
      await call.invoke(operations.changeBlocklist, { params: paramsOf(call), body: { jid, action } });
      return { status: 201, body: { block: 'success' } };
    }),
    onInstance(context, ['POST', '/chat/updateProfileStatus'], async (call) => {
      const status = text(fieldsOf(call.body), 'status');
      await call.invoke(operations.setProfileStatus, { params: paramsOf(call), body: { status } });
      return { body: { update: 'success' } };
    }),
    onInstance(context, ['POST', '/chat/updateProfileName'], async (call) => {
      const name = text(fieldsOf(call.body), 'name');
      await call.invoke(operations.setProfileName, { params: paramsOf(call), body: { name } });
      return { body: { update: 'success' } };
    }),
    onInstance(context, ['POST', '/chat/updateProfilePicture'], async (call) => {
      const image_url = text(fieldsOf(call.body), 'picture');
      await call.invoke(operations.setProfilePhoto, { params: paramsOf(call), body: { image_url } });
      return { body: { update: 'success' } };
    }),
    onInstance(context, ['DELETE', '/chat/removeProfilePicture'], async (call) => {
      await call.invoke(operations.setProfilePhoto, { params: paramsOf(call), body: { image_url: '' } });
      return { body: { update: 'success' } };
    }),
  ];
}

function paramsOf({ instance }: InstanceCall): { id: string } {
  return { id: sessionOf(instance) };
}

/** Clients name a chat by itself, or by its last message. */
function chatOf(call: InstanceCall): string {
  const fields = fieldsOf(call.body);
  const last = fieldsOf(fieldsOf(fields.lastMessage).key);
  const jid = optionalText(fields, 'chat') ?? optionalText(last, 'remoteJid');
  if (jid === undefined) throw badRequest('chat is required');
  return jidOf(jid);
}

/** Their senders are told, and the owner's other devices. Who wrote a message of a group is not always said: then only the latter are. */
async function markRead(call: InstanceCall): Promise<void> {
  const marked = list(fieldsOf(call.body), 'readMessages').map(fieldsOf);
  if (marked.length === 0) throw invalid('readMessages does not meet minimum length of 1');
  const messages = marked.map((key) => ({
    jid: jidOf(text(key, 'remoteJid')),
    id: optionalText(key, 'id'),
    isOwn: flag(key, 'fromMe') ?? false,
    participant: optionalText(key, 'participant'),
  }));
  for (const { jid, id, isOwn, participant } of messages) {
    if (id === undefined || isOwn || (isGroup(jid) && participant === undefined)) continue;
    const params = { ...paramsOf(call), jid, message_id: id };
    await call.invoke(operations.tellMessageRead, {
      params,
      body: participant === undefined ? {} : { participant: jidOf(participant) },
    });
  }
  for (const jid of new Set(messages.map((message) => message.jid)))
    await call.invoke(operations.markChatRead, { params: { ...paramsOf(call), jid } });
}

async function lookUp(call: InstanceCall): Promise<object[]> {
  const written = list(fieldsOf(call.body), 'numbers').map(String);
  if (written.length === 0) throw invalid('numbers does not meet minimum length of 1');
  const [people, others] = [
    written.filter((each) => !/@(g\.us|broadcast|newsletter|lid)$/.test(each)),
    written.filter((each) => /@(g\.us|broadcast|newsletter|lid)$/.test(each)),
  ];
  const found: object[] = others.map((jid) => ({ jid, exists: true, number: jid }));
  for (let at = 0; at < people.length; at += NUMBERS_AT_ONCE) {
    const batch = people.slice(at, at + NUMBERS_AT_ONCE);
    const numbers = batch.map((each) => addressOf(each).replace(/@.*$/, ''));
    const { results } = await call.invoke(operations.validateNumbers, {
      params: paramsOf(call),
      body: { numbers },
    });
    for (const [place, number] of batch.entries()) {
      const result = results[place];
      found.push({
        jid: result?.jid ?? jidOf(number),
        exists: result?.on_messenger ?? false,
        number,
        name: '',
      });
    }
  }
  return found;
}

/** Null when there is none, or it is hidden. */
export async function pictureOf(call: InstanceCall, jid: string): Promise<string | null> {
  try {
    const params = { ...paramsOf(call), jid };
    const { picture } = await call.invoke(operations.getContactPhoto, { params });
    return picture.has_picture ? picture.url : null;
  } catch (error) {
    if (error instanceof Fault && (error.status === 404 || error.status === 403)) return null;
    throw error;
  }
}
