import type { Random } from '#kernel';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';
const LENGTH = 8;

export function newCode(random: Random): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length))).join('');
}
