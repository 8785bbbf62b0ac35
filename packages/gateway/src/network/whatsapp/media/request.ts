import { getBinaryNodeChild, getBinaryNodeChildren, type MediaConnInfo, type WASocket } from 'baileys';
import { NetworkError } from '../../errors.ts';
import { refusal, timedOut } from '../errors.ts';
import { queryNetwork } from '../link/queries.ts';

/** Length of the truncated MAC at the end of every encrypted file. */
export const MAC_BYTES = 10;
const OK = 200;

/**
 * Transport to the network's own media servers. This room must not make outgoing HTTPS requests, so the
 * composition root passes it in: with the private authority of a sandbox, or the proxy of a number.
 */
export interface MediaTransport {
  /** For files of the phone's shared state, which the library fetches without a limit. */
  readonly dispatcher?: RequestInit['dispatcher'];
  /** Must not follow redirects, and must end when `signal` aborts. */
  get(
    url: URL,
    options: { readonly signal: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<MediaAnswer>;
  /** Uploads a file of this machine, under the same rules. */
  post(
    url: URL,
    file: {
      readonly path: string;
      readonly size: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal;
    },
  ): Promise<MediaAnswer>;
}

interface MediaAnswer {
  readonly status: number;
  /** As claimed by the server. */
  readonly length?: number;
  /** Closes the connection when it is left early. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface FileRequest {
  readonly transport: Pick<MediaTransport, 'get'>;
  /** The media server that the network named; never one from a message. */
  readonly host: string;
  readonly directPath: string;
  /** Of the encrypted file; the reader of the body enforces it again, whatever the server claims. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Per connection, for as long as the network allows. */
const known = new WeakMap<WASocket, MediaConnInfo>();

/**
 * Media servers of this connection, with the credentials for uploads. Queried here, because the library keeps
 * its first answer for the whole connection, even an empty one.
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
  const { auth = '', ttl = '0', auth_ttl: authTtl = ttl } = servers.attrs;
  const mediaServer = { auth, ttl: Math.min(Number(ttl), Number(authTtl)), hosts, fetchDate: new Date(now) };
  known.set(sock, mediaServer);
  return mediaServer;
}

/** Tries one server after the other, while they cannot be reached or fail. */
export async function overHosts<T>(
  { hosts }: Pick<MediaConnInfo, 'hosts'>,
  attempt: (host: string) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  for (const { hostname } of hosts) {
    try {
      return await attempt(hostname);
    } catch (error) {
      if (!(error instanceof NetworkError) || error.kind !== 'transient') throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Streams the encrypted bytes of a file. */
export async function requestFile(request: FileRequest): Promise<AsyncIterable<Uint8Array>> {
  const { transport, host, directPath, maxBytes, signal } = request;
  const url = new URL(directPath, `https://${host}`);
  if (url.host !== host || url.protocol !== 'https:') throw damaged();
  const { status, length = 0, body } = await reached(transport.get(url, { signal }));
  if (status !== OK) throw refusal(status);
  if (length > maxBytes) throw tooLarge();
  return body;
}

/** An unreachable or silent server may work later. */
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
