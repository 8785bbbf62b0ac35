import type { Call, CallOptions, SendOptions } from './call.ts';
import { chats } from './generated/methods.ts';
import type { KeptMessage, MessageEvent, SendMedia, SendText } from './generated/types.ts';
import type { AcceptedMessage, messagesOf } from './messages.ts';

/** A `message` event, or any object with these two fields. */
export type ConversationPlace = Pick<MessageEvent, 'session_id' | 'chat_jid'> & Partial<Quotable>;

/** Message to quote: from an event or from the history. */
export type Quotable = Pick<MessageEvent, 'message_id' | 'sender_jid' | 'text'>;

type Addressed = 'session_id' | 'to';
type Quoting = 'quoted_message_id' | 'quoted_participant' | 'quoted_text';

/** Text, or all fields of a text or media message. */
export type Saying = string | Omit<SendText, Addressed | Quoting> | Omit<SendMedia, Addressed | Quoting>;

export interface ReplyOptions extends SendOptions {
  /** Message to quote; by default the one of the event that the conversation was opened with. */
  readonly to?: Quotable | undefined;
}

/** Chat of one number. */
export interface Conversation {
  readonly sessionId: string;
  readonly jid: string;
  /** Sends a message without a quote. */
  send(saying: Saying, options?: SendOptions): Promise<AcceptedMessage>;
  /**
   * Sends a reply that quotes a message. For a conversation opened with an event, the Idempotency-Key of its first, second …
   * reply is derived from the event, so that a repeated delivery of the event sends no second reply.
   */
  reply(saying: Saying, options?: ReplyOptions): Promise<AcceptedMessage>;
  /** Messages, newest first, fetched page by page while they are read. For numbers that keep their conversations. */
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
