import { createHmac } from 'node:crypto';
import { createSealedBox, type Random, type SealedBox } from '#kernel';
import type { MediaRef } from '#network';
import type { MediaRow } from '#store';

/** What is known of a file besides its bytes. */
export interface MediaDetails {
  readonly mimetype: string;
  /** Empty when it has none. */
  readonly fileName: string;
  /** Hex; empty while its bytes were never here. */
  readonly sha256: string;
  /** Where the network has it, when it came with a message. */
  readonly ref?: MediaRef;
}

function boxOf(accountKey: Uint8Array, random: Pick<Random, 'bytes'>): SealedBox {
  return createSealedBox({ masterKeys: [accountKey], random });
}

export function sealDetails(
  accountKey: Uint8Array,
  random: Pick<Random, 'bytes'>,
  id: string,
  details: MediaDetails,
): Uint8Array {
  return boxOf(accountKey, random).seal(Buffer.from(JSON.stringify(details)), `media ${id}`);
}

export function openDetails(
  accountKey: Uint8Array,
  random: Pick<Random, 'bytes'>,
  { id, details }: Pick<MediaRow, 'id' | 'details'>,
): MediaDetails {
  const plain = boxOf(accountKey, random).open(details, `media ${id}`);
  return JSON.parse(new TextDecoder().decode(plain));
}

/** By which the same file of an account is found again. */
export function fingerprintOf(accountKey: Uint8Array, sha256: string): Uint8Array {
  return createHmac('sha256', accountKey).update(`media ${sha256}`).digest();
}
