import { createHash, createHmac } from 'node:crypto';
import { isGroup, type PublicEvent, parseJid, phoneDigits } from '@parley/contract';
import { acceptedAt } from '#messages';
import type { WebhookFormat } from '#webhooks';
import type { CompatContext } from '../../context.ts';
import type { Names } from '../../names/names.ts';
import { cloudNumber, type Remembered } from '../context.ts';
import { userIdOf, waIdOf } from '../fields.ts';
import { statusErrorOf } from '../graph-error.ts';
import { callbackDataIn, formatWamid } from '../ids.ts';
import { ROW_MARK } from '../sends/interactive.ts';
import { BUTTON_MARK } from '../templates/render.ts';
import type { CallbackOptions } from './callbacks.ts';

/** Events in the format of the Graph API, one per request, signed with the app secret. */
export function createFormat({ store }: CompatContext, names: Names<Remembered>): WebhookFormat {
  async function valueFor(event: PublicEvent, slotId: string): Promise<object | undefined> {
    switch (event.kind) {
      case 'message':
        return messageOf(event, async (id) => (await acceptedAt(store, slotId, id)) !== undefined);
      case 'status':
      case 'receipt':
        return statusOf(event);
      default:
        return undefined;
    }
  }

  return {
    async render({ payload, url, options, accountId, slotId, phone }) {
      const value = await valueFor(JSON.parse(payload) as PublicEvent, slotId);
      if (!value) return [];
      const { appSecret } = JSON.parse(options) as CallbackOptions;
      const number = { slotId, accountId, phone, plan: 'free' } as const;
      const { id, wabaId } = cloudNumber(number, await names.lately.ofNumber(slotId));
      const body = JSON.stringify(envelope({ wabaId, phoneNumberId: id, phone }, value));
      const signature = createHmac('sha256', appSecret).update(body).digest('hex');
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` };
      return [{ url, headers, body }];
    },
  };
}

/** The number that an event is about, as this surface names it. */
interface EnvelopeInput {
  /** Id of the account. */
  readonly wabaId: string;
  readonly phoneNumberId: string;
  /** Digits. */
  readonly phone: string;
}

/** One message or one status in the format of the Graph API. */
function envelope({ wabaId, phoneNumberId, phone }: EnvelopeInput, value: object): object {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: phone, phone_number_id: phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  };
}

type StatusEvent = Extract<PublicEvent, { kind: 'status' }>;
type ReceiptEvent = Extract<PublicEvent, { kind: 'receipt' }>;

/** Status of a message that was sent through the gateway. */
export function statusOf(event: StatusEvent | ReceiptEvent): object {
  const { request_id, timestamp_unix } = event;
  const callbackData = callbackDataIn(request_id);
  const to = event.kind === 'status' ? event.to : event.recipient_jid;
  const common = {
    id: formatWamid({ fromMe: true, id: messageIdOf(event) }),
    status: event.kind === 'status' ? event.status : event.receipt_type,
    timestamp: String(timestamp_unix),
    ...recipientOf(to),
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
  };
  if (event.kind === 'receipt' || event.status === 'sent') return { statuses: [common] };
  return { statuses: [{ ...common, errors: [statusErrorOf(event.reason, event.detail)] }] };
}

function messageIdOf(event: StatusEvent | ReceiptEvent): string {
  return event.kind === 'status' ? event.message_id : event.network_message_id;
}

function recipientOf(jid: string): Record<string, string> {
  if (isGroup(jid)) return { recipient_id: jid, recipient_type: 'group' };
  const [waId, userId] = [waIdOf(jid), userIdOf(jid)];
  return {
    ...(waId !== undefined && { recipient_id: waId }),
    ...(userId !== undefined && { recipient_user_id: userId }),
  };
}

/** Whether the number itself has sent that message through the gateway. */
type IsOwn = (messageId: string) => Promise<boolean>;

/** An incoming message; undefined for what this surface does not have: stories, and messages that the number itself wrote. */
export async function messageOf(event: MessageEvent, isOwn: IsOwn): Promise<object | undefined> {
  if (event.broadcast || event.from_me) return undefined;
  const sender = senderOf(event);
  const [reactedToOwn, quotesOwn] = await Promise.all(
    [event.reacted_message_id, event.quoted_message_id].map((id) => id !== undefined && isOwn(id)),
  );
  const context = contextOf(event, quotesOwn === true);
  return {
    contacts: [
      {
        profile: {
          name: event.sender_name,
          ...(event.sender_username && { username: event.sender_username }),
        },
        ...(sender.waId !== undefined && { wa_id: sender.waId }),
        ...(sender.userId !== undefined && { user_id: sender.userId }),
      },
    ],
    messages: [
      {
        ...(sender.waId !== undefined && { from: sender.waId }),
        ...(sender.userId !== undefined && { from_user_id: sender.userId }),
        ...(event.is_group && { group_id: event.chat_jid }),
        id: wamidIn(event, event.message_id, event.sender_jid),
        timestamp: String(event.timestamp_unix),
        ...(context && { context }),
        ...contentOf(event, (id) =>
          // In a group the author of that message is unknown; the reacting member is assumed.
          reactedToOwn ? formatWamid({ fromMe: true, id }) : wamidIn(event, id, event.sender_jid),
        ),
      },
    ],
  };
}

function senderOf({ sender_jid, sender_phone, sender_lid }: MessageEvent): {
  readonly waId: string | undefined;
  readonly userId: string | undefined;
} {
  return { waId: waIdOf(sender_phone ?? sender_jid), userId: userIdOf(sender_lid ?? sender_jid) };
}

function wamidIn({ chat_jid, is_group }: MessageEvent, id: string, writer: string): string {
  return formatWamid({ fromMe: false, id, chat: chat_jid, participant: is_group ? writer : undefined });
}

/** The message that it replies to, and whether it was forwarded. */
function contextOf(event: MessageEvent, quotesOwn: boolean): object | undefined {
  const { quoted_message_id: id, quoted_participant: writer, forwarded } = event;
  if (id === undefined) return forwarded ? { forwarded: true } : undefined;
  const theirs = !quotesOwn && writer !== undefined && isAnother(event, writer) ? writer : undefined;
  const from = theirs === undefined ? parseJid(event.session_id)?.user : waIdOf(theirs);
  return {
    ...(forwarded && { forwarded: true }),
    ...(from !== undefined && { from }),
    id: theirs === undefined ? formatWamid({ fromMe: true, id }) : wamidIn(event, id, theirs),
  };
}

/** In a chat of two, every address but the other person's belongs to the number itself. */
function isAnother(event: MessageEvent, writer: string): boolean {
  if (event.is_group) return waIdOf(writer) !== parseJid(event.session_id)?.user;
  return [event.chat_jid, event.sender_jid, event.sender_phone, event.sender_lid].includes(writer);
}

export type MessageEvent = Extract<PublicEvent, { kind: 'message' }>;

/** Content of a message in the format of the Graph API. `reacted` is the message that a reaction belongs to. */
function contentOf(event: MessageEvent, reacted: (id: string) => string): Record<string, unknown> {
  switch (event.type) {
    case 'text':
      return { type: 'text', text: { body: event.text } };
    case 'reaction':
      return {
        type: 'reaction',
        reaction: {
          message_id: reacted(event.reacted_message_id ?? ''),
          ...(event.text !== '' && { emoji: event.text }),
        },
      };
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return event.media ? mediaContent(event, event.media) : unsupported(event.type);
    case 'location':
      return event.location ? locationContent(event.location) : unsupported('location');
    case 'button_response':
      return event.button_response ? answerContent(event.button_response) : unsupported('interactive');
    case 'other':
      return event.contacts ? contactsContent(event.contacts) : unsupported('unknown');
    default:
      return unsupported(event.type);
  }
}

const DETAILS = 'Message type is currently not supported.';

function unsupported(type: string): Record<string, unknown> {
  const title = 'Message type unknown';
  return {
    type: 'unsupported',
    unsupported: { type },
    errors: [{ code: 131051, title, message: title, error_data: { details: DETAILS } }],
  };
}

function mediaContent(
  { type, text }: MessageEvent,
  { id = '', mimetype, filename, data }: NonNullable<MessageEvent['media']>,
): Record<string, unknown> {
  return {
    type,
    [type]: {
      id,
      mime_type: mimetype,
      // Only for a file that the event contains; for larger files `GET /{media_id}` returns it.
      ...(data !== '' && { sha256: createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex') }),
      ...(text !== '' && type !== 'audio' && type !== 'sticker' && { caption: text }),
      ...(type === 'document' && { filename: filename ?? '' }),
      ...(type === 'audio' && { voice: mimetype.includes('opus') }),
      ...(type === 'sticker' && { animated: false }),
    },
  };
}

function locationContent(location: NonNullable<MessageEvent['location']>): Record<string, unknown> {
  const { latitude, longitude, name, address } = location;
  return {
    type: 'location',
    location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
  };
}

function answerContent(answer: NonNullable<MessageEvent['button_response']>): Record<string, unknown> {
  const { selected_id: id, selected_text: title } = answer;
  if (id.startsWith(BUTTON_MARK)) {
    return { type: 'button', button: { payload: id.slice(BUTTON_MARK.length), text: title } };
  }
  const interactive = id.startsWith(ROW_MARK)
    ? { type: 'list_reply', list_reply: { id: id.slice(ROW_MARK.length), title } }
    : { type: 'button_reply', button_reply: { id, title } };
  return { type: 'interactive', interactive };
}

function contactsContent(cards: NonNullable<MessageEvent['contacts']>): Record<string, unknown> {
  return {
    type: 'contacts',
    contacts: cards.map(({ name, phones }) => ({
      name: { formatted_name: name, first_name: name },
      phones: phones.map((phone) => {
        const waId = phoneDigits(phone);
        return { phone, type: 'CELL', ...(waId !== null && { wa_id: waId }) };
      }),
    })),
  };
}
