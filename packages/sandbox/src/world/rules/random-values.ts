import type { Random } from '../types.ts';

/** Random values of this network. */
export interface RandomValues {
  digits(count: number): string;
  hex(bytes: number): string;
  inviteCode(): string;
  /** 32 bytes in base64. */
  secret(): string;
  bytes(count: number): Uint8Array;
}

const inviteAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function createRandomValues(random: Random): RandomValues {
  const from = (alphabet: string, count: number): string =>
    Array.from(random.bytes(count), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return {
    digits: (count) => from('123456789', 1) + from('0123456789', count - 1),
    hex: (bytes) => Buffer.from(random.bytes(bytes)).toString('hex').toUpperCase(),
    inviteCode: () => from(inviteAlphabet, 22),
    secret: () => Buffer.from(random.bytes(32)).toString('base64'),
    bytes: (count) => random.bytes(count),
  };
}
