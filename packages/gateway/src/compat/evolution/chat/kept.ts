import { operations } from '@parley/contract';
import type { ForeignEndpoint } from '#http';
import { fieldsOf, flag, jidOf, optionalNumber, optionalText, text } from '../input.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { ACKS, messageObject } from '../message/object.ts';
import { badRequest, notFound } from '../refusals.ts';

const PAGE_DEFAULT = 50;
/** A page of `/v1` has no more. */
const PAGE_MAX = 100;

/** What is read back from the conversations that the number keeps. */
export function keptEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    onInstance(context, ['POST', '/chat/findMessages'], async (call) => ({ body: await findMessages(call) })),
    onInstance(context, ['POST', '/chat/findStatusMessage'], async (call) => ({
      body: await findStatus(call),
    })),
    onInstance(context, ['POST', '/chat/findChats'], async (call) => {
      const instanceId = call.instance.number.slotId;
      const wanted = optionalText(fieldsOf(fieldsOf(call.body).where), 'remoteJid');
      const params = { id: sessionOf(call.instance) };
      const { chats } = await call.invoke(operations.listChats, { params, query: { limit: PAGE_MAX } });
      // Whoever asks may know the person by another address than the chat has.
      const [newest] = wanted === undefined ? [] : await several(call, wanted, 1);
      const named = newest?.chat_jid ?? (wanted && jidOf(wanted));
      const shown = chats.filter(({ jid }) => named === undefined || jid === named);
      return {
        body: shown.map((chat) => ({
          id: `${instanceId}-${chat.jid}`,
          remoteJid: chat.jid,
          pushName: chat.last_message?.sender_name ?? null,
          profilePicUrl: null,
          updatedAt: new Date((chat.last_at_unix ?? 0) * 1_000).toISOString(),
          unreadCount: chat.unread,
          ...(chat.last_message && { lastMessage: shownLast(chat.last_message, instanceId) }),
          isSaved: true,
        })),
      };
    }),
    onInstance(context, ['POST', '/chat/findContacts'], async (call) => {
      const where = fieldsOf(fieldsOf(call.body).where);
      const wanted = optionalText(where, 'remoteJid') ?? optionalText(where, 'id');
      const params = { id: sessionOf(call.instance) };
      const { contacts } = await call.invoke(operations.listContacts, { params });
      const shown = contacts.filter(({ jid }) => wanted === undefined || jid === jidOf(wanted));
      return {
        body: shown.map(({ jid, full_name, push_name }) => ({
          id: `${call.instance.number.slotId}-${jid}`,
          remoteJid: jid,
          pushName: push_name || full_name,
          profilePicUrl: null,
          instanceId: call.instance.number.slotId,
          isGroup: false,
          isSaved: full_name !== '',
          type: full_name === '' ? 'group_member' : 'contact',
        })),
      };
    }),
    onInstance(context, ['POST', '/chat/getBase64FromMediaMessage'], async (call) => {
      const fields = fieldsOf(call.body);
      if (flag(fields, 'convertToMp4')) throw badRequest('convertToMp4 cannot be used here');
      const message_id = text(fieldsOf(fieldsOf(fields.message).key), 'id');
      const params = { id: sessionOf(call.instance), message_id };
      const found = await call.invoke(operations.getKeptMessage, { params });
      const { media } = found;
      if (!media?.id) throw badRequest('The message is not of the media type');
      const bytes = await call.invoke(operations.getMedia, { params: { id: media.id } });
      const file = await whole(bytes);
      return {
        status: 201,
        body: {
          mediaType: `${found.type}Message`,
          fileName: media.filename ?? `${message_id}.${media.extension}`,
          caption: found.text,
          size: { fileLength: String(file.length) },
          mimetype: media.mimetype,
          base64: file.toString('base64'),
          buffer: null,
        },
      };
    }),
  ];
}

function shownLast(message: Kept, instanceId: string): object {
  const { cursor, status, is_group, sender_jid } = message;
  return {
    id: cursor,
    ...messageObject(message, { instanceId }),
    participant: is_group ? sender_jid : null,
    sessionId: null,
    status: status ? ACKS[status] : null,
  };
}

async function findMessages(call: InstanceCall): Promise<object> {
  const fields = fieldsOf(call.body);
  const key = fieldsOf(fieldsOf(fields.where).key);
  const page = Math.max(1, optionalNumber(fields, 'page') ?? 1);
  const size = Math.min(PAGE_MAX, Math.max(1, optionalNumber(fields, 'offset') ?? PAGE_DEFAULT));
  const id = optionalText(key, 'id');
  const jid = optionalText(key, 'remoteJid');
  const fromMe = flag(key, 'fromMe');
  const records = id !== undefined ? await one(call, id) : await several(call, jid, page * size);
  const wanted = records.filter(({ from_me }) => fromMe === undefined || from_me === fromMe);
  const instanceId = call.instance.number.slotId;
  const shown = wanted.slice((page - 1) * size, page * size);
  return {
    messages: {
      total: wanted.length,
      pages: Math.max(1, Math.ceil(wanted.length / size)),
      currentPage: page,
      records: shown.map((message) => ({
        id: message.cursor,
        ...messageObject(message, { instanceId }),
        MessageUpdate: message.status ? [{ status: ACKS[message.status] }] : [],
      })),
    },
  };
}

/** How far a message is that was sent from here; of one message, which has to be named. */
async function findStatus(call: InstanceCall): Promise<object[]> {
  const where = fieldsOf(fieldsOf(call.body).where);
  const id = optionalText(where, 'keyId') ?? text(where, 'id');
  const found = await one(call, id);
  return found.flatMap(({ cursor, chat_jid, from_me = false, status }) =>
    status === undefined
      ? []
      : [
          {
            id: cursor,
            keyId: id,
            remoteJid: chat_jid,
            fromMe: from_me,
            participant: null,
            pollUpdates: null,
            status: ACKS[status],
            messageId: cursor,
            instanceId: call.instance.number.slotId,
          },
        ],
  );
}

type Kept = Awaited<ReturnType<typeof one>>[number];

async function one(call: InstanceCall, message_id: string) {
  const params = { id: sessionOf(call.instance), message_id };
  return [await call.invoke(operations.getKeptMessage, { params })];
}

/** The newest first: of one chat, or of those that were last written in. */
async function several(call: InstanceCall, jid: string | undefined, count: number): Promise<readonly Kept[]> {
  const id = sessionOf(call.instance);
  if (jid === undefined) {
    const { chats } = await call.invoke(operations.listChats, { params: { id }, query: { limit: PAGE_MAX } });
    const found: Kept[] = [];
    for (const chat of chats) {
      if (found.length >= count) break;
      found.push(...(await several(call, chat.jid, count - found.length)));
    }
    return found.sort((one, other) => other.timestamp_unix - one.timestamp_unix);
  }
  const params = { id, jid: jidOf(jid) };
  const found: Kept[] = [];
  let before: string | undefined;
  while (found.length < count) {
    const query = { limit: Math.min(PAGE_MAX, count - found.length), ...(before && { before }) };
    const { messages } = await call.invoke(operations.listChatMessages, { params, query });
    found.push(...messages.toSorted((one, other) => other.timestamp_unix - one.timestamp_unix));
    before = messages.at(-1)?.cursor;
    if (messages.length < query.limit || before === undefined) break;
  }
  return found;
}

async function whole(bytes: unknown): Promise<Buffer> {
  if (typeof bytes === 'string') return Buffer.from(bytes);
  if (typeof bytes !== 'object' || bytes === null) throw notFound('The file is gone');
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces);
}
