import { Readable } from 'node:stream';
import { operations } from '@parley/contract';
import { apiError, type ByteRange, safeFileName, safeMediaType } from '#kernel';
import { type Caller, type Route, serve } from '#platform/http';
import type { MediaAccess } from './access.ts';
import type { ObtainMedia } from './inbound/fetch.ts';
import type { Media, MediaLibrary } from './library.ts';
import type { MediaLinks } from './links.ts';
import type { TakeUpload } from './upload.ts';

interface MediaContext {
  readonly library: MediaLibrary;
  readonly access: MediaAccess;
  readonly obtain: ObtainMedia;
  readonly links: Pick<MediaLinks, 'check'>;
  /** Why an account may do nothing at the moment; null: it may. */
  readonly blocked: (accountId: string) => Promise<Caller['blocked']>;
  readonly takeUpload: TakeUpload;
}

export function mediaRoutes({ library, access, obtain, links, blocked, takeUpload }: MediaContext): Route[] {
  const answer = async (media: Media, call: FileCall) =>
    answerFile(library, await obtain(media, call.signal), call);

  return [
    serve(operations.uploadMedia, async ({ caller, body, header }) => {
      const { id, mimetype, size, sha256, expiresAt } = await takeUpload(caller, { body, header });
      return { media_id: id, mimetype, size, sha256, expires_at_unix: Math.floor(expiresAt / 1_000) };
    }),
    serve(operations.getMedia, async (call) => answer(await access.find(call.caller, call.params.id), call)),
    serve(operations.getSignedMedia, async (call) => {
      const media = await links.check(await library.findInAnyAccount(call.params.id), call.query);
      const reason = await blocked(media.accountId);
      if (reason) throw apiError(reason);
      return answer(media, call);
    }),
  ];
}

/** The part of a request that an answer needs. */
export interface FileCall {
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  setHeader(name: string, value: string | number): void;
  setStatus(status: 206 | 304): void;
}

/**
 * The sender chose the bytes and the type of the file, so it must be harmless in a browser: it is a download, its type is not
 * sniffed, and the content security policy denies it scripts, forms and this origin.
 */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
  'Accept-Ranges': 'bytes',
} as const;

/** Answers with a file, or the part of it that was asked for. */
export async function answerFile(
  library: Pick<MediaLibrary, 'read'>,
  media: Media,
  call: FileCall,
): Promise<Readable | undefined> {
  const etag = `"${media.sha256}"`;
  for (const [name, value] of Object.entries(HARMLESS)) call.setHeader(name, value);
  call.setHeader('ETag', etag);
  if (knows(call.header('If-None-Match'), etag)) {
    call.setStatus(304);
    return undefined;
  }
  const isSame = (call.header('If-Range') ?? etag) === etag;
  const part = isSame ? partOf(call.header('Range'), media.size) : undefined;
  if (part === 'outside') {
    call.setHeader('Content-Range', `bytes */${media.size}`);
    throw apiError('media_range_invalid');
  }
  const range = part ?? { from: 0, to: media.size };
  const bytes = await library.read(media, range, call.signal);
  if (part) {
    call.setStatus(206);
    call.setHeader('Content-Range', `bytes ${range.from}-${range.to - 1}/${media.size}`);
  }
  for (const [name, value] of Object.entries(labelsOf(media))) call.setHeader(name, value);
  call.setHeader('Content-Length', range.to - range.from);
  return Readable.from(bytes, { objectMode: false });
}

function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}

/** One part; of several at once the whole is given, as is what is not understood. */
export function partOf(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return last === '0' ? 'outside' : { from: Math.max(size - Number(last), 0), to: size };
  const from = Number(first);
  const to = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? 'outside' : { from, to };
}

/** The headers that say what a file is. Rows may be older than the rules for what comes in, so that whatever is kept is made fit here. */
function labelsOf({ mimetype, fileName }: Pick<Media, 'mimetype' | 'fileName'>): Record<string, string> {
  return {
    'Content-Type': safeMediaType(mimetype),
    'Content-Disposition': dispositionOf(safeFileName(fileName)),
  };
}

function dispositionOf(fileName: string): string {
  if (fileName === '') return 'attachment';
  const plain = fileName.replaceAll(/[^\w. -]/g, '_');
  const exact = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
