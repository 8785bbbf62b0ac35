import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { lidJid, type Person, userJid } from '../../world/index.ts';
import type { KnownSecret, ReadContext, WriteContext } from './content-codec.ts';

/**
 * Updates of a message that are encrypted under a key from the secret of that message: AES-256-GCM, the key by HKDF
 * from id, author, sender of the update, and the name of its kind.
 */
export type AddonKind = 'Poll Vote' | 'Message Edit';

export const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
  readonly encIv: Uint8Array;
  readonly encPayload: Uint8Array;
}

interface Names {
  readonly kind: AddonKind;
  readonly target: string;
  readonly author: string;
  readonly sender: string;
}

/** Undefined when the sender's phone does not have the secret of the message. */
export function sealAddon(
  context: WriteContext,
  kind: AddonKind,
  target: string,
  plaintext: Uint8Array,
): Sealed | undefined {
  const known = context.secretOf(target);
  if (!known) return undefined;
  const author = context.addressOf(known.author);
  const names = { kind, target, author, sender: context.addressOf(context.sender) };
  const encIv = context.randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(known.secret, names), encIv);
  cipher.setAAD(boundTo(names));
  const encPayload = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { encIv, encPayload };
}

/** Undefined when the phone lacks the secret, or it does not fit. */
export function openAddon(
  context: ReadContext,
  kind: AddonKind,
  target: string,
  sealed: { encIv?: Uint8Array | null; encPayload?: Uint8Array | null },
): Buffer | undefined {
  const known = context.secretOf(target);
  const { encIv, encPayload } = sealed;
  if (!known || encIv?.length !== IV_BYTES || !encPayload || encPayload.length < TAG_BYTES) return undefined;
  // clients differ in which of a person's two addresses goes into the key
  for (const author of addresses(known.author)) {
    for (const sender of addresses(context.sender)) {
      const opened = open(known, { kind, target, author, sender }, { encIv, encPayload });
      if (opened) return opened;
    }
  }
  return undefined;
}

function open({ secret }: KnownSecret, names: Names, { encIv, encPayload }: Sealed): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, names), encIv);
  decipher.setAAD(boundTo(names));
  decipher.setAuthTag(encPayload.subarray(-TAG_BYTES));
  return decoded(() =>
    Buffer.concat([decipher.update(encPayload.subarray(0, -TAG_BYTES)), decipher.final()]),
  );
}

function addresses(person: Person): string[] {
  return [lidJid(person.lid), userJid(person.phone)];
}

function keyOf(secret: Uint8Array, { kind, target, author, sender }: Names): Buffer {
  const base = createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
  return createHmac('sha256', base).update(`${target}${author}${sender}${kind}\x01`).digest();
}

/** Only votes are bound to the poll and the voter beyond their key. */
function boundTo({ kind, target, sender }: Names): Buffer {
  return kind === 'Poll Vote' ? Buffer.from(`${target}\0${sender}`) : Buffer.alloc(0);
}
