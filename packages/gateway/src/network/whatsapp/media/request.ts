import {
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type MediaConnInfo,
  type SocketConfig,
  type WASocket,
} from 'baileys';
import { NetworkError } from '../../errors.ts';
import { refusal, timedOut } from '../errors.ts';
import { queryNetwork } from '../link/queries.ts';

/** What ends every sealed file: the beginning of its MAC. */
export const MAC_BYTES = 10;
const OK = 200;

/**
 * How the network's own media servers are reached. Outgoing HTTPS is not this room's to make, so whoever puts the gateway together hands
 * it in: with the private authority of a sandbox, or the proxy of a number, where there is one.
 */
export interface MediaTransport {
  /** For uploads, which the library makes by itself. */
  readonly uploadAgent?: SocketConfig['fetchAgent'];
  /** For the files of what the phone shares with its linked devices, which the library fetches by itself and without any limit. */
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

export interface FileRequest {
  readonly transport: MediaTransport;
  /** The network's own media server, as it told it itself; never one that a message names. */
  readonly host: string;
  readonly directPath: string;
  /** Of the sealed file; the reader of the body bounds it again, whatever the server claims. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** For a connection, and for as long as the network says. */
const known = new WeakMap<WASocket, MediaConnInfo>();

/**
 * Where the files of this connection lie, and what they are uploaded with. It is asked here, because the library keeps its first answer for
 * as long as the connection lasts, even when that was none.
 */
export async function mediaServers(sock: WASocket, now: number, anew = false): Promise<MediaConnInfo> {
  const before = known.get(sock);
  if (before && !anew && now < before.fetchDate.getTime() + before.ttl * 1_000) return before;
  const answer = await queryNetwork(sock, { type: 'set', xmlns: 'w:m' }, [{ tag: 'media_conn', attrs: {} }]);
  const servers = getBinaryNodeChild(answer, 'media_conn');
  const hosts = getBinaryNodeChildren(servers, 'host').flatMap(({ attrs: { hostname } }) =>
    hostname ? [{ hostname, maxContentLengthBytes: 0 }] : [],
  );
  if (!servers || hosts.length === 0) {
    throw new NetworkError('transient', 'The network names no media server.');
  }
  const { auth = '', ttl = '0' } = servers.attrs;
  const told = { auth, ttl: Number(ttl), hosts, fetchDate: new Date(now) };
  known.set(sock, told);
  return told;
}

export async function mediaHost(sock: WASocket, now: number): Promise<string> {
  const { hosts } = await mediaServers(sock, now);
  return hosts[0]?.hostname ?? '';
}

/** The sealed bytes of a file, as they come. */
export async function requestFile(request: FileRequest): Promise<AsyncIterable<Uint8Array>> {
  const { transport, host, directPath, maxBytes, signal } = request;
  const url = new URL(directPath, `https://${host}`);
  if (url.host !== host || url.protocol !== 'https:') throw damaged();
  const { status, length = 0, body } = await reached(transport.get(url, { signal }));
  if (status !== OK) throw refusal(status);
  if (length > maxBytes) throw tooLarge();
  return body;
}

/** A server that is not reached, or falls silent, may be there later. */
export async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof NetworkError ? error : timedOut(error);
  }
}

export function tooLarge(): NetworkError {
  return new NetworkError('permanent', 'The media is larger than is wanted.', { failure: 'media' });
}

export function damaged(): NetworkError {
  return new NetworkError('permanent', 'The media is not what its sender sealed.', { failure: 'media' });
}
