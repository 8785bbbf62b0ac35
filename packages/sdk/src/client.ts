import { type Call, createCall } from './call.ts';
import { type ConnectOptions, connectionOf, platformOf } from './connect.ts';
import { conversationsOf } from './conversation.ts';
import { eventsOf } from './events.ts';
import * as methods from './generated/methods.ts';
import { messagesOf } from './messages.ts';
import { pairingOf } from './pairing.ts';
import type { Platform } from './platform.ts';
import { webhooksOf } from './webhooks.ts';

export interface ParleyOptions extends ConnectOptions {
  /** A key of the account: `pk_…`. Required; the type lets an environment variable pass as it is. */
  readonly apiKey: string | undefined;
}

/** Everything that an API key of an account can do, grouped by noun. */
export interface Parley {
  readonly pairing: ReturnType<typeof pairingOf>;
  readonly sessions: ReturnType<typeof methods.sessions>;
  readonly groups: ReturnType<typeof methods.groups>;
  readonly contacts: ReturnType<typeof methods.contacts>;
  readonly profile: ReturnType<typeof methods.profile>;
  readonly chats: ReturnType<typeof methods.chats>;
  readonly blocklist: ReturnType<typeof methods.blocklist>;
  readonly channels: ReturnType<typeof methods.channels>;
  readonly messages: ReturnType<typeof messagesOf>;
  /** One chat: opened with a `message` event, or with `session_id` and `chat_jid`. */
  readonly conversation: ReturnType<typeof conversationsOf>;
  readonly media: ReturnType<typeof methods.media>;
  readonly webhooks: ReturnType<typeof webhooksOf>;
  readonly events: ReturnType<typeof eventsOf>;
  readonly terms: ReturnType<typeof methods.terms>;
  /** Any request of the API, for what this version of the SDK has no method for: with the same key, retries and errors. */
  readonly request: Call;
}

/** The second argument is for tests, which step the clock themselves. */
export function createParley(options: ParleyOptions, platform: Platform = platformOf(options)): Parley {
  if (!options.apiKey) throw new TypeError('apiKey is required');
  const connection = connectionOf(options, options.apiKey);
  const call = createCall(connection, platform);
  const messages = messagesOf(call, platform);
  return {
    pairing: pairingOf(call, platform),
    sessions: methods.sessions(call),
    groups: methods.groups(call),
    contacts: methods.contacts(call),
    profile: methods.profile(call),
    chats: methods.chats(call),
    blocklist: methods.blocklist(call),
    channels: methods.channels(call),
    messages,
    conversation: conversationsOf(call, messages),
    media: methods.media(call),
    webhooks: webhooksOf(call),
    events: eventsOf(call, connection, platform),
    terms: methods.terms(call),
    request: call,
  };
}
