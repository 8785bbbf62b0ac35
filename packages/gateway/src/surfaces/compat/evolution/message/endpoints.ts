import { type MessageState, operations } from '@parley/contract';
import type { CompatEndpoint } from '#platform/http';
import { addressOf, jidOf } from '../fields.ts';
import { pause } from '../instance/pairing.ts';
import { type EvolutionContext, type InstanceCall, onInstance, sessionOf } from '../instances.ts';
import { badRequest, invalid } from '../refusals.ts';
import { FILE_FIELDS, SEND_KINDS, type SendFields, type Translated } from './kinds.ts';
import { type MessageObjectInput, messageObject } from './object.ts';

/** Base64 makes a file a third longer. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024;
/** How long an answer waits for the network's acknowledgement; after that the message is returned as pending. */
const ACK_WITHIN_MS = 8_000;
const LONGEST_DELAY_MS = 20_000;
const STATUS_CHAT = 'status@broadcast';

export function messageEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return Object.entries(SEND_KINDS).map(([name, { body, translate }]) =>
    onInstance(
      context,
      ['POST', `/message/${name}`],
      async (call) => {
        const fields: SendFields = call.body;
        const translated = translate(call.body);
        const to = recipientOf(name, fields, translated);
        const { delay = 0 } = fields;
        if (delay > 0 && to !== undefined) await showTyping(context, call, to, delay);
        return { status: 201, body: await send(context, call, { fields, translated, to }) };
      },
      {
        permission: 'messages',
        input: { body },
        bodyMaxBytes: LARGEST_BODY_BYTES,
        fileFields: FILE_FIELDS,
        isHot: true,
      },
    ),
  );
}

/** Audience of a status; undefined: everyone who may see it. */
function recipientOf(
  name: string,
  { number }: SendFields,
  { send: written }: Translated,
): string | undefined {
  if (typeof written.to === 'string') return written.to;
  if (name === 'sendStatus') return undefined;
  if (number === undefined) throw invalid('instance requires property "number"');
  return addressOf(number);
}

export async function showTyping(
  { machineClock }: EvolutionContext,
  call: InstanceCall,
  to: string,
  delay: number,
): Promise<void> {
  const params = { id: sessionOf(call.instance) };
  await call.invoke(operations.setTyping, { params, body: { to, typing: true } });
  await pause(machineClock, Math.min(delay, LONGEST_DELAY_MS));
  await call.invoke(operations.setTyping, { params, body: { to, typing: false } });
}

interface Wanted {
  readonly fields: SendFields;
  readonly translated: Translated;
  readonly to: string | undefined;
}

/** Sends the message, waits a limited time for the network, and answers with the message object. */
export async function send(
  context: EvolutionContext,
  call: InstanceCall,
  { fields, translated, to }: Wanted,
): Promise<Record<string, unknown>> {
  const { instance } = call;
  const file = translated.file && (await keepFile(call, translated.file));
  const quote = quoteOf(fields, to, sessionOf(instance));
  const mentions = (fields.mentioned ?? []).map(jidOf);
  const named = mentions.length > 0 ? { mentions } : {};
  const isPlain = translated.send.type === undefined;
  const { message_id: id = '' } = await call.invoke(operations.sendMessage, {
    body: {
      session_id: sessionOf(instance),
      ...(to !== undefined && { to }),
      ...translated.send,
      ...(file && { media_id: file }),
      ...(isPlain && { ...quote, ...named }),
    },
    headers: { 'Idempotency-Key': fields.messageId || call.requestId },
  });
  const state = id === '' ? 'sent' : await settled(context, call, id);
  const input: MessageObjectInput = {
    message_id: id,
    from_me: true,
    sender_jid: sessionOf(instance),
    sender_name: '',
    chat_jid: to === undefined ? STATUS_CHAT : jidOf(to),
    is_group: to?.endsWith('@g.us') ?? false,
    text: '',
    timestamp_unix: Math.floor(context.clock.now() / 1_000),
    broadcast: to === undefined,
    ...translated.said,
    ...(isPlain && { ...quote, ...named }),
  };
  return messageObject(input, {
    instanceId: instance.number.slotId,
    status: state === 'accepted' ? 'PENDING' : 'SERVER_ACK',
  });
}

async function settled(context: EvolutionContext, call: InstanceCall, id: string): Promise<MessageState> {
  const state = await context.settling.settled(call.instance.number.accountId, id, ACK_WITHIN_MS);
  if (state !== 'failed') return state;
  const { reason } = await call.invoke(operations.getMessage, { params: { message_id: id } });
  throw badRequest(`the message was not sent: ${reason ?? 'failed'}`);
}

async function keepFile(
  call: InstanceCall,
  { read, size, mimetype }: NonNullable<Translated['file']>,
): Promise<string> {
  const kept = await call.invoke(operations.uploadMedia, {
    body: read(),
    headers: { 'Content-Type': mimetype, 'Content-Length': String(size) },
  });
  return kept.media_id;
}

/** The quoted message as the client gives it: its key, and its text if any. */
function quoteOf({ quoted }: SendFields, to: string | undefined, me: string): Record<string, string> {
  const { id, participant, fromMe } = quoted?.key ?? {};
  if (!id) return {};
  const said = quoted?.message?.conversation || quoted?.message?.extendedTextMessage?.text;
  const author = participant ?? (fromMe ? me : to && jidOf(to));
  return {
    quoted_message_id: id,
    ...(author && { quoted_participant: jidOf(author) }),
    ...(said && { quoted_text: said }),
  };
}
