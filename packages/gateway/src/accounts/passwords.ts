import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '#kernel';

const derive = promisify<
  string,
  Uint8Array,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

/** OWASP's recommendation for scrypt; the numbers stand in each hash, so that they can grow later. */
export const RECOMMENDED = { N: 2 ** 17, r: 8, p: 1 };
/** For all that is hashed from here on. Tests that are not about passwords take less. */
export const hashing = { cost: RECOMMENDED };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const { cost } = hashing;
  const hash = await stretch(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, base64(salt), base64(hash)].join('$');
}

/** Takes as long without a stored hash (null), so that the time does not reveal who has an account. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  if (stored === null) {
    await stretch(password, Buffer.alloc(SALT_BYTES), hashing.cost);
    return false;
  }
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const given = await stretch(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function stretch(password: string, salt: Uint8Array, cost: typeof RECOMMENDED): Promise<Buffer> {
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: 256 * cost.N * cost.r });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
