import { createHash } from 'node:crypto';
import { proto } from 'baileys';
import type { PastChat, PastHistory, PastPart, PastTaker } from '../../past.ts';
import { boundedSeconds, isGroup, isPerson } from '../convert/index.ts';
import { personAt } from '../receive/people.ts';
import type { SessionContext } from '../session-context.ts';
import { type Conversation, visitConversations } from './conversations.ts';
import { readPastMessage } from './past-messages.ts';
import type { Collector } from './walk.ts';

const { HistorySyncType } = proto.Message;
const TYPES: ReadonlyMap<unknown, PastHistory['type']> = new Map([
  [HistorySyncType.INITIAL_BOOTSTRAP, 'initial'],
  [HistorySyncType.RECENT, 'recent'],
  [HistorySyncType.FULL, 'full'],
  [HistorySyncType.ON_DEMAND, 'on_demand'],
]);

/** Undefined when it has no conversations in it. */
export function pastHistoryOf(
  { syncType, progress }: proto.Message.IHistorySyncNotification,
  linkId: string,
  messageId: string,
): PastHistory | undefined {
  const type = TYPES.get(syncType);
  if (!type) return undefined;
  const id = createHash('sha256').update(`${linkId} ${messageId}`).digest('base64url').slice(0, 22);
  const isTold = typeof progress === 'number' && progress >= 0 && progress <= 100;
  return { id, type, ...(isTold && { progress }) };
}

/** So much of a history is held at a time, about. */
const MOST_MESSAGES = 200;
const MOST_BYTES = 512 * 1024;

/** Collects messages and chats for whoever takes them. */
export function createPastCollector(
  context: Pick<SessionContext, 'vault' | 'me'>,
  taker: PastTaker,
): Collector {
  let messages: Uint8Array[] = [];
  let conversations: Conversation[] = [];
  let bytes = 0;

  async function chatsOf(told: readonly Conversation[]): Promise<PastChat[]> {
    const chats = await Promise.all(
      told.filter(isWorthTelling).map(async ({ id, lastAt, unread, archived, pinned, mutedUntil }) => {
        const chat = await personAt(context.vault(), id);
        return { chat, upTo: boundedSeconds(lastAt), unread, archived, pinned, mutedUntil };
      }),
    );
    return chats.filter(({ chat }) => isGroup(chat) || isPerson(chat));
  }

  return {
    visitor: visitConversations({
      message(encoded) {
        messages.push(encoded);
        bytes += encoded.length;
      },
      conversation: (conversation) => void conversations.push(conversation),
    }),
    isFull: () => messages.length + conversations.length >= MOST_MESSAGES || bytes >= MOST_BYTES,
    async flush() {
      const [encoded, told] = [messages, conversations];
      [messages, conversations, bytes] = [[], [], 0];
      const me = context.me();
      const read: Pick<PastPart, 'messages' | 'receipts'>[] = [];
      for (const one of encoded) read.push(await readPastMessage(context.vault(), one, me));
      const part: PastPart = {
        messages: read.flatMap((each) => each.messages),
        receipts: read.flatMap((each) => each.receipts),
        chats: await chatsOf(told),
      };
      if (part.messages.length > 0 || part.chats.length > 0) await taker.take(part);
    },
  };
}

/** People of the address book are told as chats too, though nothing was ever said there; and in later parts, chats by their messages alone. */
function isWorthTelling({ hasMessages, lastAt, ...owned }: Conversation): boolean {
  const { unread, archived, pinned, mutedUntil } = owned;
  return (hasMessages && lastAt > 0) || unread > 0 || archived || pinned || mutedUntil !== null;
}
