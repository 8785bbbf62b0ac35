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
  /** API key of the account: `pk_…`. Required; the type accepts an environment variable unchecked. */
  readonly apiKey: string | undefined;
}

/** Nouns with more than the operations of the API. */
interface Helpers {
  readonly pairing: ReturnType<typeof pairingOf>;
  readonly messages: ReturnType<typeof messagesOf>;
  readonly webhooks: ReturnType<typeof webhooksOf>;
  readonly events: ReturnType<typeof eventsOf>;
}

type Nouns = Readonly<ReturnType<typeof methods.all>>;

/** Operations of an account's API key, grouped by noun. */
export interface Parley extends Omit<Nouns, keyof Helpers>, Helpers {
  /** One chat, given by a `message` event, or by `session_id` and `chat_jid`. */
  readonly conversation: ReturnType<typeof conversationsOf>;
  /** Any request of the API, for operations that this version of the SDK does not know: with the same key, retries and errors. */
  readonly request: Call;
}

/** The second argument is for tests, which step the clock. */
export function createParley(options: ParleyOptions, platform: Platform = platformOf(options)): Parley {
  if (!options.apiKey) throw new TypeError('apiKey is required');
  const connection = connectionOf(options, options.apiKey);
  const call = createCall(connection, platform);
  const messages = messagesOf(call, platform);
  return {
    ...methods.all(call),
    pairing: pairingOf(call, platform),
    messages,
    conversation: conversationsOf(call, messages),
    webhooks: webhooksOf(call),
    events: eventsOf(call, connection, platform),
    request: call,
  };
}
