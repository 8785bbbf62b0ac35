import type { EventOf } from '@parley/contract';

type MessageEvent = EventOf<'message'>;

/** A message as `/v1` tells it, in an event or from what is kept. */
export type Told = Omit<MessageEvent, 'kind' | 'session_id' | 'media'> & {
  readonly media?: Partial<NonNullable<MessageEvent['media']>> | undefined;
};

export type Ack = 'PENDING' | 'SERVER_ACK' | 'DELIVERY_ACK' | 'READ' | 'PLAYED' | 'ERROR';

export const ACKS = {
  accepted: 'PENDING',
  sent: 'SERVER_ACK',
  delivered: 'DELIVERY_ACK',
  read: 'READ',
  played: 'PLAYED',
  failed: 'ERROR',
} as const satisfies Record<string, Ack>;

/** The message object of this interface. */
export function messageObject(
  told: Told,
  { instanceId, status, base64 }: { instanceId: string; status?: Ack; base64?: boolean },
): Record<string, unknown> {
  const { type, content } = contentOf(told);
  const context = contextOf(told);
  const isMedia = told.media !== undefined;
  const placed = context && isPart(content) ? { ...content, contextInfo: context } : content;
  const message: Record<string, unknown> = { [type]: placed };
  if (base64 && isMedia && told.media?.data) message.base64 = told.media.data;
  if (told.media?.url) message.mediaUrl = told.media.url;
  return {
    key: keyOf(told),
    pushName: told.from_me ? 'Você' : told.sender_name,
    ...(status && { status }),
    message,
    contextInfo: context ?? null,
    messageType: type,
    messageTimestamp: told.timestamp_unix,
    instanceId,
    source: sourceOf(told.message_id),
  };
}

export function keyOf(told: Told): Record<string, unknown> {
  const { chat_jid, from_me = false, message_id, is_group, sender_jid, sender_phone, sender_lid } = told;
  const isLid = chat_jid.endsWith('@lid');
  return {
    remoteJid: chat_jid,
    fromMe: from_me,
    id: message_id,
    ...(is_group && !from_me && { participant: sender_jid }),
    ...(is_group &&
      !from_me &&
      sender_phone &&
      sender_phone !== sender_jid && { participantAlt: sender_phone }),
    ...(!is_group && isLid && sender_phone && !from_me && { remoteJidAlt: sender_phone }),
    ...(!is_group && !isLid && sender_lid && !from_me && { remoteJidAlt: sender_lid }),
    ...((isLid || sender_lid) && { addressingMode: isLid || is_group ? 'lid' : 'pn' }),
  };
}

/** What kind of device an id is made by, as far as its form tells. */
function sourceOf(id: string): string {
  if (id.startsWith('3EB0')) return 'web';
  if (id.startsWith('3A')) return 'ios';
  return id.length > 21 ? 'android' : 'unknown';
}

function isPart(content: unknown): content is object {
  return typeof content === 'object' && content !== null;
}

function contextOf(told: Told): Record<string, unknown> | undefined {
  const context = {
    ...(told.quoted_message_id && {
      stanzaId: told.quoted_message_id,
      participant: told.quoted_participant ?? told.chat_jid,
      quotedMessage: { conversation: told.quoted_text ?? '' },
    }),
    ...(told.mentions && { mentionedJid: told.mentions }),
    ...(told.forwarded && { isForwarded: true, forwardingScore: 1 }),
    ...(told.ephemeral_seconds !== undefined && { expiration: told.ephemeral_seconds }),
  };
  return Object.keys(context).length > 0 ? context : undefined;
}

interface Content {
  readonly type: string;
  readonly content: unknown;
}

function contentOf(told: Told): Content {
  const { text, media, location, poll, contacts, button_response: pressed } = told;
  const reacted = { remoteJid: told.chat_jid, fromMe: false, id: told.reacted_message_id };
  switch (told.type) {
    case 'text':
      return { type: 'conversation', content: text };
    case 'reaction':
      return {
        type: 'reactionMessage',
        content: { key: reacted, text, senderTimestampMs: `${told.timestamp_unix}000` },
      };
    case 'location': {
      const place = { name: location?.name, address: location?.address };
      const point = { degreesLatitude: location?.latitude, degreesLongitude: location?.longitude };
      return {
        type: location?.live ? 'liveLocationMessage' : 'locationMessage',
        content: { ...point, ...place },
      };
    }
    case 'poll': {
      const options = poll?.options.map((optionName) => ({ optionName }));
      const selectableOptionsCount = poll?.selectable_count ?? 0;
      return {
        type: 'pollCreationMessageV3',
        content: { name: poll?.name, options, selectableOptionsCount },
      };
    }
    case 'button_response':
      return {
        type: 'templateButtonReplyMessage',
        content: { selectedId: pressed?.selected_id, selectedDisplayText: pressed?.selected_text },
      };
    case 'other':
      return otherOf(told, contacts);
    default:
      return { type: `${told.type}Message`, content: { ...fileOf(media), ...(text && { caption: text }) } };
  }
}

function otherOf(told: Told, contacts: Told['contacts']): Content {
  if (told.edited_message_id)
    return {
      type: 'editedMessage',
      content: { message: { conversation: told.text }, id: told.edited_message_id },
    };
  const cards = contacts?.map(({ name, vcard }) => ({ displayName: name, vcard }));
  if (cards && cards.length > 1) return { type: 'contactsArrayMessage', content: { contacts: cards } };
  if (cards?.[0]) return { type: 'contactMessage', content: cards[0] };
  return told.text ? { type: 'conversation', content: told.text } : { type: 'unknown', content: {} };
}

function fileOf(media: Told['media']): object {
  return {
    ...(media?.url && { url: media.url }),
    ...(media?.mimetype && { mimetype: media.mimetype }),
    ...(media?.filename && { fileName: media.filename, title: media.filename }),
    ...(media?.file_length !== undefined && { fileLength: String(media.file_length) }),
  };
}
