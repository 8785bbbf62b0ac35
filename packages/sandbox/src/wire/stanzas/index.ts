import type { StanzaHandler } from '../login/session.ts';
import type { Network } from '../network.ts';
import { createCallHandler } from './calls.ts';
import type { ContentContexts } from './content-contexts.ts';
import { agreed, createIqHandler } from './iq.ts';
import { createKeysHandler } from './keys.ts';
import { createMessageHandler } from './message.ts';
import { createMessageReader } from './message-reader.ts';
import { createPresenceHandler, createTypingHandler } from './presence.ts';
import { createReceiptHandler } from './receipts.ts';
import { createUsyncHandler } from './usync.ts';

/** Everything that a linked device may say, by the tag of its stanza. */
export function createHandlers({
  network,
  contexts,
}: {
  network: Network;
  contexts: ContentContexts;
}): Readonly<Record<string, StanzaHandler>> {
  return {
    iq: createIqHandler(
      {
        abt: agreed,
        encrypt: createKeysHandler(network),
        passive: agreed,
        'urn:xmpp:whatsapp:dirty': agreed,
        usync: createUsyncHandler(network),
        'w:p': agreed,
        'w:stats': agreed,
      },
      network.log,
    ),
    message: createMessageHandler({ network, reader: createMessageReader(network), contexts }),
    receipt: createReceiptHandler(network),
    presence: createPresenceHandler(network),
    chatstate: createTypingHandler(network),
    call: createCallHandler(network),
  };
}
