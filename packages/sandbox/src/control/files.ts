import { OUTBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { Refusal } from './errors.ts';

/** Downloads a file for a virtual phone. The program that mounts the sandbox restricts the reachable hosts. */
export interface MediaFetcher {
  /** Undefined when the download failed. */
  fetch(url: string): Promise<File | undefined>;
}

export interface File {
  bytes: Uint8Array;
  mimetype: string;
}

/** Room for 64 MB in base64, and for the rest of the body. */
export const bodyWithFilesMaxBytes = 90 * 1024 * 1024;

/** A placeholder URL for a file that came inside the body; no such host can exist. */
export const inlineUrl = (name: string): string => `https://inline.invalid/${name}`;

const notBase64 = /[^A-Za-z0-9+/]/;

/** Searches for invalid characters instead of matching valid ones: an expression with a repeated group needs stack for each repetition. */
export function decodeBase64(field: string, text: string): Uint8Array {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 !== 0 || notBase64.test(text.slice(0, text.length - padding))) {
    throw new Refusal(400, `${field} must be standard base64`);
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > OUTBOUND_MEDIA_MAX_BYTES) throw new Refusal(400, `${field} is larger than 64 MB`);
  return bytes;
}

/** Downloads a URL, with a sentence for the caller when that fails. */
export async function download(fetcher: MediaFetcher, field: string, url: string): Promise<File> {
  const file = await fetcher.fetch(url);
  if (!file) throw new Refusal(400, `${field} could not be downloaded`);
  return file;
}
