import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { proto } from 'baileys';
import { userJid } from '../../world/index.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Network, StanzaHandler } from '../network.ts';
import { unixSeconds } from '../ports.ts';
import { child, childBytes, type Node, node } from '../transport/nodes.ts';

const KEY_INFO = 'WhatsApp Media Retry Notification';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const { NOT_FOUND, SUCCESS, DECRYPTION_ERROR } = proto.MediaRetryNotification.ResultType;

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
    const refuse = (code: number): void => answer([node('error', { code })]);
    if (!content || !('media' in content)) return refuse(NOT_FOUND);
    const reader = { sessionId: device.sessionId, messageId: id };
    if (!mediaStore.renew(reader)) return refuse(NOT_FOUND);
    const { mediaKey, directPath } = mediaStore.share(content.media, content.type, reader);
    if (!mediaKey || openRequest(mediaKey, id, child(receipt, 'encrypt')) !== id)
      return refuse(DECRYPTION_ERROR);
    const iv = random.bytes(IV_BYTES);
    const word = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result: SUCCESS }).finish();
    answer([node('encrypt', {}, [node('enc_p', {}, seal(mediaKey, iv, id, word)), node('enc_iv', {}, iv)])]);
  };
}

const keyOf = (mediaKey: Uint8Array): Buffer => Buffer.from(hkdfSync('sha256', mediaKey, '', KEY_INFO, 32));

function seal(mediaKey: Uint8Array, iv: Uint8Array, id: string, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(mediaKey), iv);
  cipher.setAAD(Buffer.from(id));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Message id of a request, which is encrypted under the key of the file; undefined for another key. */
function openRequest(mediaKey: Uint8Array, id: string, encrypted: Node | undefined): string | undefined {
  const sealed = childBytes(encrypted, 'enc_p');
  const iv = childBytes(encrypted, 'enc_iv');
  if (!sealed || sealed.length < TAG_BYTES || iv?.length !== IV_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(mediaKey), iv);
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plaintext = decoded(() =>
    Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]),
  );
  return plaintext && (proto.ServerErrorReceipt.decode(plaintext).stanzaId ?? undefined);
}
