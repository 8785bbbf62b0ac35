import type { AddressBook } from '../app-state/address-book.ts';
import type { Collections } from '../app-state/collections.ts';
import { createAppStateHandler } from '../app-state/handler.ts';
import type { Blobs } from '../media/blobs.ts';
import type { MediaCredentials } from '../media/credentials.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Pictures } from '../media/pictures.ts';
import { createCopyReader } from '../messages/copy-reader.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import { createMessageHandler } from '../messages/handler.ts';
import type { PeerMessages } from '../messages/peer-messages.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { acceptTerms, createContactLinkHandler, listBots, registerForPush } from './account-services.ts';
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

/** Handlers of all stanzas of a linked device, by tag. */
export function createHandlers({
  network,
  contexts,
  mediaStore,
  collections,
  book,
  blobs,
  pictures,
  clean,
  mediaHosts,
  credentials,
  forwarding,
  peer,
}: {
  network: Network;
  contexts: ContentContexts;
  mediaStore: MediaStore;
  collections: Collections;
  book: AddressBook;
  blobs: Blobs;
  pictures: Pictures;
  clean: IqHandler;
  mediaHosts: () => readonly string[];
  credentials: MediaCredentials;
  forwarding: Forwarding;
  peer: PeerMessages;
}): Readonly<Record<string, StanzaHandler>> {
  return {
    iq: createIqHandler(network, {
      abt: agreed,
      blocklist: createBlocklistHandler(network),
      bot: listBots,
      disappearing_mode: agreed,
      encrypt: createKeysHandler(network),
      md: createUnlinkHandler(network),
      newsletter: createNewsletterHandler(network, contexts),
      passive: agreed,
      privacy: createPrivacyHandler(network),
      status: createAboutHandler(network),
      tos: acceptTerms,
      'urn:xmpp:whatsapp:dirty': clean,
      'urn:xmpp:whatsapp:push': registerForPush,
      usync: createUsyncHandler(network),
      // older clients ask by this name for what newer ones call `abt`
      w: agreed,
      'w:biz': createBusinessHandler(network),
      'w:g2': createGroupsHandler(network),
      'w:m': createMediaConnectionHandler({ mediaHosts, credentials }),
      'w:mex': createMexHandler(network, pictures),
      'w:p': agreed,
      'w:qr': createContactLinkHandler(network),
      'w:profile:picture': createPictureHandler(network, pictures),
      'w:stats': agreed,
      'w:sync:app:state': createAppStateHandler({ collections, book, blobs }),
    }),
    message: createMessageHandler({
      network,
      readings: createCopyReader(network, contexts),
      forwarding,
      contexts,
      peer,
    }),
    receipt: createReceiptHandler(network, createMediaRetryHandler(network, mediaStore)),
    presence: createPresenceHandler(network),
    chatstate: createTypingHandler(network),
    call: createCallHandler(network),
  };
}
