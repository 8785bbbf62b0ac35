import { createCipheriv, hkdfSync } from 'node:crypto';
import { proto } from 'baileys';
import { userJid } from '../../world/index.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, type Node, node } from '../transport/nodes.ts';

const KEY_INFO = 'WhatsApp Media Retry Notification';
const IV_BYTES = 12;
const NOT_FOUND = proto.MediaRetryNotification.ResultType.NOT_FOUND;
const SUCCESS = proto.MediaRetryNotification.ResultType.SUCCESS;

/**
 * A client found no file at the address in its message; its phone, which still has the file, uploads it again and sends the new
 * address.
 */
export function createMediaRetryHandler(
  { world, clock, random }: Network,
  mediaStore: MediaStore,
): StanzaHandler {
  return ({ device, send }, receipt) => {
    const { id = '' } = receipt.attrs;
    const content = world.messages.find(device.phone, id)?.content;
    const request = child(receipt, 'rmr');
    const answer = (result: Node[]): void =>
      send(
        node('notification', { id, from: userJid(device.phone), type: 'mediaretry', t: unixSeconds(clock) }, [
          node('rmr', { ...request?.attrs }),
          ...result,
        ]),
      );
    if (!content || !('media' in content)) return answer([node('error', { code: NOT_FOUND })]);
    const { mediaKey, directPath } = mediaStore.share(content.media, content.type, {
      sessionId: device.sessionId,
      messageId: id,
    });
    const iv = random.bytes(IV_BYTES);
    const word = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result: SUCCESS }).finish();
    answer([
      node('encrypt', {}, [
        node('enc_p', {}, seal(mediaKey ?? Buffer.alloc(0), iv, id, word)),
        node('enc_iv', {}, iv),
      ]),
    ]);
  };
}

function seal(mediaKey: Uint8Array, iv: Uint8Array, id: string, plaintext: Uint8Array): Buffer {
  const key = Buffer.from(hkdfSync('sha256', mediaKey, '', KEY_INFO, 32));
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(id));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}
