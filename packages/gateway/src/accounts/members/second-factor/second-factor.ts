import { hash } from 'node:crypto';
import type { TwoFactor, TwoFactorBegun } from '@parley/contract';
import { fault, type Random } from '#kernel';
import type { SecondFactorRow, Writer } from '#store';
import type { Actor } from '../../audit/change.ts';
import { record } from '../../audit/store.ts';
import { verifyPassword } from '../../passwords.ts';
import { changeInTurn } from '../../store.ts';
import type { MembersContext } from '../context.ts';
import { actorOf, endSessions, requireMember } from '../members.ts';
import { findMember, type Member } from '../store.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  insertFactor,
  insertRecoveryCodes,
  markConfirmed,
  takePeriod,
  takeRecoveryCode,
} from './store.ts';
import { otpauthUri, periodOf, toBase32 } from './totp.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits in letters and digits that nobody mixes up: too many to be guessed, also from a copy of the database. */
const RECOVERY_CODE_LETTERS = 16;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

export async function readTwoFactor({ store }: MembersContext, memberId: string): Promise<TwoFactor> {
  const factor = await findFactor(store.read, memberId);
  const enabled = factor !== undefined && factor.confirmed_at !== null;
  return { enabled, recovery_codes_left: enabled ? await countRecoveryCodes(store.read, memberId) : 0 };
}

/** The password is asked for, so that nobody who finds an open browser locks its owner out. */
export async function beginTwoFactor(
  context: MembersContext,
  memberId: string,
  password: string,
): Promise<TwoFactorBegun> {
  const member = await requirePassword(context, memberId, password);
  const { store, random, sealedBox, machineClock } = context;
  const secret = random.bytes(SECRET_BYTES);
  await changeInTurn(store, async (trx) => {
    if ((await findFactor(trx, memberId))?.confirmed_at) throw fault('two_factor_on');
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
    if (factor?.confirmed_at) throw fault('two_factor_on');
    if (!factor) throw fault('two_factor_off');
    if (!(await takeAppCode(context, trx, factor, code))) throw fault('code_wrong');
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
    if (!factor?.confirmed_at) throw fault('two_factor_off');
    if (!(await takeAnyCode(context, trx, factor, code))) throw fault('code_wrong');
    await deleteFactor(trx, memberId);
  });
}

/** By the operator, for somebody who has lost everything. */
export async function resetTwoFactor(
  context: MembersContext,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<void> {
  if ((await findMember(context.store.read, memberId))?.accountId !== accountId)
    throw fault('member_not_found');
  const change = async (trx: Writer, factor: SecondFactorRow | undefined) => {
    if (!factor?.confirmed_at) throw fault('two_factor_off');
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
  return changeInTurn(store, async (trx) => {
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
  await changeInTurn(context.store, async (trx) => {
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
  if (!(await verifyPassword(password, member.passwordHash))) throw fault('password_wrong');
  return member;
}

function makeRecoveryCode(random: Pick<Random, 'bytes'>): string {
  const letters = Array.from(random.bytes(RECOVERY_CODE_LETTERS), (byte) => LETTERS.charAt(byte & 31)).join(
    '',
  );
  return (letters.match(/.{4}/g) ?? []).join('-');
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
