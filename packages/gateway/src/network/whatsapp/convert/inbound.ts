import { getContentType, normalizeMessageContent, proto, toNumber } from 'baileys';
import { parsedJson, safeFileName, safeMediaType } from '#kernel';
import type { ContactCard, InboundContent, InboundMedia, MediaRef, PollContent } from '../../content.ts';
import type { MessageMarks } from '../../events.ts';
import { phonesIn } from '../../vcard.ts';
import { property } from '../errors.ts';
import { toMediaRef } from '../media/media-ref.ts';
import { boundedId, boundedName, boundedText, finite } from './bounds.ts';
import type { MessageHead } from './head.ts';
import { accountOf } from './jid.ts';
import { marksOf, textIn } from './marks.ts';

export interface ReadContent extends MessageMarks {
  readonly content: InboundContent;
}

/** Visible content of a message; undefined when it carries only keys or other protocol data. */
export function readContent(wrapped: proto.IMessage, head: MessageHead): ReadContent | undefined {
  const message = normalizeMessageContent(wrapped);
  const content = message && contentOf(message, head);
  if (!content) return undefined;
  return { content, ...marksOf(wrapped, message) };
}

function contentOf(message: proto.IMessage, head: MessageHead): InboundContent | undefined {
  if (message.conversation) return { kind: 'text', text: boundedText(message.conversation) };
  if (message.extendedTextMessage)
    return { kind: 'text', text: boundedText(message.extendedTextMessage.text ?? '') };
  return (
    mediaContent(message, head) ??
    placeContent(message) ??
    reactionContent(message) ??
    pollContent(message) ??
    buttonResponse(message) ??
    protocolContent(message, head) ??
    otherContent(message)
  );
}

interface MediaMessage {
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
  readonly fileLength?: Parameters<typeof toNumber>[0];
  readonly mimetype?: string | null;
  readonly caption?: string | null;
  readonly fileName?: string | null;
}

function mediaContent(message: proto.IMessage, head: MessageHead): InboundContent | undefined {
  const found: [MediaRef['kind'], MediaMessage | null | undefined][] = [
    ['image', message.imageMessage],
    ['video', message.videoMessage ?? message.ptvMessage],
    ['audio', message.audioMessage],
    ['document', message.documentMessage],
    ['sticker', message.stickerMessage],
  ];
  for (const [kind, file] of found) {
    if (!file) continue;
    const fileName = safeFileName(file.fileName ?? '');
    const media: InboundMedia = {
      ref: mediaRef(kind, file, head),
      mimetype: safeMediaType(file.mimetype ?? ''),
      ...(fileName ? { fileName } : {}),
      size: finite(toNumber(file.fileLength ?? 0)),
    };
    return file.caption ? { kind, media, caption: boundedText(file.caption) } : { kind, media };
  }
  return undefined;
}

function mediaRef(kind: MediaRef['kind'], file: MediaMessage, head: MessageHead): MediaRef {
  return toMediaRef({
    kind,
    directPath: file.directPath ?? '',
    mediaKey: file.mediaKey ?? new Uint8Array(),
    sha256: file.fileSha256 ?? new Uint8Array(),
    encryptedSha256: file.fileEncSha256 ?? new Uint8Array(),
    message: {
      id: head.messageId,
      chat: head.remoteJid,
      fromMe: head.fromMe,
      ...(head.isGroup || head.broadcast ? { participant: head.sender } : {}),
    },
  });
}

function placeContent(message: proto.IMessage): InboundContent | undefined {
  const place = message.locationMessage ?? message.liveLocationMessage;
  if (!place) return undefined;
  const { name, address } = message.locationMessage ?? {};
  return {
    kind: 'location',
    latitude: finite(place.degreesLatitude),
    longitude: finite(place.degreesLongitude),
    ...(name ? { name: boundedText(name) } : {}),
    ...(address ? { address: boundedText(address) } : {}),
    ...(message.liveLocationMessage ? { live: true } : {}),
  };
}

function reactionContent({ reactionMessage }: proto.IMessage): InboundContent | undefined {
  const target = reactionMessage?.key?.id;
  if (!target) return undefined;
  return { kind: 'reaction', targetId: boundedId(target), emoji: boundedName(reactionMessage.text ?? '') };
}

/** Clients offer twelve. */
export const MOST_OPTIONS = 256;

export function pollContent(message: proto.IMessage): PollContent | undefined {
  const poll = pollIn(message);
  if (!poll) return undefined;
  const options = (poll.options ?? []).slice(0, MOST_OPTIONS);
  return {
    kind: 'poll',
    name: boundedText(poll.name ?? ''),
    options: options.map(({ optionName }) => boundedText(optionName ?? '')),
    selectableCount: poll.selectableOptionsCount ?? 0,
  };
}

function pollIn(message: proto.IMessage): proto.Message.IPollCreationMessage | null | undefined {
  return (
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV5
  );
}

/** Kinds of messages with protocol data only, whatever their name suggests. */
const MACHINERY: ReadonlySet<string> = new Set([
  'protocolMessage',
  'pollUpdateMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'stickerSyncRmrMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
  'keepInChatMessage',
  // Past messages of a group that a member shares with a new one.
  'messageHistoryBundle',
  'messageHistoryNotice',
]);

