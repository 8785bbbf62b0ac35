import type { KeptMessage } from '@parley/contract';
import { chatTexts } from '../../texts/chats.ts';

/** A message in one line. */
export function saidIn({ text, media, type, revoked_at_unix }: KeptMessage): string {
  if (revoked_at_unix !== undefined) return chatTexts.deleted;
  if (text !== '') return text;
  return media ? (media.filename ?? chatTexts.file(media.extension)) : type;
}

/** Links are made for the address under which the gateway is known; the page is where it is. */
export function sameOrigin(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
