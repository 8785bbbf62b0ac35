import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Codecs } from '@parley/codecs';
import { errorName, type Log } from '../ports.ts';
import type { Reach } from '../reach.ts';
import { listen } from '../transport/listen.ts';
import type { BrokenDownloads } from './broken-downloads.ts';
import { handleOf, type MediaCredentials } from './credentials.ts';
import type { MediaStore } from './media-store.ts';
import { isPicture, type Pictures } from './pictures.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** The gateway's largest file is 64 MB; encryption adds a block and a MAC. */
const MAX_UPLOAD_BYTES = 72 * 1024 * 1024;
const KINDS = 'image|video|audio|ptt|ptv|gif|document|sticker|thumbnail-link';
/** Some clients leave the hash padded. */
const UPLOAD = new RegExp(
  String.raw`^(?<path>/(?:mms/(?:${KINDS}|sticker-pack|md-app-state|md-msg-hist)|newsletter/newsletter-(?:${KINDS}))/(?<hash>[\w-]{43}))(?:=|%3D)?$`,
  'i',
);
const NEWSLETTER = '/newsletter/';
const UNAUTHORIZED = 401;
const UNAVAILABLE = 503;
/** The bytes are not those that the hash names. */
const OTHER_BYTES = 415;

/** Clients append to the query of an address, so there is always one. */
const QUERY = '?ccb=11-4';

export interface MediaServer {
  /** `host:port` of each server, as announced to clients. */
  hosts(): string[];
  /** The servers use it for new connections. */
  use(identity: TlsIdentity): void;
  stop(): Promise<void>;
}

/** Uploads and downloads of files and pictures, on several servers that have the same files. */
export async function startMediaServer({
  host,
  reach,
  ports,
  tls,
  mediaStore,
  pictures,
  credentials,
  codecs,
  broken,
  isDown,
  log,
}: {
  /** Where the servers listen. */
  host: string;
  reach: Pick<Reach, 'host'>;
  ports: readonly number[];
  tls: TlsIdentity;
  mediaStore: MediaStore;
  pictures: Pictures;
  credentials: Pick<MediaCredentials, 'admit'>;
  codecs: Pick<Codecs, 'describe'>;
  broken: Pick<BrokenDownloads, 'includes'>;
  /** Whether the server in that place fails. */
  isDown: (place: number) => boolean;
  log: Log;
}): Promise<MediaServer> {
  const servers: Server[] = [];
  const listeningOn: number[] = [];
  const authorityOf = (place: number): string => `${reach.host}:${listeningOn[place]}`;
  const openServer = (place: number): Server =>
    createServer(contextOf(tls), (request, response) => {
      answer(place, request, response).catch((error: unknown) => {
        log.warn({ error: errorName(error) }, 'serving a file failed');
        refuse(response, 500);
      });
    });

  const answer = async (place: number, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isDown(place)) return refuse(response, UNAVAILABLE);
    const [path = '', query] = request.url?.split('?') ?? [];
    if (isPicture(path)) return pictures.serve(request, response);
    const asked = new URLSearchParams(query);
    if (request.method === 'POST')
      return upload({ path, query: asked, host: authorityOf(place) }, request, response);
    if (request.method === 'DELETE') return refuse(response, erase(path, asked));
    if (request.method === 'GET') return download(path, query, response);
    refuse(response, 405);
  };

  const isAdmitted = (hash: string, query: URLSearchParams): boolean =>
    credentials.admit(query.get('auth') ?? '') && query.get('token')?.replace(/=$/, '') === hash;

  const upload = async (
    asked: { path: string; query: URLSearchParams; host: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { query, host: authority } = asked;
    const { path, hash } = UPLOAD.exec(asked.path)?.groups ?? {};
    if (!path || !hash) return refuse(response, 404);
    const body = await readBody(request);
    if (!body) return refuse(response, 413);
    if (!isAdmitted(hash, query)) return refuse(response, UNAUTHORIZED);
    if (createHash('sha256').update(body).digest('base64url') !== hash) return refuse(response, OTHER_BYTES);
    mediaStore.put(path, body);
    const answer = {
      url: `https://${authority}${path}${QUERY}`,
      direct_path: `${path}${QUERY}`,
      ...(path.startsWith(NEWSLETTER) && { handle: handleOf(path) }),
      ...(query.get('server_thumb_gen') === '1' && (await thumbnailOf(body))),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };

  /** A public file has a thumbnail on the server where it is a picture. */
  const thumbnailOf = async (body: Buffer): Promise<object> => {
    const { thumbnail } = await codecs.describe(body, 'image');
    if (!thumbnail) return {};
    const hash = createHash('sha256').update(thumbnail);
    const path = `${NEWSLETTER}newsletter-thumbnail-link/${hash.copy().digest('base64url')}`;
    mediaStore.put(path, thumbnail);
    const info = { thumbnail_direct_path: `${path}${QUERY}`, thumbnail_sha256: hash.digest('base64') };
    return { thumbnail_info: info };
  };

  /** Clients delete a history once they have read it. */
  const erase = (asked: string, query: URLSearchParams): number => {
    const { path, hash } = UPLOAD.exec(asked)?.groups ?? {};
    if (!path?.startsWith('/mms/md-msg-hist/') || !hash) return 404;
    if (!isAdmitted(hash, query)) return UNAUTHORIZED;
    mediaStore.drop(path);
    return 200;
  };

  const download = (path: string, query: string | undefined, response: ServerResponse): void => {
    const bytes = broken.includes(query) ? undefined : mediaStore.read(path);
    if (!bytes) {
      refuse(response, 404);
      return;
    }
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length })
      .end(bytes);
  };

  await using starting = new AsyncDisposableStack();
  for (const [place, port] of ports.entries()) {
    const server = openServer(place);
    servers.push(server);
    listeningOn.push(await listen(server, host, port));
    starting.defer(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }
  const running = starting.move();
  return {
    hosts: () => listeningOn.map((_port, place) => authorityOf(place)),
    use(identity) {
      for (const server of servers) server.setSecureContext(contextOf(identity));
    },
    stop: () => running.disposeAsync(),
  };
}

function contextOf({ certificatePem, keyPem }: TlsIdentity): { cert: string; key: string } {
  return { cert: certificatePem, key: keyPem };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** Into one buffer of the announced length: pieces and their sum would be held at once. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_UPLOAD_BYTES) return undefined;
  let body = Buffer.alloc(length);
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size + chunk.length > MAX_UPLOAD_BYTES) return undefined;
    if (size + chunk.length > body.length) body = Buffer.concat([body.subarray(0, size), chunk]);
    else chunk.copy(body, size);
    size += chunk.length;
  }
  return body.subarray(0, size);
}
