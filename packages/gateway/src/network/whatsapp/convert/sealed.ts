import { createDecipheriv, hkdfSync } from 'node:crypto';
import { normalizeMessageContent, proto } from 'baileys';
import { decoded } from '#kernel';
import type { EventResponse, PollContent, UpdateKind } from '../../content.ts';
import { boundedId, boundedName, boundedText, finite } from './bounds.ts';
import type { MessageHead } from './head.ts';
import { MOST_OPTIONS, pollContent, type ReadContent, readContent } from './inbound.ts';
import { accountOf } from './jid.ts';
import { marksOf, textIn } from './marks.ts';
import { bytesIn } from './protobuf.ts';

/** An update of a message that is encrypted once more, under a key from the secret of that message. */
export interface SealedUpdate {
  readonly kind: UpdateKind | 'vote';
  /** The message that it is about. */
  readonly target: proto.IMessageKey;
  readonly iv: Uint8Array;
  readonly payload: Uint8Array;
}

interface UseCase {
  /** Last part of the key's derivation. */
  readonly label: string;
  /** The network binds message and sender of the update to the ciphertext. */
  readonly isBound?: true;
  /** Phones accept it from the author of the message only. */
  readonly isByAuthor?: true;
}

/** Null: sealed in a way that this version does not know. */
const USE_CASES: Readonly<Record<SealedUpdate['kind'], UseCase | null>> = {
  vote: { label: 'Poll Vote', isBound: true },
  event_response: { label: 'Event Response', isBound: true },
  reaction: { label: 'Enc Reaction' },
  comment: { label: 'Enc Comment' },
  edit: { label: 'Message Edit', isByAuthor: true },
  event_edit: { label: 'Event Edit', isByAuthor: true },
  poll_edit: { label: 'Poll Edit', isByAuthor: true },
  poll_option: { label: 'Poll Add Option' },
  unknown: null,
};

const { SecretEncType } = proto.Message.SecretEncryptedMessage;

/** `SecretEncType`; the library's schema lacks the last two. */
const BY_TYPE: ReadonlyMap<number, UpdateKind> = new Map<number, UpdateKind>([
  [SecretEncType.EVENT_EDIT, 'event_edit'],
  [SecretEncType.MESSAGE_EDIT, 'edit'],
  [4, 'poll_edit'],
  [5, 'poll_option'],
]);

/** Undefined for a message that is no such update; parts that it lacks are empty. */
export function sealedUpdateIn(message: proto.IMessage): SealedUpdate | undefined {
  const inner = normalizeMessageContent(message);
  const { pollUpdateMessage, encReactionMessage, encCommentMessage } = inner ?? {};
  const { encEventResponseMessage, secretEncryptedMessage } = inner ?? {};
  if (pollUpdateMessage) {
    return sealed('vote', pollUpdateMessage.pollCreationMessageKey, pollUpdateMessage.vote ?? {});
  }
  if (encReactionMessage) return sealed('reaction', encReactionMessage.targetMessageKey, encReactionMessage);
  if (encCommentMessage) return sealed('comment', encCommentMessage.targetMessageKey, encCommentMessage);
  if (encEventResponseMessage) {
    return sealed('event_response', encEventResponseMessage.eventCreationMessageKey, encEventResponseMessage);
  }
  if (!secretEncryptedMessage) return undefined;
  const kind = BY_TYPE.get(secretEncryptedMessage.secretEncType ?? 0) ?? 'unknown';
  return sealed(kind, secretEncryptedMessage.targetMessageKey, secretEncryptedMessage);
}

function sealed(
  kind: SealedUpdate['kind'],
  target: proto.IMessageKey | null | undefined,
  { encIv, encPayload }: proto.Message.IPollEncValue,
): SealedUpdate {
  return {
    kind,
    target: target ?? {},
    iv: encIv ?? new Uint8Array(),
    payload: encPayload ?? new Uint8Array(),
  };
}

