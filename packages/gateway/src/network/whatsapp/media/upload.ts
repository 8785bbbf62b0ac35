import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MEDIA_PATH_MAP, type MediaConnInfo, type WAMediaUploadFunction, type WASocket } from 'baileys';
import { parsedJson } from '#kernel';
import { NetworkError } from '../../errors.ts';
import { property, refusal } from '../errors.ts';
import { type MediaTransport, mediaServers, overHosts, reached, tooLarge } from './request.ts';

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

/** The library's own way tries each server with the same credentials, and has no limit of time. */
export function uploadForLibrary(
  sock: WASocket,
  transport: MediaTransport,
  now: () => number,
): WAMediaUploadFunction {
  return async (path, { mediaType, fileEncSha256B64 }) => {
    const { url, directPath } = await uploadFile(sock, {
      transport,
      path,
      folder: MEDIA_PATH_MAP[mediaType] ?? '',
      sha256: Buffer.from(fileEncSha256B64, 'base64'),
      now,
      signal: new AbortController().signal,
    });
    return { mediaUrl: url, directPath };
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
