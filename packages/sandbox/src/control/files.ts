import { Refusal } from './errors.ts';

/** Downloads a file for a virtual phone. Whoever mounts the sandbox decides where it may reach. */
export interface MediaFetcher {
  fetch(url: string): Promise<File>;
}

export interface File {
  bytes: Uint8Array;
  mimetype: string;
}

/** Room for 64 MB in base64, and for the rest of the body. */
export const bodyWithFilesMaxBytes = 90 * 1024 * 1024;

/** An address that stands in a body for a file which came along inside it; no such host can exist. */
export const inlineUrl = (name: string): string => `https://inline.invalid/${name}`;

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function decodeBase64(field: string, text: string): Uint8Array {
  if (!base64.test(text)) throw new Refusal(400, `${field} must be standard base64`);
  return Buffer.from(text, 'base64');
}

/** Fetches by URL, with a sentence for the caller when that does not work. */
export async function download(fetcher: MediaFetcher, field: string, url: string): Promise<File> {
  try {
    return await fetcher.fetch(url);
  } catch {
    throw new Refusal(400, `${field} could not be downloaded`);
  }
}