function otherContent(message: proto.IMessage): InboundContent | undefined {
  const kind = getContentType(message);
  if (kind ? MACHINERY.has(kind) : !isOfAnUnknownKind(message)) return undefined;
  const text =
    message.contactMessage?.displayName ??
    message.contactsArrayMessage?.displayName ??
    message.groupInviteMessage?.caption ??
    message.interactiveMessage?.body?.text ??
    message.eventMessage?.name ??
    '';
  const contacts = contactCards(message);
  return { kind: 'other', text: boundedText(text), ...(contacts.length > 0 ? { contacts } : {}) };
}

/** Phones send kinds of messages that the library does not know; they decode to an empty message. */
function isOfAnUnknownKind(message: proto.IMessage): boolean {
  return Object.keys(message).every((name) => name === 'messageContextInfo');
}

/** Answer to buttons, in each form that phones have used. */
function buttonResponse(message: proto.IMessage): InboundContent | undefined {
  const {
    interactiveResponseMessage,
    buttonsResponseMessage,
    listResponseMessage,
    templateButtonReplyMessage,
  } = message;
  if (interactiveResponseMessage) return nativeFlowResponse(interactiveResponseMessage);
  if (buttonsResponseMessage) {
    return response(buttonsResponseMessage.selectedButtonId, buttonsResponseMessage.selectedDisplayText);
  }
  if (listResponseMessage) {
    return response(listResponseMessage.singleSelectReply?.selectedRowId, listResponseMessage.title);
  }
  if (templateButtonReplyMessage) {
    return response(templateButtonReplyMessage.selectedId, templateButtonReplyMessage.selectedDisplayText);
  }
  return undefined;
}

function nativeFlowResponse({
  body,
  nativeFlowResponseMessage,
}: proto.Message.IInteractiveResponseMessage): InboundContent {
  const paramsJson = nativeFlowResponseMessage?.paramsJson ?? undefined;
  // Written by the phone and not validated.
  const params = paramsJson ? parsedJson(paramsJson) : {};
  const answer = response(stringIn(params, 'id'), body?.text ?? stringIn(params, 'title'));
  return paramsJson === undefined ? answer : { ...answer, paramsJson: boundedText(paramsJson) };
}

function response(id: string | null | undefined, text: string | null | undefined) {
  return {
    kind: 'button_response',
    selectedId: boundedText(id ?? ''),
    selectedText: boundedText(text ?? ''),
  } as const;
}

function stringIn(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}

const { Type } = proto.Message.ProtocolMessage;

/** Protocol messages that are visible to a person: an edit, a deletion, a change of the disappearing timer. */
function protocolContent({ protocolMessage }: proto.IMessage, head: MessageHead): InboundContent | undefined {
  switch (protocolMessage?.type) {
    case Type.MESSAGE_EDIT: {
      const text = protocolMessage.editedMessage && textIn(protocolMessage.editedMessage);
      const editedId = protocolMessage.key?.id;
      const isAnothers = namesAnother(protocolMessage.key, head);
      return {
        kind: 'other',
        text: boundedText(text ?? ''),
        ...(editedId ? { editedId: boundedId(editedId) } : {}),
        ...(isAnothers ? ({ changesAnothers: true } as const) : {}),
      };
    }
    case Type.REVOKE: {
      const revokedId = protocolMessage.key?.id;
      if (!revokedId) return undefined;
      const byAdmin = head.isByAdmin ? { revokedByAdmin: head.isByAdmin } : {};
      const isAnothers = !head.isByAdmin && namesAnother(protocolMessage.key, head);
      const anothers = isAnothers ? ({ changesAnothers: true } as const) : {};
      return { kind: 'other', text: '', revokedId: boundedId(revokedId), ...byAdmin, ...anothers };
    }
    case Type.EPHEMERAL_SETTING:
      return { kind: 'other', text: '' };
    default:
      return undefined;
  }
}

/** Whether a message about another one names a different author for it. */
function namesAnother(
  key: proto.IMessageKey | null | undefined,
  { sender, senderPhone, senderLid }: MessageHead,
): boolean {
  if (!key || key.fromMe) return false;
  const author = accountOf(key.participant);
  return author ? ![sender, senderPhone, senderLid].includes(author) : key.fromMe === false;
}

/** Messages of the own phone that the library processes: keys and history. */
export function isForTheLibrary({ protocolMessage }: proto.IMessage): boolean {
  switch (protocolMessage?.type) {
    case Type.HISTORY_SYNC_NOTIFICATION:
    case Type.APP_STATE_SYNC_KEY_SHARE:
    case Type.LID_MIGRATION_MAPPING_SYNC:
    case Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE:
      return true;
    default:
      return false;
  }
}

const MOST_CARDS = 256;

/** People on the contact cards of a message. */
function contactCards({ contactMessage, contactsArrayMessage }: proto.IMessage): ContactCard[] {
  const cards = contactMessage ? [contactMessage] : (contactsArrayMessage?.contacts ?? []);
  return cards.slice(0, MOST_CARDS).map(({ displayName, vcard }) => {
    const text = boundedText(vcard ?? '');
    return { name: boundedName(displayName ?? ''), phones: phonesIn(text), vcard: text };
  });
}
