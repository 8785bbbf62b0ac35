import { proto } from 'baileys';
import type { AddressBook } from '../app-state/address-book.ts';
import type { Collections } from '../app-state/collections.ts';
import type { AccountSettings } from '../app-state/settings.ts';
import type { PeerMessages } from '../messages/peer-messages.ts';
import type { Network, Session } from '../network.ts';
import type { Node } from '../transport/nodes.ts';
import type { History } from './history.ts';

/** The messages of a phone to a device that it has just linked: the app-state key, then history and push names. */
export interface InitialSync {
  begin(session: Session): Promise<void>;
  /** Repeats at each login until the device has confirmed the last part. */
  answered(session: Session, receipt: Node): void;
}

const LAST_PART = 'names';
const idOf = (part: string): string => `INTRODUCTION-${part}`;
const { Type } = proto.Message.ProtocolMessage;

export function createInitialSync({
  network: { companions },
  peer,
  collections,
  book,
  settings,
  history,
}: {
  network: Network;
  peer: PeerMessages;
  collections: Collections;
  book: AddressBook;
  settings: AccountSettings;
  history: History;
}): InitialSync {
  const sendPart = ({ device }: Session, part: string, content: proto.Message.IProtocolMessage) =>
    peer.send(device, idOf(part), content);

  return {
    async begin(session) {
      const { phone } = session.device;
      await book.publishAll(phone);
      await settings.publish(phone);
      const { id, data } = collections.key(phone);
      await sendPart(session, 'keys', {
        type: Type.APP_STATE_SYNC_KEY_SHARE,
        appStateSyncKeyShare: { keys: [{ keyId: { keyId: id }, keyData: data }] },
      });
      await sendPart(session, 'contacts', await history.bootstrap(session.device));
      const recent = await history.recent(session.device);
      if (recent) await sendPart(session, 'recent', recent);
      await sendPart(session, LAST_PART, await history.names(phone));
    },

    answered({ device }, receipt) {
      if (receipt.attrs.id === idOf(LAST_PART)) companions.update(device.sessionId, { introduced: true });
    },
  };
}