export function isOnlyByAuthor({ kind }: SealedUpdate): boolean {
  return USE_CASES[kind]?.isByAuthor === true;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Decrypts an update. The addresses of author and updater are part of the key, and phones differ in which of an
 * account's two addresses they use: all are tried.
 */
export function openUpdate(
  update: SealedUpdate,
  { secret, authors }: { readonly secret: Uint8Array; readonly authors: readonly string[] },
  updaters: readonly string[],
): Uint8Array | undefined {
  const useCase = USE_CASES[update.kind];
  if (!useCase || update.iv.length !== IV_BYTES || update.payload.length < TAG_BYTES) return undefined;
  for (const author of authors) {
    for (const updater of updaters) {
      const plaintext = decoded(() => openWith(useCase, update, secret, author, updater));
      if (plaintext) return plaintext;
    }
  }
  return undefined;
}

function openWith(
  { label, isBound }: UseCase,
  { target: { id }, iv, payload }: SealedUpdate,
  secret: Uint8Array,
  author: string,
  updater: string,
): Uint8Array {
  const info = `${id}${author}${updater}${label}`;
  const key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), info, KEY_BYTES));
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  if (isBound) decipher.setAAD(Buffer.from(`${id}\0${updater}`));
  decipher.setAuthTag(payload.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(payload.subarray(0, -TAG_BYTES)), decipher.final()]);
}

/** What an update is to people; undefined when it has no valid content. `poll`: the one that it is about, as known here. */
export function readUpdateContent(
  { kind, target }: SealedUpdate,
  plaintext: Uint8Array,
  head: MessageHead,
  poll: PollContent | undefined,
): ReadContent | undefined {
  const targetId = boundedId(target.id ?? '');
  switch (kind) {
    case 'edit':
      return editContent(targetId, decodeMessage(plaintext), (edited) => textIn(edited));
    case 'event_edit':
      return editContent(targetId, decodeMessage(plaintext), ({ eventMessage }) => eventMessage?.name);
    case 'poll_edit': {
      const edited = editedIn(decodeMessage(plaintext));
      const content = edited && pollContent(edited);
      return content && { content: { ...content, editedId: targetId } };
    }
    case 'poll_option': {
      const option = addedOption(plaintext);
      if (!poll || option === undefined) return undefined;
      const options = [...new Set([...poll.options, option])].slice(0, MOST_OPTIONS);
      return { content: { ...poll, options, editedId: targetId } };
    }
    case 'reaction': {
      const reaction = decoded(() => proto.Message.ReactionMessage.decode(plaintext));
      return reaction && { content: { kind: 'reaction', targetId, emoji: boundedName(reaction.text ?? '') } };
    }
    case 'comment': {
      const message = decodeMessage(plaintext);
      const read = message && readContent(message.commentMessage?.message ?? message, head);
      const author = accountOf(target.participant);
      return read && { ...read, quote: { messageId: targetId, ...(author ? { participant: author } : {}) } };
    }
    case 'event_response': {
      const answer = decoded(() => proto.Message.EventResponseMessage.decode(plaintext));
      if (!answer) return undefined;
      const response = RESPONSES[answer.response ?? 0] ?? 'unknown';
      const extraGuests = finite(answer.extraGuestCount);
      return { content: { kind: 'other', text: '', eventResponse: { targetId, response, extraGuests } } };
    }
    default:
      return undefined;
  }
}

/** By `EventResponseType`. */
const RESPONSES: readonly EventResponse['response'][] = ['unknown', 'going', 'not_going', 'maybe'];

function decodeMessage(plaintext: Uint8Array): proto.IMessage | undefined {
  return decoded(() => proto.Message.decode(plaintext));
}

function editedIn(message: proto.IMessage | undefined): proto.IMessage | undefined {
  const edited = message?.protocolMessage?.editedMessage;
  return (edited && normalizeMessageContent(edited)) ?? undefined;
}

function editContent(
  editedId: string,
  message: proto.IMessage | undefined,
  read: (edited: proto.IMessage) => string | null | undefined,
): ReadContent | undefined {
  const edited = editedIn(message);
  if (!edited) return undefined;
  const content = { kind: 'other', text: boundedText(read(edited) ?? ''), editedId } as const;
  return { content, ...marksOf(edited, edited) };
}

/** Numbers of `Message.pollAddOptionMessage.addOption.optionName`, which the library's schema lacks. */
const ADD_OPTION = [121, 2, 1] as const;

function addedOption(plaintext: Uint8Array): string | undefined {
  let bytes: Uint8Array | undefined = plaintext;
  for (const field of ADD_OPTION) bytes = bytesIn(bytes, field);
  return bytes && boundedText(Buffer.from(bytes).toString());
}
