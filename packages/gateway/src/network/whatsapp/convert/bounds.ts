import { createHash } from 'node:crypto';
import { onOneLine } from '@parley/contract/plain';

/**
 * Bounds for values from the network. Strangers choose most of them, with clients of any kind. Everything that
 * becomes part of an event passes one of these functions, so that later stages never get a value that a database
 * cannot store: no U+0000, no lone surrogate, no unbounded length.
 */
const LONGEST_ID = 255;
/** Far more than any client allows. */
const LONGEST_TEXT = 131_072;
const LONGEST_NAME = 255;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** Ids are printed, compared, indexed, and sent in headers. */
const PLAIN_ID = /^[\x21-\x7e]+$/;

/** Returns the id, or the digest of one that no client makes, so that it still identifies one message. */
export function boundedId(id: string): string {
  if (id.length <= LONGEST_ID && (id === '' || PLAIN_ID.test(id))) return id;
  return createHash('sha256').update(id, 'utf16le').digest('base64url');
}

export function boundedText(text: string): string {
  return storable(text, LONGEST_TEXT);
}

/** Names of people and files, and other one-line text; line breaks are removed. */
export function boundedName(name: string): string {
  return storable(onOneLine(name.slice(0, LONGEST_NAME)), LONGEST_NAME);
}

function storable(text: string, longest: number): string {
  // Cut first: the cut itself may leave a lone surrogate.
  return text.slice(0, longest).replaceAll('\u0000', '\ufffd').toWellFormed();
}

const ADDRESS = /^[^\p{C}\s@]{0,128}@[a-z0-9.-]{1,64}$/iu;

export function isPlausibleAddress(address: string): boolean {
  return ADDRESS.test(address);
}

const USERNAME = /^[A-Za-z0-9_.]{3,35}$/;

export function isPlausibleUsername(username: string): boolean {
  return USERNAME.test(username);
}

/** Epoch seconds; 0 when they are invalid. */
export function boundedSeconds(seconds: string | number | undefined): number {
  const number = Math.floor(Number(seconds));
  return number > 0 && number <= LAST_SECOND ? number : 0;
}

export function finite(number: number | null | undefined): number {
  return Number.isFinite(number) ? (number ?? 0) : 0;
}
