import type { FieldVisitor } from './walk.ts';

/** What a phone's history says of conversations, as it says it. */
export interface ConversationSink {
  /** An encoded `WebMessageInfo`. */
  message(bytes: Uint8Array): void;
  /** Told when its messages have been. */
  conversation(conversation: Conversation): void;
}

export interface Conversation {
  /** As the phone addresses it. */
  readonly id: string;
  readonly hasMessages: boolean;
  /** Epoch seconds of the last that happened there; 0 when it is not told. */
  readonly lastAt: number;
  readonly unread: number;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Epoch ms; -1 for ever, null when it is not muted. */
  readonly mutedUntil: number | null;
}

/** `HistorySync`, of which nothing but the conversations is looked at. */
export function visitConversations(sink: ConversationSink): FieldVisitor {
  const CONVERSATIONS = 2;
  return { enter: (field) => (field === CONVERSATIONS ? visitConversation(sink) : undefined) };
}

const [ID, MESSAGES] = [1, 2];
const [LAST_MESSAGE_AT, UNREAD, TOUCHED_AT, ARCHIVED, MARKED_UNREAD, PINNED_AT, MUTE_END] = [
  5, 6, 12, 16, 19, 24, 25,
];
/** Of `HistorySyncMsg`. */
const MESSAGE = 1;

function visitConversation(sink: ConversationSink): FieldVisitor {
  const numbers = new Map<number, number>();
  let id = '';
  let hasMessages = false;
  const numberOf = (field: number): number => numbers.get(field) ?? 0;
  const messages: FieldVisitor = {
    enter: (field) => (field === MESSAGE ? 'message' : undefined),
    bytes: (_field, bytes) => sink.message(bytes),
  };
  return {
    enter(field) {
      if (field === MESSAGES) {
        hasMessages = true;
        return messages;
      }
      return field === ID ? 'bytes' : undefined;
    },
    bytes(_field, bytes) {
      id = Buffer.from(bytes).toString();
    },
    number: (field, value) => void numbers.set(field, value),
    leave: () =>
      sink.conversation({
        id,
        hasMessages,
        lastAt: Math.max(numberOf(LAST_MESSAGE_AT), numberOf(TOUCHED_AT)),
        unread: Math.max(numberOf(UNREAD), numberOf(MARKED_UNREAD)),
        archived: numberOf(ARCHIVED) === 1,
        pinned: numberOf(PINNED_AT) > 0,
        mutedUntil: muteEnd(numberOf(MUTE_END)),
      }),
  };
}

/** Later than this is for ever; and no time in milliseconds is as early as this, if it were seconds. */
const [FOR_EVER_MS, LAST_SECOND] = [253_402_300_799_000, 253_402_300_799];

/** Phones say it in seconds, and some in milliseconds. */
function muteEnd(told: number): number | null {
  if (told === 0) return null;
  if (told > FOR_EVER_MS) return -1;
  return told > LAST_SECOND ? told : told * 1_000;
}
