import { createHmac, timingSafeEqual } from 'node:crypto';

/** Codes of the time (RFC 6238), as every authenticator app makes them: SHA-1, six digits, half a minute each. */

const PERIOD_MS = 30_000;
const DIGITS = 6;
/** A code is still good in the period after its own, and already in the one before: clocks of phones differ. */
const DRIFT_PERIODS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The period whose code this is, if it is one that counts now. */
export function periodOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const now = Math.floor(nowMs / PERIOD_MS);
  const near = Array.from({ length: 2 * DRIFT_PERIODS + 1 }, (_, at) => now - DRIFT_PERIODS + at);
  // All of them are looked at, whichever it is.
  return near.filter((period) => sameCode(codeOf(secret, period), code)).at(-1);
}

export function codeAt(secret: Uint8Array, nowMs: number): string {
  return codeOf(secret, Math.floor(nowMs / PERIOD_MS));
}

function codeOf(secret: Uint8Array, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

export function toBase32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
}

/** What an app scans. */
export function otpauthUri(secret: Uint8Array, email: string): string {
  const label = encodeURIComponent(`Parley:${email}`);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=Parley`;
}
