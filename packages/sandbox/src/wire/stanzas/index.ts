import type { AddressBook } from '../app-state/address-book.ts';
import type { Collections } from '../app-state/collections.ts';
import { createAppStateHandler } from '../app-state/handler.ts';
import type { Blobs } from '../media/blobs.ts';
import type { Pictures } from '../media/pictures.ts';
import type { MediaShelf } from '../media/shelf.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import { createMessageHandler } from '../messages/handler.ts';
import { createReadings } from '../messages/readings.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { createCallHandler } from './calls.ts';
import { createMexHandler, createNewsletterHandler } from './channels.ts';
import type { ContentContexts } from './content-contexts.ts';
import { createGroupsHandler } from './groups.ts';
import { agreed, createIqHandler, type IqHandler } from './iq.ts';
import { createKeysHandler } from './keys.ts';
import { createMediaConnectionHandler } from './media-connection.ts';
import { createMediaRetryHandler } from './media-retry.ts';
import { createPresenceHandler, createTypingHandler } from './presence.ts';
import { createPrivacyHandler } from './privacy.ts';
import {
  createAboutHandler,
  createBlocklistHandler,
  createBusinessHandler,
  createPictureHandler,
  createUnlinkHandler,
} from './profile.ts';
import { createReceiptHandler } from './receipts.ts';
import { createUsyncHandler } from './usync.ts';

/** Everything that a linked device may say, by the tag of its stanza. */
export function createHandlers({
  network,
  contexts,
  shelf,
  collections,
  book,
  blobs,
  pictures,
  clean,
  mediaHost,
  forwarding,
}: {
  network: Network;
  contexts: ContentContexts;
  shelf: MediaShelf;
  collections: Collections;
  book: AddressBook;
  blobs: Blobs;
  pictures: Pictures;
  clean: IqHandler;
  mediaHost: string;
  forwarding: Forwarding;
}): Readonly<Record<string, StanzaHandler>> {
  return {
    iq: createIqHandler(network, {
      abt: agreed,
      blocklist: createBlocklistHandler(network),
      disappearing_mode: agreed,
      encrypt: createKeysHandler(network),
      md: createUnlinkHandler(network),
      newsletter: createNewsletterHandler(network, contexts),
      passive: agreed,
      privacy: createPrivacyHandler(network),
      status: createAboutHandler(network),
      'urn:xmpp:whatsapp:dirty': clean,
      usync: createUsyncHandler(network),
      // how older clients ask for what newer ones ask `abt` for
      w: agreed,
      'w:biz': createBusinessHandler(network),
      'w:g2': createGroupsHandler(network),
      'w:m': createMediaConnectionHandler({ mediaHost, random: network.random }),
      'w:mex': createMexHandler(network, pictures),
      'w:p': agreed,
      'w:profile:picture': createPictureHandler(network, pictures),
      'w:stats': agreed,
      'w:sync:app:state': createAppStateHandler({ collections, book, blobs }),
    }),
    message: createMessageHandler({
      network,
      readings: createReadings(network, contexts),
      forwarding,
      contexts,
    }),
    receipt: createReceiptHandler(network, createMediaRetryHandler(network, shelf)),
    presence: createPresenceHandler(network),
    chatstate: createTypingHandler(network),
    call: createCallHandler(network),
  };
}
