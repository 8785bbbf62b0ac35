import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { getMediaKeys, proto, type WASocket } from 'baileys';
import type { MediaRef } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { NETWORK_PATIENCE_MS, type NetworkSession } from '../../port.ts';
import { offline } from '../errors.ts';
import { type SessionContext, untilLost } from '../session-context.ts';
import { type MediaPointer, readMediaRef } from './media-ref.ts';
import {
  damaged,
  type FileRequest,
  MAC_BYTES,
  type MediaTransport,
  mediaHost,
  reached,
  requestFile,
  tooLarge,
} from './request.ts';

/** What encryption adds at most: the padding of one block, and the MAC. */
const OVERHEAD_BYTES = 16 + MAC_BYTES;

/** Fetches inbound media; what the network no longer has is asked of the sender's phone, once. */
export function createMediaFetcher(
  context: SessionContext,
  transport: () => MediaTransport,
): NetworkSession['download'] {
  return async (media, { maxBytes, signal }) => {
    const pointer = readMediaRef(media);
    if (!pointer || pointer.directPath === '') {
      throw new NetworkError('permanent', 'The media cannot be downloaded.', { failure: 'media' });
    }
    const { sock, lost } = context.connection();
    const over = new AbortController();
    const stop = AbortSignal.any([over.signal, lost, ...(signal ? [signal] : [])]);
    const attempt = async (where: MediaPointer): Promise<Uint8Array> => {
      const host = await mediaHost(sock, context.clock.now());
      return download({ pointer: where, host, transport: transport(), maxBytes, signal: stop });
    };
    return untilLost(context.clock, lost, NETWORK_PATIENCE_MS, async () => {
      if (signal?.aborted) throw offline();
      try {
        return await attempt(pointer);
      } catch (error) {
        if (!(error instanceof NetworkError) || error.kind !== 'not_found') throw error;
        return attempt({ ...pointer, directPath: await uploadedAgain(sock, pointer) });
      }
    }).finally(() => over.abort());
  };
}

/** Asks the phone that sent the file to upload it once more; answers where it lies now. */
async function uploadedAgain(
  sock: WASocket,
  { kind, mediaKey, directPath, message }: MediaPointer,
): Promise<string> {
  const { id, chat, fromMe, participant } = message;
  const content = { mediaKey, directPath };
  const updated = await sock.updateMediaMessage({
    key: { id, remoteJid: chat, fromMe, ...(participant ? { participant } : {}) },
    message: proto.Message.fromObject({ [messageField(kind)]: content }),
  });
  const file = updated.message?.[messageField(kind)];
  if (!file?.directPath) throw new NetworkError('not_found', 'The media is no longer on the network.');
  return file.directPath;
}

function messageField(kind: MediaRef['kind']) {
  return `${kind}Message` as const;
}

interface Download extends Omit<FileRequest, 'directPath'> {
  readonly pointer: MediaPointer;
}

/** Downloads and opens a file: bounded while it is read, then checked against its MAC and its hash before a byte of it is used. */
export async function download(request: Download): Promise<Uint8Array> {
  const { pointer, maxBytes } = request;
  const { directPath } = pointer;
  const mostSealed = maxBytes + OVERHEAD_BYTES;
  const body = await requestFile({ ...request, directPath, maxBytes: mostSealed });
  const sealed = await reached(readBounded(body, mostSealed));
  const plain = await openFile(sealed, pointer);
  if (plain.length > maxBytes) throw tooLarge();
  return plain;
}

/** Files are sealed under a key of their own, from which one for each purpose is derived. */
async function openFile(
  sealed: Buffer,
  { kind, mediaKey, sha256 }: Pick<MediaPointer, 'kind' | 'mediaKey' | 'sha256'>,
): Promise<Uint8Array> {
  if (sealed.length <= MAC_BYTES) throw damaged();
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind);
  if (!macKey) throw damaged();
  const body = sealed.subarray(0, -MAC_BYTES);
  const mac = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, MAC_BYTES);
  if (!timingSafeEqual(mac, sealed.subarray(-MAC_BYTES))) throw damaged();
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const plain = Buffer.concat([decipher.update(body), decipher.final()]);
  if (!createHash('sha256').update(plain).digest().equals(sha256)) throw damaged();
  return plain;
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
