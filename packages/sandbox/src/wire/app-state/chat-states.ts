import { createKeyedQueue } from '@parley/contract/plain';
import { proto, type WAPatchName } from 'baileys';
import { type ChatChange, type News, networkJid, type PhoneNumber, type World } from '../../world/index.ts';
import type { Collections } from './collections.ts';
import type { Entry } from './syncd.ts';

type ChatStateNews = Extract<News, { kind: 'chat_state' }>;

/** Writes the chat changes of a phone's owner into its app state. */
export interface ChatStatePublisher {
  /** Writes once per change, however many devices get it; returns the name of the collection. */
  publish(phone: PhoneNumber, news: ChatStateNews): Promise<WAPatchName>;
}

const publishedScope = (phone: PhoneNumber): string => `app-state.chats.${phone}`;

export function createChatStatePublisher({
  world: { vault },
  collections,
}: {
  world: Pick<World, 'vault'>;
  collections: Collections;
}): ChatStatePublisher {
  const queued = createKeyedQueue();
  return {
    publish: (phone, news) =>
      queued(phone, async () => {
        const { name, ...entry } = entryOf(news);
        // The change of a linked device is in the app state already.
        if (news.by !== 0 || vault.read(publishedScope(phone), news.id)) return name;
        await collections.write(phone, name, [entry]);
        vault.write(publishedScope(phone), news.id, new Uint8Array([1]));
        return name;
      }),
  };
}

function entryOf({ id, chat, change, at }: ChatStateNews): Entry & { readonly name: WAPatchName } {
  const jid = chat.kind === 'direct' ? networkJid(chat.person, id) : chat.jid;
  const { kind, action, name, version, more = [] } = actionOf(change, Math.floor(at / 1000));
  const value = proto.SyncActionValue.encode({ timestamp: at, ...action }).finish();
  return { index: [kind, jid, ...more], value, version, name };
}

interface Action {
  readonly kind: string;
  readonly action: proto.ISyncActionValue;
  readonly name: WAPatchName;
  readonly version: number;
  readonly more?: readonly string[];
}

function actionOf(change: ChatChange, nowSeconds: number): Action {
  const messageRange = { lastMessageTimestamp: nowSeconds };
  switch (change.type) {
    case 'archive': {
      const action = { archiveChatAction: { archived: change.on, messageRange } };
      return { kind: 'archive', action, name: 'regular_low', version: 3 };
    }
    case 'pin':
      return {
        ...{ kind: 'pin_v1', action: { pinAction: { pinned: change.on } } },
        ...{ name: 'regular_low', version: 5 },
      };
    case 'unread': {
      const action = { markChatAsReadAction: { read: !change.on, messageRange } };
      return { kind: 'markChatAsRead', action, name: 'regular_low', version: 3 };
    }
    case 'mute': {
      const { until } = change;
      const muteAction = { muted: until !== null, ...(until !== null && { muteEndTimestamp: until }) };
      return { kind: 'mute', action: { muteAction }, name: 'regular_high', version: 2 };
    }
    case 'delete': {
      const action = { deleteChatAction: { messageRange } };
      return { kind: 'deleteChat', action, name: 'regular_high', version: 6, more: ['1'] };
    }
    default:
      throw new Error(`a phone does not publish ${change.type}`);
  }
}
