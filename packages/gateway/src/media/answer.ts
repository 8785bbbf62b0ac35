import { Readable } from 'node:stream';
import { type ByteRange, fault, safeFileName, safeMediaType } from '#kernel';
import type { Media, MediaLibrary } from './library.ts';

/** The part of a request that an answer needs. */
export interface FileCall {
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  setHeader(name: string, value: string | number): void;
  setStatus(status: 206 | 304): void;
}

/**
 * Whoever sent the file chose its bytes and its type: it must do nothing in a browser that opens it, whatever it claims to be. It is offered
 * for saving, its type is not guessed at, and should it be shown after all, it is in a place without scripts, forms or this origin.
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
    throw fault('media_range_invalid');
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
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
