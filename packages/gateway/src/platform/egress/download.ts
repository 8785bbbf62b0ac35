import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { decodedComponent, safeFileName } from '#kernel';
import { EgressError, type EgressErrorCode } from './errors.ts';
import { type FileKind, SNIFFED_BYTES, sniff } from './sniff.ts';

export interface Download {
  /** Created by this download, and kept only when it succeeds. */
  readonly toFile: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Downloaded extends FileKind {
  readonly size: number;
  /** From the response, otherwise the last part of the path; empty when neither has one. */
  readonly fileName: string;
  /** Content type of the response; used only where the bytes reveal nothing. */
  readonly declaredType: string;
}

/** Streams the body of a response to disk, within the size limit. */
export async function downloadTo(
  { toFile, maxBytes }: Download,
  url: string,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<Downloaded> {
  const refusal = refusalOf(statusCode, Number(headers['content-length'] ?? 0), maxBytes);
  if (refusal) {
    body.on('error', () => {}).destroy();
    throw refusal;
  }
  let size = 0;
  let beginning = Buffer.alloc(0);

  async function* measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw new EgressError('too_large');
      if (beginning.length < SNIFFED_BYTES) beginning = Buffer.concat([beginning, chunk]);
      yield chunk;
    }
  }

  try {
    await pipeline(body, measured, createWriteStream(toFile, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    await rm(toFile, { force: true });
    throw error;
  }
  return {
    ...sniff(beginning.subarray(0, SNIFFED_BYTES)),
    size,
    fileName: fileNameOf(url, headers['content-disposition']),
    declaredType:
      String(headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim()
        .toLowerCase() ?? '',
  };
}

function refusalOf(status: number, claimedBytes: number, maxBytes: number): EgressError | undefined {
  const refuse = (code: EgressErrorCode) => new EgressError(code, { detail: `status ${status}` });
  if (status >= 300 && status < 400) return refuse('redirected');
  if (status !== 200) return refuse('refused');
  return claimedBytes > maxBytes ? new EgressError('too_large') : undefined;
}

/** The name of a downloaded file, sanitized. */
export function fileNameOf(url: string, contentDisposition: string | string[] | undefined): string {
  const header = [contentDisposition].flat().at(0) ?? '';
  return withoutFolders(extendedName(header) ?? plainName(header) ?? lastSegment(url));
}

/** `filename*=UTF-8''na%C3%AFve.pdf` (RFC 5987) wins over `filename`. */
function extendedName(header: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  return encoded === undefined ? undefined : decodedComponent(encoded);
}

function plainName(header: string): string | undefined {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
}

function lastSegment(url: string): string {
  return decodedComponent(URL.parse(url)?.pathname.split('/').at(-1) ?? '') ?? '';
}

function withoutFolders(name: string): string {
  return safeFileName(name.split(/[/\\]/).at(-1) ?? '');
}
