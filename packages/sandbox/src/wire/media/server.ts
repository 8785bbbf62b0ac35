import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { errorName, type Log } from '../ports.ts';
import { listen } from '../transport/listen.ts';
import type { BrokenDownloads } from './broken-downloads.ts';
import type { MediaStore } from './media-store.ts';
import { isPicture, type Pictures } from './pictures.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** The gateway's largest file is 64 MB; encryption adds a block and a MAC. */
const MAX_UPLOAD_BYTES = 72 * 1024 * 1024;
/** Some clients leave the hash padded. */
const UPLOAD =
  /^(?<path>\/(?:mms\/|newsletter\/newsletter-)(?:image|video|audio|document)\/(?<hash>[A-Za-z0-9_-]{43}))(?:=|%3D)?$/i;

/** Clients append to the query of an address, so there is always one. */
const QUERY = '?ccb=11-4';

export interface MediaServer {
  /** `host:port`, as announced to clients. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Uploads and downloads of files and pictures. */
export async function startMediaServer({
  host,
  port,
  tls,
  mediaStore,
  pictures,
  broken,
  log,
}: {
  host: string;
  port: number;
  tls: TlsIdentity;
  mediaStore: MediaStore;
  pictures: Pictures;
  broken: Pick<BrokenDownloads, 'includes'>;
  log: Log;
}): Promise<MediaServer> {
  const server = createServer({ cert: tls.certificatePem, key: tls.keyPem }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.warn({ error: errorName(error) }, 'serving a file failed');
      refuse(response, 500);
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = '', query] = request.url?.split('?') ?? [];
    if (isPicture(path)) return pictures.serve(request, response);
    if (request.method === 'POST') return upload(path, request, response);
    if (request.method === 'GET') return download(path, query, response);
    refuse(response, 405);
  };

  const upload = async (asked: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { path, hash } = UPLOAD.exec(asked)?.groups ?? {};
    if (!path || !hash) return refuse(response, 404);
    const body = await readBody(request);
    if (!body) return refuse(response, 413);
    if (createHash('sha256').update(body).digest('base64url') !== hash) return refuse(response, 400);
    mediaStore.put(path, body);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ url: `https://${authority}${path}${QUERY}`, direct_path: `${path}${QUERY}` }));
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

  const authority = `${host}:${await listen(server, host, port)}`;
  return {
    host: authority,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_UPLOAD_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
