import { proto } from 'baileys';
import type { Random } from '../ports.ts';

/** Plaintexts end with 1 to 16 bytes of padding, each with the number of them. */

export function encodePadded(message: proto.IMessage, random: Random): Buffer {
  const length = ((random.bytes(1)[0] ?? 0) & 0x0f) + 1;
  return Buffer.concat([proto.Message.encode(message).finish(), Buffer.alloc(length, length)]);
}

export function decodePadded(plaintext: Buffer): proto.Message {
  const length = plaintext.at(-1) ?? 0;
  if (length === 0 || length > plaintext.length) throw new Error('plaintext is not padded');
  return proto.Message.decode(plaintext.subarray(0, plaintext.length - length));
}
