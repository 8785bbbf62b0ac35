import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { getMediaKeys } from 'baileys';
import type { MediaRef } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import type { MediaPointer } from '../convert/index.ts';
import { refusal, timedOut } from '../errors.ts';
import type { MediaTransport } from './transport.ts';

const MAC_BYTES = 10;
/** What encryption adds at most: the padding of one block, and the MAC. */
const OVERHEAD_BYTES = 16 + MAC_BYTES;
const OK = 200;

export interface Download {
  readonly pointer: MediaPointer;
  /** The network's own media server, as it told it itself; never one that a message names. */
  readonly host: string;
  readonly transport: MediaTransport;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Downloads and opens a file: bounded while it is read, then checked against its MAC and its hash before a byte of it is used. */
export async function download(request: Download): Promise<Uint8Array> {
  const { pointer, maxBytes } = request;
  const sealed = await fetchBounded(request, maxBytes + OVERHEAD_BYTES);
  const plain = await openFile(sealed, pointer);
  if (plain.length > maxBytes) throw tooLarge();
  return plain;
}

/** Files are sealed under a key of their own, from which one for each purpose is derived. */
export async function openFile(
  sealed: Buffer,
  { kind, mediaKey, sha256 }: Pick<MediaPointer, 'kind' | 'mediaKey' | 'sha256'>,
): Promise<Uint8Array> {
  if (sealed.length <= MAC_BYTES) throw damaged();
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, LIBRARY_KIND[kind]);
  if (!macKey) throw damaged();
  const body = sealed.subarray(0, -MAC_BYTES);
  const mac = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, MAC_BYTES);
  if (!timingSafeEqual(mac, sealed.subarray(-MAC_BYTES))) throw damaged();
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const plain = Buffer.concat([decipher.update(body), decipher.final()]);
  if (!createHash('sha256').update(plain).digest().equals(sha256)) throw damaged();
  return plain;
}

const LIBRARY_KIND = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  document: 'document',
  sticker: 'sticker',
} as const satisfies Record<MediaRef['kind'], string>;

async function fetchBounded(
  { pointer, host, transport, signal }: Download,
  maxBytes: number,
): Promise<Buffer> {
  const url = new URL(pointer.directPath, `https://${host}`);
  if (url.host !== host || url.protocol !== 'https:') throw damaged();
  const { status, length = 0, body } = await reached(transport.get(url, { signal }));
  if (status !== OK) throw refusal(status);
  if (length > maxBytes) throw tooLarge();
  return reached(readBounded(body, maxBytes));
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

/** A server that is not reached, or falls silent, may be there later. */
async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof NetworkError ? error : timedOut(error);
  }
}

function tooLarge(): NetworkError {
  return new NetworkError('permanent', 'The media is larger than is wanted.', { failure: 'media' });
}

function damaged(): NetworkError {
  return new NetworkError('permanent', 'The media is not what its sender sealed.', { failure: 'media' });
}
