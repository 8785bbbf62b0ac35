import type { Call, CallOptions, SendOptions } from './call.ts';
import { chats } from './generated/methods.ts';
import type { KeptMessage, MessageEvent, SendMedia, SendText } from './generated/types.ts';
import type { AcceptedMessage, messagesOf } from './messages.ts';

/** Where it is held: a `message` event, or the same two fields of anything else. */
export type ConversationPlace = Pick<MessageEvent, 'session_id' | 'chat_jid'> & Partial<Quotable>;

/** The message that a reply quotes: one that came as an event, or one that was read back. */
export type Quotable = Pick<MessageEvent, 'message_id' | 'sender_jid' | 'text'>;

type Addressed = 'session_id' | 'to';
type Quoting = 'quoted_message_id' | 'quoted_participant' | 'quoted_text';

/** What is said: words, or everything that a text or a file may carry. */
export type Saying = string | Omit<SendText, Addressed | Quoting> | Omit<SendMedia, Addressed | Quoting>;

export interface ReplyOptions extends SendOptions {
  /** What is quoted; by default the message that the conversation was opened with. */
  readonly to?: Quotable | undefined;
}

/** One chat of one number. */
export interface Conversation {
  readonly sessionId: string;
  readonly jid: string;
  /** Says something, without quoting anything. */
  send(saying: Saying, options?: SendOptions): Promise<AcceptedMessage>;
  /**
   * Answers a message by quoting it. The first, second … reply of a conversation that was opened with an event has an Idempotency-Key that
   * follows from that event: should it come twice, as events may, it is answered once.
   */
  reply(saying: Saying, options?: ReplyOptions): Promise<AcceptedMessage>;
  /** What was said, the newest first, fetched page by page as it is read. For numbers that keep their conversations. */
  messages(query?: { readonly q?: string }, options?: CallOptions): AsyncGenerator<KeptMessage, void, void>;
  markRead(options?: CallOptions): Promise<void>;
}

export function conversationsOf(call: Call, { send }: Pick<ReturnType<typeof messagesOf>, 'send'>) {
  const methods = chats(call);

  return function conversation(place: ConversationPlace): Conversation {
    const { session_id, chat_jid: jid } = place;
    const opening = quotable(place);
    let replies = 0;

    const say = (saying: Saying, quote: object, options?: SendOptions): Promise<AcceptedMessage> =>
      send(
        { session_id, to: jid, ...(typeof saying === 'string' ? { text: saying } : saying), ...quote },
        options,
      );

    return {
      sessionId: session_id,
      jid,
      send: (saying, options) => say(saying, {}, options),
      async reply(saying, { to = opening, ...options } = {}) {
        if (!to) throw new TypeError('there is no message to reply to: pass it as `to`');
        const { message_id, sender_jid, text } = to;
        const quote = { quoted_message_id: message_id, quoted_participant: sender_jid, quoted_text: text };
        const ownKey = opening && `reply-${opening.message_id}-${++replies}`;
        return say(saying, quote, { ...options, idempotencyKey: options.idempotencyKey ?? ownKey });
      },
      async *messages({ q } = {}, options) {
        let before: string | undefined;
        do {
          const page = await methods.messages(session_id, jid, { q, before }, options);
          yield* page.messages;
          before = page.next_cursor ?? undefined;
        } while (before !== undefined);
      },
      async markRead(options) {
        await methods.markRead(session_id, jid, options);
      },
    };
  };
}

function quotable({ message_id, sender_jid, text }: Partial<Quotable>): Quotable | undefined {
  if (message_id === undefined || sender_jid === undefined) return undefined;
  return { message_id, sender_jid, text: text ?? '' };
}
