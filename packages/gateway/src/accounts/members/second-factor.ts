import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { TwoFactor, TwoFactorBegun } from '@parley/contract';
import { apiError, type Random } from '#kernel';
import type { SecondFactorRow, Writer } from '#platform/store';
import { auditedTransaction } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { Actor } from '../audit/change.ts';
import type { MembersContext } from '../context.ts';
import { verifyPassword } from '../passwords.ts';
import { findMember, type Member } from './member-queries.ts';
import { actorOf, endSessions, requireMember } from './members.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  insertFactor,
  insertRecoveryCodes,
  markConfirmed,
  takePeriod,
  takeRecoveryCode,
} from './second-factor-queries.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits in characters that are easy to distinguish; too many to be guessed, also from a copy of the database. */
const RECOVERY_CODE_LENGTH = 16;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

export async function readTwoFactor({ store }: MembersContext, memberId: string): Promise<TwoFactor> {
  const factor = await findFactor(store.read, memberId);
  const enabled = factor !== undefined && factor.confirmed_at !== null;
  return { enabled, recovery_codes_left: enabled ? await countRecoveryCodes(store.read, memberId) : 0 };
}

/** Requires the password, so that a stranger at an open browser cannot lock its owner out. */
export async function beginTwoFactor(
  context: MembersContext,
  memberId: string,
  password: string,
): Promise<TwoFactorBegun> {
  const member = await requirePassword(context, memberId, password);
  const { store, random, sealedBox, machineClock } = context;
  const secret = random.bytes(SECRET_BYTES);
  await auditedTransaction(store, async (trx) => {
    if ((await findFactor(trx, memberId))?.confirmed_at) throw apiError('two_factor_on');
    await deleteFactor(trx, memberId);
    await insertFactor(trx, {
      member_id: memberId,
      sealed: sealedBox.seal(secret, contextOfSecondFactor(memberId)),
      confirmed_at: null,
      last_step: 0,
      created_at: machineClock.now(),
    });
  });
  return { secret: toBase32(secret), uri: otpauthUri(secret, member.email) };
}

/** From now on it is asked for; visits that began without it are over. Answers the recovery codes. */
export async function confirmTwoFactor(
  context: MembersContext,
  memberId: string,
  code: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(context.random));
  await changeFactor(context, memberId, 'two_factor.enabled', async (trx, factor) => {
    if (factor?.confirmed_at) throw apiError('two_factor_on');
    if (!factor) throw apiError('two_factor_off');
    if (!(await takeAppCode(context, trx, factor, code))) throw apiError('code_wrong');
    await markConfirmed(trx, memberId, context.machineClock.now());
    await insertRecoveryCodes(trx, memberId, codes.map(hashOf));
    await endSessions(trx, await requireMember(context, memberId));
  });
  return codes;
}

export async function endTwoFactor(
  context: MembersContext,
  memberId: string,
  { password, code }: { password: string; code: string },
): Promise<void> {
  await requirePassword(context, memberId, password);
  await changeFactor(context, memberId, 'two_factor.disabled', async (trx, factor) => {
    if (!factor?.confirmed_at) throw apiError('two_factor_off');
    if (!(await takeAnyCode(context, trx, factor, code))) throw apiError('code_wrong');
    await deleteFactor(trx, memberId);
  });
}

/** Used by the operator, for a member who has lost device and recovery codes. */
export async function resetTwoFactor(
  context: MembersContext,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<void> {
  if ((await findMember(context.store.read, memberId))?.accountId !== accountId)
    throw apiError('member_not_found');
  const change = async (trx: Writer, factor: SecondFactorRow | undefined) => {
    if (!factor?.confirmed_at) throw apiError('two_factor_off');
    await deleteFactor(trx, memberId);
  };
  await changeFactor(context, memberId, 'two_factor.reset', change, 'operator');
}

export async function hasTwoFactor({ store }: MembersContext, memberId: string): Promise<boolean> {
  return ((await findFactor(store.read, memberId))?.confirmed_at ?? null) !== null;
}

/** True when the code counts; it never does again. */
export async function passSecondFactor(
  context: MembersContext,
  memberId: string,
  code: string,
): Promise<boolean> {
  const { store } = context;
  const factor = await findFactor(store.read, memberId);
  if (!factor) return false;
  if (isAppCode(code)) return store.transaction((trx) => takeAppCode(context, trx, factor, code));
  return auditedTransaction(store, async (trx) => {
    if (!(await takeRecoveryCode(trx, memberId, hashOf(code)))) return false;
    const member = await requireMember(context, memberId);
    await recordOf(context, trx, member, 'two_factor.recovery_code_used', actorOf(member));
    return true;
  });
}

function takeAnyCode(
  context: MembersContext,
  trx: Writer,
  factor: SecondFactorRow,
  code: string,
): Promise<boolean> {
  return isAppCode(code)
    ? takeAppCode(context, trx, factor, code)
    : takeRecoveryCode(trx, factor.member_id, hashOf(code));
}

async function takeAppCode(
  { sealedBox, machineClock }: MembersContext,
  trx: Writer,
  { member_id: memberId, sealed }: SecondFactorRow,
  code: string,
): Promise<boolean> {
  const secret = sealedBox.open(sealed, contextOfSecondFactor(memberId));
  const period = periodOf(secret, digitsOf(code), machineClock.now());
  return period !== undefined && takePeriod(trx, memberId, period);
}

async function changeFactor(
  context: MembersContext,
  memberId: string,
  action: Parameters<typeof recordOf>[3],
  change: (trx: Writer, factor: SecondFactorRow | undefined) => Promise<void>,
  actor?: Actor,
): Promise<void> {
  const member = await requireMember(context, memberId);
  await auditedTransaction(context.store, async (trx) => {
    await change(trx, await findFactor(trx, memberId));
    await recordOf(context, trx, member, action, actor ?? actorOf(member));
  });
}

function recordOf(
  { clock }: MembersContext,
  trx: Writer,
  { id, accountId }: Member,
  action: `two_factor.${'enabled' | 'disabled' | 'reset' | 'recovery_code_used'}`,
  actor: Actor,
): Promise<void> {
  return record(trx, clock.now(), { actor, accountId, action, subject: id });
}

export async function requirePassword(
  context: MembersContext,
  memberId: string,
  password: string,
): Promise<Member> {
  const member = await requireMember(context, memberId);
  if (!(await verifyPassword(password, member.passwordHash))) throw apiError('password_wrong');
  return member;
}

function makeRecoveryCode(random: Pick<Random, 'bytes'>): string {
  const characters = Array.from(random.bytes(RECOVERY_CODE_LENGTH), (byte) =>
    ALPHABET.charAt(byte & 31),
  ).join('');
  return (characters.match(/.{4}/g) ?? []).join('-');
}

/** However it was typed: a fast hash is enough, because a code is random and too long to be guessed. */
function hashOf(code: string): Buffer {
  return hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'buffer');
}

function digitsOf(code: string): string {
  return code.replaceAll(/\s/g, '');
}

function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(digitsOf(code));
}

export function contextOfSecondFactor(memberId: string): string {
  return `second factor ${memberId}`;
}

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
