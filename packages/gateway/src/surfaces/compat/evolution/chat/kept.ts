import { CHATS_PAGE_MAX, MESSAGES_PAGE_MAX, operations, REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { Static } from 'typebox';
import type { CompatEndpoint } from '#platform/http';
import { jidOf, SMALL_BODY_BYTES } from '../fields.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { ACKS, messageObject } from '../message/object.ts';
import { badRequest, invalid, stopWhenLeft, tooMany } from '../refusals.ts';
import {
  CONTACTS_MAX,
  FileBody,
  FindChatsBody,
  FindContactsBody,
  FindMessagesBody,
  FindStatusBody,
  MESSAGES_REACH,
} from './bodies.ts';
import { base64Answer, createFileSlots } from './file-answers.ts';

const PAGE_DEFAULT = 50;
const FILE_RETRY_AFTER_SECONDS = 5;

const onMessages = { permission: 'messages', bodyMaxBytes: SMALL_BODY_BYTES } as const;

/** Queries on the stored conversations of a number. */
export function keptEndpoints(context: EvolutionContext): CompatEndpoint[] {
  const fileSlots = createFileSlots(context.machineClock);
  return [
    onInstance(
      context,
      ['POST', '/chat/findMessages'],
      async (call) => ({ body: await findMessages(call, call.body) }),
      { ...onMessages, input: { body: FindMessagesBody }, pageMax: MESSAGES_PAGE_MAX },
    ),
    onInstance(
      context,
      ['POST', '/chat/findStatusMessage'],
      async (call) => ({ body: await findStatus(call, call.body) }),
      { ...onMessages, input: { body: FindStatusBody }, pageMax: 1 },
    ),
    onInstance(
      context,
      ['POST', '/chat/findChats'],
      async (call) => {
        const instanceId = call.instance.number.slotId;
        const wanted = call.body.where?.remoteJid;
        const params = { id: sessionOf(call.instance) };
        const { chats } = await call.invoke(operations.listChats, {
          params,
          query: { limit: CHATS_PAGE_MAX },
        });
        // The caller may know the person by another address than the chat has.
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
      },
      { ...onMessages, input: { body: FindChatsBody }, pageMax: CHATS_PAGE_MAX },
    ),
    onInstance(
      context,
      ['POST', '/chat/findContacts'],
      async (call) => {
        const { where, page = 1, offset: size = CONTACTS_MAX } = call.body;
        const wanted = where?.remoteJid ?? where?.id;
        const params = { id: sessionOf(call.instance) };
        const { contacts } = await call.invoke(operations.listContacts, { params });
        const shown = contacts
          .filter(({ jid }) => wanted === undefined || jid === jidOf(wanted))
          .slice((page - 1) * size, page * size);
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
      },
      { ...onMessages, permission: 'contacts', input: { body: FindContactsBody }, pageMax: CONTACTS_MAX },
    ),
    onInstance(
      context,
      ['POST', '/chat/getBase64FromMediaMessage'],
      async (call) => {
        if (call.body.convertToMp4) throw badRequest('convertToMp4 cannot be used here');
        const message_id = call.body.message.key.id;
        const params = { id: sessionOf(call.instance), message_id };
        const found = await call.invoke(operations.getKeptMessage, { params });
        const { media } = found;
        if (!media?.id) throw badRequest('The message is not of the media type');
        const release = await fileSlots.take(call.caller.accountId, call.signal);
        stopWhenLeft(call);
        if (!release) {
          call.setHeader('Retry-After', FILE_RETRY_AFTER_SECONDS);
          throw tooMany('Too many files of this account are being answered in base64; retry shortly');
        }
        const { bytes, size } = await fileOf(context, call, media.id).catch((error: unknown) => {
          release();
          throw error;
        });
        const { body, length } = base64Answer({
          fields: {
            mediaType: `${found.type}Message`,
            fileName: media.filename ?? `${message_id}.${media.extension}`,
            caption: found.text,
            size: { fileLength: String(size) },
            mimetype: media.mimetype,
          },
          name: 'base64',
          size,
          bytes,
          rest: { buffer: null },
        });
        body.once('close', release);
        call.setHeader('Content-Type', 'application/json; charset=utf-8');
        call.setHeader('Content-Length', length);
        return { status: 201, body };
      },
      // Clients pass the whole message object, as they received it.
      { ...onMessages, input: { body: FileBody }, bodyMaxBytes: REQUEST_BODY_MAX_BYTES },
    ),
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

async function findMessages(
  call: InstanceCall,
  { where, page = 1, offset: size = PAGE_DEFAULT }: Static<typeof FindMessagesBody>,
): Promise<object> {
  if (page * size > MESSAGES_REACH)
    throw invalid(
      `page ends behind message ${MESSAGES_REACH}: narrow the search, or page through /v1 by cursor`,
    );
  const { id, remoteJid: jid, fromMe } = where?.key ?? {};
  const records = id ? await one(call, id) : await several(call, jid, page * size);
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

/** State of one message that was sent from here; its id is required. */
async function findStatus(call: InstanceCall, { where }: Static<typeof FindStatusBody>): Promise<object[]> {
  const id = where.keyId || where.id;
  if (!id) throw invalid('instance requires property "id"');
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

/** Messages newest first, of one chat or of the latest chats. */
async function several(call: InstanceCall, jid: string | undefined, count: number): Promise<readonly Kept[]> {
  const id = sessionOf(call.instance);
  if (jid === undefined) {
    const { chats } = await call.invoke(operations.listChats, {
      params: { id },
      query: { limit: CHATS_PAGE_MAX },
    });
    const found: Kept[] = [];
    for (const chat of chats) {
      if (found.length >= count) break;
      stopWhenLeft(call);
      found.push(...(await several(call, chat.jid, count - found.length)));
    }
    return found.sort((one, other) => other.timestamp_unix - one.timestamp_unix);
  }
  const params = { id, jid: jidOf(jid) };
  const found: Kept[] = [];
  let before: string | undefined;
  while (found.length < count) {
    stopWhenLeft(call);
    const query = { limit: Math.min(MESSAGES_PAGE_MAX, count - found.length), ...(before && { before }) };
    const { messages } = await call.invoke(operations.listChatMessages, { params, query });
    found.push(...messages.toSorted((one, other) => other.timestamp_unix - one.timestamp_unix));
    before = messages.at(-1)?.cursor;
    if (messages.length < query.limit || before === undefined) break;
  }
  return found;
}

/** The declared size of a file may be wrong: checks it before the file is fetched, and the real size afterwards. */
async function fileOf(
  { media, base64MaxBytes, publicUrl }: EvolutionContext,
  call: InstanceCall,
  id: string,
) {
  const { caller, signal, origin } = call;
  const check = ({ size }: { readonly size: number }): void => {
    if (size <= base64MaxBytes) return;
    const url = new URL(`/v1/media/${encodeURIComponent(id)}`, publicUrl() ?? origin).href;
    const mb = Math.floor(base64MaxBytes / 1024 / 1024);
    throw badRequest(
      `The file has more than the ${mb} MB that are answered in base64: get it as a stream from ${url}`,
    );
  };
  check(await media.find(caller, id));
  stopWhenLeft(call);
  const file = await media.obtain(caller, id, signal);
  check(file);
  const bytes = await media.read(file, signal);
  stopWhenLeft(call);
  return { size: file.size, bytes };
}
