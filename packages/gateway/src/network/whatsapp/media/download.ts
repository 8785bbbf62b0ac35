import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { getMediaKeys, proto, type SocketConfig, type WASocket } from 'baileys';
import type { MediaRef } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { NETWORK_PATIENCE_MS, type NetworkSession } from '../../port.ts';
import { offline, refusal, timedOut } from '../errors.ts';
import { type SessionContext, untilLost } from '../session-context.ts';
import { type MediaPointer, readMediaRef } from './media-ref.ts';

const MAC_BYTES = 10;
/** What encryption adds at most: the padding of one block, and the MAC. */
const OVERHEAD_BYTES = 16 + MAC_BYTES;
const OK = 200;

/**
 * How the network's own media servers are reached. Outgoing HTTPS is not this room's to make, so whoever puts the gateway together hands
 * it in: with the private authority of a sandbox, or the proxy of a number, where there is one.
 */
export interface MediaTransport {
  /** For uploads, which the library makes by itself. */
  readonly uploadAgent?: SocketConfig['fetchAgent'];
  /** For the files of the phone's history and address book, which the library fetches by itself and without any limit. */
  readonly dispatcher?: RequestInit['dispatcher'];
  /** Must not follow redirects, and must end when `signal` aborts. */
  get(
    url: URL,
    options: { readonly signal: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<MediaAnswer>;
}

interface MediaAnswer {
  readonly status: number;
  /** The server's claim. */
  readonly length?: number;
  /** Ends the connection when it is left early. */
  readonly body: AsyncIterable<Uint8Array>;
}

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
      const host = await mediaHost(sock);
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

async function mediaHost(sock: WASocket): Promise<string> {
  const { hosts } = await sock.refreshMediaConn(false);
  const [first] = hosts;
  if (!first) throw new NetworkError('transient', 'The network names no media server.');
  return first.hostname;
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

interface Download {
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
