import type { KeptMessage } from '@parley/contract';
import { chatTexts } from '../../texts/chats.ts';

/** Summary of a message in one line. */
export function summarizeMessage({ text, media, type, revoked_at_unix }: KeptMessage): string {
  if (revoked_at_unix !== undefined) return chatTexts.deleted;
  if (text !== '') return text;
  return media ? (media.filename ?? chatTexts.file(media.extension)) : type;
}

/** Strips the origin: links carry the gateway's public address, which may differ from the page's. */
export function sameOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
