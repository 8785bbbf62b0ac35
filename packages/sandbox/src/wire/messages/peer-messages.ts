import { proto } from 'baileys';
import type { Bubble, LinkedDevice, PhoneNumber } from '../../world/index.ts';
import { lidJid, statusJid, userJid } from '../../world/index.ts';
import { chatId, pastMessage } from '../login/past-messages.ts';
import type { Network } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import type { Sealer } from '../signal/sealing.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';
import { node } from '../transport/nodes.ts';

/** Messages between a phone and its own devices, outside all chats. */
export interface PeerMessages {
  /** Sends a protocol message of the phone to its own device, where that is connected. */
  send(device: LinkedDevice, id: string, content: proto.Message.IProtocolMessage): Promise<void>;
  /** Answers a request of the device; without effect for any other message. */
  answer(device: LinkedDevice, requestId: string, message: proto.IMessage | undefined): Promise<void>;
}

type Key = proto.IMessageKey;
type Result =
  proto.Message.PeerDataOperationRequestResponseMessage.IPeerDataOperationResult['placeholderMessageResendResponse'];

const { Type } = proto.Message.ProtocolMessage;
const RESEND = proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND;
/** Phones send no older messages. */
const OLDEST_MS = 14 * 86_400_000;

export function createPeerMessages({
  network: { world, clock, ciphers, online },
  sealer,
  contexts,
}: {
  network: Network;
  sealer: Sealer;
  contexts: ContentContexts;
}): PeerMessages {
  const send: PeerMessages['send'] = async (device, id, content) => {
    const { lid, name } = world.phones.get(device.phone);
    const sealed = await ciphers.as(device.phone, (cipher) =>
      sealer.seal(cipher, device, { protocolMessage: content }),
    );
    online.get(device.sessionId)?.send(
      node(
        'message',
        {
          id,
          from: userJid(device.phone),
          sender_lid: lidJid(lid),
          category: 'peer',
          type: 'text',
          notify: name,
          t: unixSeconds(clock),
        },
        [sealed],
      ),
    );
  };

  /** The message of this key, as the phone shows it. What may be viewed once stays on the phone. */
  const wanted = (phone: PhoneNumber, key: Key): Bubble | undefined => {
    const bubble = world.messages.find(phone, key.id ?? '');
    if (!bubble || clock.now() - bubble.at > OLDEST_MS) return undefined;
    if ('viewOnce' in bubble.content && bubble.content.viewOnce) return undefined;
    return isNamedBy(bubble, key) ? bubble : undefined;
  };

  const resent = (device: LinkedDevice, key: Key | null | undefined): Result => {
    const bubble = wanted(device.phone, key ?? {});
    const [past] = bubble ? pastMessage(contexts, device, bubble, chatId(bubble.chat)) : [];
    return past?.message
      ? {
          webMessageInfoBytes: proto.WebMessageInfo.encode(
            proto.WebMessageInfo.fromObject(past.message),
          ).finish(),
        }
      : {};
  };

  return {
    send,
    async answer(device, requestId, message) {
      const request = message?.protocolMessage?.peerDataOperationRequestMessage;
      if (message?.protocolMessage?.type !== Type.PEER_DATA_OPERATION_REQUEST_MESSAGE) return;
      if (request?.peerDataOperationRequestType !== RESEND) return;
      const asked = request.placeholderMessageResendRequest ?? [];
      await send(device, `${requestId}A`, {
        type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
        peerDataOperationRequestResponseMessage: {
          peerDataOperationRequestType: RESEND,
          stanzaId: requestId,
          peerDataOperationResult: asked.map(({ messageKey }) => ({
            placeholderMessageResendResponse: resent(device, messageKey),
          })),
        },
      });
    },
  };
}

/** A phone finds a message by its chat, id and direction, in shared chats also by its author, without devices. */
function isNamedBy({ chat, sender, fromMe }: Bubble, { remoteJid, participant, fromMe: own }: Key): boolean {
  if ((own === true) !== fromMe) return false;
  if (chat.kind === 'direct')
    return !participant && [userJid(chat.person.phone), lidJid(chat.person.lid)].includes(remoteJid ?? '');
  if (remoteJid !== (chat.kind === 'status' ? statusJid : chat.jid)) return false;
  return fromMe || [userJid(sender.phone), lidJid(sender.lid)].includes(participant ?? '');
}
