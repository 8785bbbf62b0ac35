import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodecError, type Codecs, readPictureHeader } from '@parley/codecs';
import type { Photo, World } from '../../world/index.ts';
import { type Clock, errorName, type Log, type Random } from '../ports.ts';

/** Profile pictures, served to every holder of a valid address. */
export interface Pictures {
  /** An address of the picture on the media host, with a signature in its query. */
  pathOf(id: string, size: PictureSize): string;
  /** The same on the plain HTTP server, for clients that do not trust our certificate authority. */
  urlOf(id: string, size: PictureSize): string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

type PictureSize = Photo['type'];

export const isPicture = (path: string): boolean => path.startsWith('/pictures/');

const PATH = /^\/pictures\/(?<id>[\w-]+)\.jpg$/;
const HOUR_MS = 3_600_000;
const HOLDS_MS = 24 * HOUR_MS;
/** Size of the network's previews. */
const PREVIEW_PIXELS = 96;

export function createPictures({
  world: { photos, vault },
  clock,
  random,
  codecs,
  origin,
  log,
}: {
  world: Pick<World, 'photos' | 'vault'>;
  clock: Clock;
  random: Random;
  codecs: Pick<Codecs, 'square'>;
  /** Known once the server listens. */
  origin: () => string;
  log: Log;
}): Pictures {
  const key = readSigningKey(vault, random);

  const sign = (id: string, size: string, expires: string): Buffer =>
    createHmac('sha256', key).update(`${id}/${size}/${expires}`).digest();

  const pathOf = (id: string, size: PictureSize): string => {
    // whole hours, so that repeated requests get the same address
    const expiresAt = Math.ceil(clock.now() / HOUR_MS) * HOUR_MS + HOLDS_MS;
    const expires = (expiresAt / 1_000).toString(16);
    const signature = sign(id, size, expires).toString('base64url');
    return `/pictures/${id}.jpg?${new URLSearchParams({ type: size, oe: expires, oh: signature })}`;
  };

  const isValid = (id: string, query: URLSearchParams): boolean => {
    const [size, expires, signature] = ['type', 'oe', 'oh'].map((name) => query.get(name) ?? '');
    const [given, right] = [Buffer.from(signature ?? '', 'base64url'), sign(id, size ?? '', expires ?? '')];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
    return clock.now() < Number.parseInt(expires ?? '', 16) * 1_000;
  };

  const answer = async ({ method = '', url = '' }: IncomingMessage, response: ServerResponse) => {
    const [path = '', query] = url.split('?');
    const id = PATH.exec(path)?.groups?.id;
    if (id === undefined) return refuse(response, 404);
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405);
    const asked = new URLSearchParams(query);
    if (!isValid(id, asked)) return refuse(response, 403);
    const photo = photos.byId(id)?.bytes;
    if (!photo) return refuse(response, 404);
    const bytes = asked.get('type') === 'preview' ? await previewOf(photo, codecs, log) : photo;
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
  };

  return {
    pathOf,
    urlOf: (id, size) => origin() + pathOf(id, size),
    serve(request, response) {
      answer(request, response).catch((error: unknown) => {
        log.warn({ error: errorName(error) }, 'serving a picture failed');
        refuse(response, 500);
      });
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** A small photo is its own preview, and so is one that cannot be decoded. */
async function previewOf(photo: Uint8Array, codecs: Pick<Codecs, 'square'>, log: Log): Promise<Uint8Array> {
  if ((readPictureHeader(photo)?.width ?? 0) <= PREVIEW_PIXELS) return photo;
  try {
    return await codecs.square(photo, PREVIEW_PIXELS);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    log.debug({ reason: error.reason }, 'making a preview failed');
    return photo;
  }
}

const SCOPE = 'server';
const KEY = 'picture-signing';

/** Created once, so that addresses survive a restart. */
function readSigningKey(vault: World['vault'], random: Random): Uint8Array {
  const kept = vault.read(SCOPE, KEY);
  if (kept) return kept;
  const made = random.bytes(32);
  vault.write(SCOPE, KEY, made);
  return made;
}
