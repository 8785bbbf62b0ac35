import type { EventOf } from '@parley/contract';

type MessageEvent = EventOf<'message'>;

/** A message of `/v1`, from an event or from the history. */
export type MessageObjectInput = Omit<MessageEvent, 'kind' | 'session_id' | 'media'> & {
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

/** Message object of this interface. */
export function messageObject(
  input: MessageObjectInput,
  { instanceId, status, base64 }: { instanceId: string; status?: Ack; base64?: boolean },
): Record<string, unknown> {
  const { type, content } = contentOf(input);
  const context = contextOf(input);
  const isMedia = input.media !== undefined;
  const placed = context && isPart(content) ? { ...content, contextInfo: context } : content;
  const message: Record<string, unknown> = { [type]: placed };
  if (base64 && isMedia && input.media?.data) message.base64 = input.media.data;
  if (input.media?.url) message.mediaUrl = input.media.url;
  return {
    key: keyOf(input),
    pushName: input.from_me ? 'Você' : input.sender_name,
    ...(status && { status }),
    message,
    contextInfo: context ?? null,
    messageType: type,
    messageTimestamp: input.timestamp_unix,
    instanceId,
    source: sourceOf(input.message_id),
  };
}

export function keyOf(input: MessageObjectInput): Record<string, unknown> {
  const { chat_jid, from_me = false, message_id, is_group, sender_jid, sender_phone, sender_lid } = input;
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

/** Device type that an id was created by, as far as its form shows. */
function sourceOf(id: string): string {
  if (id.startsWith('3EB0')) return 'web';
  if (id.startsWith('3A')) return 'ios';
  return id.length > 21 ? 'android' : 'unknown';
}

function isPart(content: unknown): content is object {
  return typeof content === 'object' && content !== null;
}

function contextOf(input: MessageObjectInput): Record<string, unknown> | undefined {
  const context = {
    ...(input.quoted_message_id && {
      stanzaId: input.quoted_message_id,
      participant: input.quoted_participant ?? input.chat_jid,
      quotedMessage: { conversation: input.quoted_text ?? '' },
    }),
    ...(input.mentions && { mentionedJid: input.mentions }),
    ...(input.forwarded && { isForwarded: true, forwardingScore: 1 }),
    ...(input.ephemeral_seconds !== undefined && { expiration: input.ephemeral_seconds }),
  };
  return Object.keys(context).length > 0 ? context : undefined;
}

interface Content {
  readonly type: string;
  readonly content: unknown;
}

function contentOf(input: MessageObjectInput): Content {
  const { text, media, location, poll, contacts, button_response: pressed } = input;
  const reacted = { remoteJid: input.chat_jid, fromMe: false, id: input.reacted_message_id };
  switch (input.type) {
    case 'text':
      return { type: 'conversation', content: text };
    case 'reaction':
      return {
        type: 'reactionMessage',
        content: { key: reacted, text, senderTimestampMs: `${input.timestamp_unix}000` },
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
      return otherOf(input, contacts);
    default:
      return { type: `${input.type}Message`, content: { ...fileOf(media), ...(text && { caption: text }) } };
  }
}

function otherOf(input: MessageObjectInput, contacts: MessageObjectInput['contacts']): Content {
  if (input.edited_message_id)
    return {
      type: 'editedMessage',
      content: { message: { conversation: input.text }, id: input.edited_message_id },
    };
  const cards = contacts?.map(({ name, vcard }) => ({ displayName: name, vcard }));
  if (cards && cards.length > 1) return { type: 'contactsArrayMessage', content: { contacts: cards } };
  if (cards?.[0]) return { type: 'contactMessage', content: cards[0] };
  return input.text ? { type: 'conversation', content: input.text } : { type: 'unknown', content: {} };
}

function fileOf(media: MessageObjectInput['media']): object {
  return {
    ...(media?.url && { url: media.url }),
    ...(media?.mimetype && { mimetype: media.mimetype }),
    ...(media?.filename && { fileName: media.filename, title: media.filename }),
    ...(media?.file_length !== undefined && { fileLength: String(media.file_length) }),
  };
}
