import type { proto } from 'baileys';
import type { MessageEvent, NetworkEvent, PollVoteEvent } from '../../events.ts';
import {
  isForTheLibrary,
  isLid,
  isPerson,
  type Me,
  readHead,
  type StanzaAttrs,
  sealedUpdateIn,
  toMessageEvent,
} from '../convert/index.ts';
import type { Log } from '../guards/index.ts';
import { decodePlaintext, type JournalEntry } from '../journal/journal.ts';
import type { Vault } from '../vault/index.ts';
import { learnUsername, nameOfChat, phoneBehind, usernameOf } from './people.ts';
import { authorsOf, readUpdate } from './sealed-updates.ts';

/** Converts journal entries into events, in the same way at arrival and after a crash. */
export function createEventReader({
  vault,
  me,
  log,
  onSender,
  onAnswer,
  onUnreadUpdate,
}: {
  vault: Pick<Vault, 'read' | 'commit'>;
  me: () => Me;
  log: Pick<Log, 'warn'>;
  /** Called with the name that a sender gives with each message. */
  onSender: (jid: string, pushName: string) => void;
  /** Called with messages that the library processes, which may answer a request to the own phone. */
  onAnswer: (message: proto.IMessage, attrs: StanzaAttrs) => void;
  /** Called with the kind of an update that cannot be decrypted. */
  onUnreadUpdate: (kind: string) => void;
}): (entry: JournalEntry, canWait: boolean) => Promise<readonly NetworkEvent[] | 'later'> {
  async function toEvents(
    message: proto.IMessage,
    attrs: StanzaAttrs,
    canWait: boolean,
  ): Promise<readonly NetworkEvent[] | 'later'> {
    const head = readHead(attrs, me());
    if (!head) return [];
    if (!head.fromMe && head.senderName) onSender(head.senderPhone ?? head.sender, head.senderName);
    const update = sealedUpdateIn(message);
    const event = update
      ? await readUpdate(
          { vault, me: me(), log, canWait, onUnread: onUnreadUpdate },
          message,
          update,
          head,
          authorsOf(head, attrs, me()),
        )
      : toMessageEvent(message, head);
    if (event === 'later') return event;
    if (!event) return [];
    return [
      event.kind === 'message' ? await withUsername(await named(vault, event)) : await named(vault, event),
    ];
  }

  /** The network sends a username with some messages only, so it is stored and added to all later ones. */
  async function withUsername(event: MessageEvent): Promise<MessageEvent> {
    const { senderLid, senderUsername } = event;
    if (!senderLid || event.fromMe) return event;
    if (senderUsername) {
      await learnUsername(vault, senderLid, senderUsername);
      return event;
    }
    const known = await usernameOf(vault, senderLid);
    return known ? { ...event, senderUsername: known } : event;
  }

  return async (entry, canWait) => {
    if (entry.kind === 'placeholder') return [];
    if (entry.kind === 'event') {
      const { event } = entry;
      return [event.kind === 'message' ? await withUsername(await named(vault, event)) : event];
    }
    const message = decodePlaintext(entry.plaintext);
    if (!message) return [];
    if (!isForTheLibrary(message)) return toEvents(message, entry.attrs, canWait);
    onAnswer(message, entry.attrs);
    return [];
  };
}

/**
 * Names the chat, and the author of a story, in a stable way: also where the network sends the other address
 * this time, or hides the number. The id of the event depends on the stanza alone, so that copies of it are
 * recognized across restarts.
 */
export async function named<E extends MessageEvent | PollVoteEvent>(
  vault: Pick<Vault, 'read' | 'commit'>,
  event: E,
): Promise<E> {
  const isVote = event.kind === 'poll_vote';
  const isDirect = isPerson(event.chat);
  if (!isDirect && (isVote || !event.broadcast)) return event;
  const said = isDirect ? event.chat : (event as MessageEvent).sender;
  const otherAddress = isVote || event.fromMe ? undefined : isLid(said) ? event.senderPhone : event.senderLid;
  const name = await nameOfChat(vault, said, otherAddress);
  const chat = isDirect ? { chat: name } : {};
  if (isVote) return { ...event, ...chat, voter: name };
  if (event.fromMe) return { ...event, ...chat };
  const phone = event.senderPhone ?? (isLid(said) ? await phoneBehind(vault, said) : undefined);
  return { ...event, ...chat, sender: name, ...(phone ? { senderPhone: phone } : {}) };
}
