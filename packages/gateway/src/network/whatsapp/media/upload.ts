import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MediaConnInfo, WASocket } from 'baileys';
import { parsedJson } from '#kernel';
import { NetworkError } from '../../errors.ts';
import { property, refusal } from '../errors.ts';
import { MAC_BYTES, type MediaTransport, mediaServers, overHosts, reached, tooLarge } from './request.ts';

interface UploadRequest {
  readonly transport: MediaTransport;
  readonly path: string;
  /** Folder on the server, by the kind of the file. */
  readonly folder: string;
  /** Of the bytes as uploaded. */
  readonly sha256: Uint8Array;
  readonly query?: Readonly<Record<string, string>>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

interface Uploaded {
  readonly url: string;
  readonly directPath: string;
  /** Names the file to the network, where it is public. */
  readonly handle: string;
  readonly thumbnail?: { readonly directPath: string; readonly sha256: Uint8Array };
}

const OK = 200;
const TOO_LARGE = 413;
/** The credentials have expired, or are those of another connection. */
const UNAUTHORIZED = new Set([401, 403]);
/** The network checks where uploads come from. */
const ORIGIN = 'https://web.whatsapp.com';
const LARGEST_ANSWER_BYTES = 64 * 1024;

/** Uploads to one media server after the other; asks for new credentials once when they are refused. */
export async function uploadFile(sock: WASocket, request: UploadRequest): Promise<Uploaded> {
  const size = await sizeOf(request.path);
  const post = (servers: MediaConnInfo) =>
    overHosts(servers, (host) => postTo(host, servers.auth, size, request));
  const first = await post(await mediaServers(sock, request.now()));
  if (first !== 'unauthorized') return first;
  const again = await post(await mediaServers(sock, request.now(), true));
  if (again !== 'unauthorized') return again;
  throw new NetworkError('transient', 'The media servers refuse the credentials that the network gave.');
}

async function postTo(
  host: string,
  auth: string,
  size: number,
  { transport, path, folder, sha256, query, signal }: UploadRequest,
): Promise<Uploaded | 'unauthorized'> {
  const token = Buffer.from(sha256).toString('base64url');
  const url = new URL(`${folder}/${token}`, `https://${host}`);
  url.search = new URLSearchParams({ auth, token, ...query }).toString();
  const headers = {
    origin: ORIGIN,
    referer: `${ORIGIN}/`,
    'content-type': 'application/octet-stream',
  };
  const { status, body } = await reached(transport.post(url, { path, size, headers, signal }));
  const answer = await reached(textOf(body));
  if (UNAUTHORIZED.has(status)) return 'unauthorized';
  if (status === TOO_LARGE) throw tooLarge();
  // A server that answers anything else may be the wrong one; another may take the file.
  if (status !== OK) throw refusal(Math.max(status, 500));
  return readAnswer(parsedJson(answer));
}

/** Undici holds a connection until its answer is read. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_ANSWER_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function readAnswer(answer: unknown): Uploaded {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const directPath = text(property(answer, 'direct_path'));
  if (directPath === '') throw refusal(500);
  const info = property(answer, 'thumbnail_info');
  const thumbnail = text(property(info, 'thumbnail_direct_path'));
  const sha256 = Buffer.from(text(property(info, 'thumbnail_sha256')), 'base64');
  return {
    url: text(property(answer, 'url')),
    directPath,
    handle: text(property(answer, 'handle')),
    ...(thumbnail && { thumbnail: { directPath: thumbnail, sha256 } }),
  };
}

const KEY_NAMES = { image: 'Image', sticker: 'Image', video: 'Video', audio: 'Audio', document: 'Document' };
/** Kinds that phones play while they download. */
const STREAMED = new Set(['video', 'audio']);
const SIDECAR_CHUNK_BYTES = 64 * 1024;
const BLOCK_BYTES = 16;

interface EncryptedFile extends AsyncDisposable {
  readonly path: string;
  /** What the message says of it. */
  readonly fields: {
    readonly mediaKey: Uint8Array;
    readonly fileSha256: Uint8Array;
    readonly fileEncSha256: Uint8Array;
    readonly streamingSidecar?: Uint8Array;
  };
}

/** Encrypts a file into another one, which is gone after its upload; all hashes are made on the way. */
export async function encryptFile({
  path,
  kind,
  folder,
  mediaKey,
}: {
  readonly path: string;
  readonly kind: keyof typeof KEY_NAMES;
  readonly folder: string;
  readonly mediaKey: Uint8Array;
}): Promise<EncryptedFile> {
  const keys = Buffer.from(hkdfSync('sha256', mediaKey, '', `WhatsApp ${KEY_NAMES[kind]} Keys`, 112));
  const [iv, macKey] = [keys.subarray(0, BLOCK_BYTES), keys.subarray(48, 80)];
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), iv);
  const mac = createHmac('sha256', macKey).update(iv);
  const [plain, encrypted] = [createHash('sha256'), createHash('sha256')];
  const sidecar = STREAMED.has(kind) ? createSidecar(macKey, iv) : undefined;
  // Nothing else uses the rest of the derived key.
  const target = join(folder, `${keys.subarray(96).toString('hex')}.enc`);
  const disposed = { [Symbol.asyncDispose]: () => rm(target, { force: true }) };

  function take(bytes: Buffer, isMac = false): Buffer {
    if (!isMac) mac.update(bytes);
    encrypted.update(bytes);
    sidecar?.add(bytes);
    return bytes;
  }

  try {
    await pipeline(
      createReadStream(path),
      async function* encrypt(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          plain.update(chunk);
          yield take(cipher.update(chunk));
        }
        yield take(cipher.final());
        yield take(mac.digest().subarray(0, MAC_BYTES), true);
      },
      createWriteStream(target, { mode: 0o600, flags: 'wx' }),
    );
  } catch (error) {
    await disposed[Symbol.asyncDispose]();
    throw property(error, 'code') === 'ENOENT' ? fileGone(error) : error;
  }
  const fields = { mediaKey, fileSha256: plain.digest(), fileEncSha256: encrypted.digest() };
  const extra = sidecar ? { streamingSidecar: sidecar.end() } : {};
  return { path: target, fields: { ...fields, ...extra }, ...disposed };
}

/**
 * MACs by which a phone checks a part of a file before it has all of it: one for each 64 KB of initial vector, ciphertext and MAC,
 * each with the first block of the next, by which CBC decrypts it.
 */
function createSidecar(macKey: Uint8Array, iv: Uint8Array) {
  const macs: Buffer[] = [];
  let rest = Buffer.from(iv);

  function sign(bytes: Uint8Array): void {
    macs.push(createHmac('sha256', macKey).update(bytes).digest().subarray(0, MAC_BYTES));
  }

  return {
    add(bytes: Uint8Array): void {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= SIDECAR_CHUNK_BYTES + BLOCK_BYTES) {
        sign(rest.subarray(0, SIDECAR_CHUNK_BYTES + BLOCK_BYTES));
        rest = rest.subarray(SIDECAR_CHUNK_BYTES);
      }
    },
    end(): Buffer {
      sign(rest);
      return Buffer.concat(macs);
    },
  };
}

export async function sha256Of(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch (error) {
    throw fileGone(error);
  }
  return hash.digest();
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw fileGone(error);
  }
}

function fileGone(cause: unknown): NetworkError {
  return new NetworkError('permanent', 'The media file is gone.', { failure: 'media', cause });
}
