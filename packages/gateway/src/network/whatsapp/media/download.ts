import { createDecipheriv, createHash, createHmac, type Decipheriv, timingSafeEqual } from 'node:crypto';
import { getMediaKeys, proto, type WASocket } from 'baileys';
import { decoded } from '#kernel';
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
  mediaServers,
  overHosts,
  reached,
  requestFile,
  tooLarge,
} from './request.ts';

/** Overhead of encryption: the padding of one block, and the MAC. */
const OVERHEAD_BYTES = 16 + MAC_BYTES;

/** Fetches inbound media. A file that the network no longer has is requested once from the sender's phone. */
export function createMediaFetcher(context: SessionContext): Pick<NetworkSession, 'download' | 'stream'> {
  /** Calls `use` with the location of the file, and aborts on a timeout. */
  async function find<T>(
    media: MediaRef,
    { signal, over }: { readonly signal: AbortSignal | undefined; readonly over: AbortController },
    use: (request: Omit<Download, 'maxBytes'>) => Promise<T>,
  ): Promise<T> {
    const pointer = readMediaRef(media);
    if (!pointer || pointer.directPath === '') {
      throw new NetworkError('permanent', 'The media cannot be downloaded.', { failure: 'media' });
    }
    const { sock, lost } = context.connection();
    const stop = AbortSignal.any([over.signal, lost, ...(signal ? [signal] : [])]);
    const attempt = async (where: MediaPointer): Promise<T> => {
      const servers = await mediaServers(sock, context.clock.now());
      return overHosts(servers, (host) =>
        use({ pointer: where, host, transport: context.mediaTransport(), signal: stop }),
      );
    };
    return untilLost(context.clock, lost, NETWORK_PATIENCE_MS, async () => {
      if (signal?.aborted) throw offline();
      try {
        return await attempt(pointer);
      } catch (error) {
        if (!(error instanceof NetworkError) || error.kind !== 'not_found') throw error;
        return attempt({ ...pointer, directPath: await uploadedAgain(sock, pointer) });
      }
    });
  }

  return {
    async download(media, { maxBytes, signal }) {
      const over = new AbortController();
      try {
        return await find(media, { signal, over }, (request) => download({ ...request, maxBytes }));
      } finally {
        over.abort();
      }
    },

    async stream(media, { maxBytes, signal }) {
      const over = new AbortController();
      try {
        const file = await find(media, { signal, over }, (request) => openStream({ ...request, maxBytes }));
        return endingWith(file, () => over.abort());
      } catch (error) {
        over.abort();
        throw error;
      }
    },
  };
}

async function* endingWith<T>(items: AsyncIterable<T>, end: () => void): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    end();
  }
}

/** Asks the phone that sent the file to upload it again; returns its new location. */
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

/**
 * Downloads and decrypts a file: its size is bounded while it is read, and it is returned only after all of it
 * was verified.
 */
export async function download(request: Download): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openStream(request)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streams the decrypted file. A failed verification throws at the end. */
export async function openStream(request: Download): Promise<AsyncIterable<Uint8Array>> {
  const { pointer, maxBytes } = request;
  const { directPath } = pointer;
  const body = await requestFile({ ...request, directPath, maxBytes: maxBytes + OVERHEAD_BYTES });
  return bounded(opened(body, pointer), maxBytes);
}

/** Each file has a key of its own, from which one key per purpose is derived. */
async function* opened(
  body: AsyncIterable<Uint8Array>,
  { kind, mediaKey, sha256 }: Pick<MediaPointer, 'kind' | 'mediaKey' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind);
  if (!macKey) throw damaged();
  const hmac = createHmac('sha256', macKey).update(iv);
  const hash = createHash('sha256');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  /** The newest bytes, which may be the MAC. */
  let tail: Uint8Array = new Uint8Array(0);
  for await (const chunk of passedOn(body)) {
    const whole = Buffer.concat([tail, chunk]);
    const sure = whole.subarray(0, Math.max(0, whole.length - MAC_BYTES));
    tail = whole.subarray(sure.length);
    hmac.update(sure);
    const plain = decipher.update(sure);
    hash.update(plain);
    yield plain;
  }
  const mac = hmac.digest().subarray(0, MAC_BYTES);
  if (tail.length !== MAC_BYTES || !timingSafeEqual(mac, tail)) throw damaged();
  const last = lastOf(decipher);
  if (!hash.update(last).digest().equals(sha256)) throw damaged();
  yield last;
}

/** The sender may have encrypted an incomplete block. */
function lastOf(decipher: Pick<Decipheriv, 'final'>): Uint8Array {
  const last = decoded(() => decipher.final());
  if (!last) throw damaged();
  return last;
}

/** A server that stops sending counts as unreachable. */
async function* passedOn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await reached(chunks.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

async function* bounded(plain: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of plain) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    yield chunk;
  }
}
