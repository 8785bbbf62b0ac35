/** The part of ASN.1's DER that an X.509 certificate needs. */

export function sequence(...parts: Uint8Array[]): Buffer {
  return tagged(0x30, ...parts);
}

export function set(...parts: Uint8Array[]): Buffer {
  return tagged(0x31, ...parts);
}

/** `bytes` as an unsigned big-endian number. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return first < 0x80 ? tagged(0x02, bytes) : tagged(0x02, Buffer.of(0), bytes);
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.of(value ? 0xff : 0));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.of(unusedBits), bytes);
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

/** In seconds, with a four-digit year, as certificates require from 2050 on. */
export function generalizedTime(epochMs: number): Buffer {
  const text = new Date(epochMs).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text));
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** `[number] EXPLICIT` around whole values. */
export function explicit(number: number, ...parts: Uint8Array[]): Buffer {
  return tagged(0xa0 | number, ...parts);
}

/** `[number] IMPLICIT` in place of a primitive's own tag. */
export function implicit(number: number, bytes: Uint8Array): Buffer {
  return tagged(0x80 | number, bytes);
}

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), length(body.length), body]);
}

function length(count: number): Buffer {
  if (count < 0x80) return Buffer.of(count);
  const bytes: number[] = [];
  for (let rest = count; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** Seven bits per byte, with a continuation bit on all but the last. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
