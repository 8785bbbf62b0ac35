import type { TwoFactorBegun } from '@parley/contract';
import {
  acceptInvitation,
  askForRecovery,
  askForVerification,
  beginTwoFactor,
  changePassword,
  confirmTwoFactor,
  endTwoFactor,
  hasTwoFactor,
  type Member,
  type MembersContext,
  memberByPassword,
  openOwnAccount,
  passSecondFactor,
  recoverPassword,
  requirePassword,
} from '#accounts';
import { ApiError, apiError, type Clock, createPlaces, perMinute, perSecond, type RateLimit } from '#kernel';
import { networksOf, sameSecret } from '#platform/http';
import { createHashingQueue, type Turn } from './limits/hashing-queue.ts';
import type { LimitCharge, Limiter } from './limits/shared-limits.ts';

/** Checks passwords and tokens. Each check is slow on purpose, so a rate limit precedes it. */
export interface SignIn {
  signUp(given: { name: string; email: string; password: string }, address: string): Promise<Member>;
  signIn(
    given: { email: string; password: string; code?: string | undefined },
    from: {
      readonly address: string;
      /**
       * Whether the owner has signed in with this browser before: it is served first, and failures from its network do not count against
       * it.
       */
      readonly isKnown: boolean;
    },
  ): Promise<Member>;
  /** Resolves when the token is the operator's. */
  signInAsOperator(token: string, address: string): Promise<void>;
  changePassword(memberId: string, given: { current: string; next: string }): Promise<void>;
  /** Rejects a wrong password. */
  confirmPassword(memberId: string, password: string): Promise<void>;
  beginTwoFactor(memberId: string, password: string): Promise<TwoFactorBegun>;
  confirmTwoFactor(memberId: string, code: string): Promise<string[]>;
  endTwoFactor(memberId: string, given: { password: string; code: string }): Promise<void>;
  /** Has the same answer and timing for known and unknown addresses. */
  askForRecovery(email: string, address: string): Promise<void>;
  recoverPassword(given: { token: string; password: string }, address: string): Promise<void>;
  askForVerification(memberId: string): Promise<void>;
  acceptInvitation(
    given: { token: string; name: string; password: string },
    address: string,
  ): Promise<Member>;
  /** Refuses when the account has sent, or the address has received, too many invitations recently. */
  limitInvitations(accountId: string, email: string): Promise<void>;
}

interface SignInParts {
  readonly members: MembersContext;
  readonly limiter: Limiter;
  readonly signUpIsOpen: boolean;
  readonly operatorToken: string | undefined;
  readonly clock: Pick<Clock, 'sleep'>;
}

const FROM_ONE_PLACE_ON_ONE_ACCOUNT = { intervalMs: 30_000, burst: 5 };
/**
 * Limits guessing from many places: each recent wrong password slows the next answer for the account. It never refuses, because that would
 * let attackers lock the owner out.
 */
const ON_ONE_ACCOUNT = { intervalMs: 60_000, burst: 40 };
const AT_FULL_SPEED = 10;
const SLOWER_BY_MS = 400;
const SLOWEST_MS = 8_000;
const WAITING_MAX_ON_ONE_ACCOUNT = 50;
/**
 * Reached only with the right password. A guess has a chance of three in a million (three codes are valid), with five at once and then one
 * per five minutes.
 */
const CODES_OF_ONE_MEMBER = { intervalMs: 5 * 60_000, burst: 5 };
const FROM_ONE_PLACE = perSecond(0.5, 30);
const NEW_ACCOUNTS_FROM_ONE_PLACE = perMinute(5);
const MAILS_TO_ONE_ADDRESS = { intervalMs: 10 * 60_000, burst: 3 };
const INVITATIONS_OF_ONE_ACCOUNT = { intervalMs: 60_000, burst: 20 };
const MAILS_FROM_ONE_PLACE = { intervalMs: 60_000, burst: 10 };
/** Factor of a limit for a wider network, which holds many clients. */
const WIDER_BY = 8;

/** Recent wrong passwords of one account, from any network. */
export function wrongPasswordsOf(email: string): LimitCharge {
  return { name: `wrong passwords of ${email.toLowerCase()}`, limit: ON_ONE_ACCOUNT };
}

/** One charge per network of an address, each with a limit of its own. */
function chargesFor(what: string, address: string, limit: RateLimit): LimitCharge[] {
  const wide = { intervalMs: limit.intervalMs / WIDER_BY, burst: limit.burst * WIDER_BY };
  return networksOf(address).map((network, at) => ({
    name: `${what} from ${network}`,
    limit: at === 0 ? limit : wide,
  }));
}

const strangerFrom = (address: string): Turn => ({ from: networksOf(address), isKnown: false });
/** A signed-in member, or a browser that the member has used. */
const knownAs = (who: string): Turn => ({ from: [who], isKnown: true });

export function createSignIn({ members, limiter, signUpIsOpen, operatorToken, clock }: SignInParts): SignIn {
  const hashing = createHashingQueue();
  /** Delayed sign-ins per account under attack. */
  const waiting = createPlaces(WAITING_MAX_ON_ONE_ACCOUNT);

  async function takeOrRefuse(draws: readonly LimitCharge[]): Promise<void> {
    const waitMs = await limiter.take(draws);
    if (waitMs > 0) throw apiError('sign_in_too_often', { retryAfterSeconds: waitMs / 1_000 });
  }

  /** Counts only failures, so that correct passwords use up no limit. */
  async function attempt<T>(draws: readonly LimitCharge[], work: () => Promise<T>): Promise<T> {
    await takeOrRefuse(draws);
    try {
      const result = await work();
      await limiter.giveBack(draws);
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) await limiter.giveBack(draws);
      throw error;
    }
  }

  /** Delays before the hashing queue, so that an account under attack delays no other. */
  async function slowDown(who: string, wrong: number): Promise<void> {
    const pauseMs = Math.min(Math.max(wrong - AT_FULL_SPEED, 0) * SLOWER_BY_MS, SLOWEST_MS);
    if (pauseMs === 0) return;
    const release = waiting.take(who);
    if (!release) throw apiError('sign_in_too_often', { retryAfterSeconds: SLOWEST_MS / 1_000 });
    try {
      await clock.sleep(pauseMs);
    } finally {
      release();
    }
  }

  const codesOf = (memberId: string): LimitCharge => ({
    name: `codes of ${memberId}`,
    limit: CODES_OF_ONE_MEMBER,
  });
  const passwordOf = (memberId: string): LimitCharge => ({
    name: `password of ${memberId}`,
    limit: FROM_ONE_PLACE_ON_ONE_ACCOUNT,
  });

  async function requireCode(memberId: string, code: string | undefined): Promise<void> {
    if (code === undefined) throw apiError('second_factor_required');
    await attempt([codesOf(memberId)], async () => {
      if (!(await passSecondFactor(members, memberId, code))) throw apiError('code_wrong');
    });
  }

  return {
    async signUp(given, address) {
      if (!signUpIsOpen) throw apiError('sign_up_closed');
      await takeOrRefuse(chargesFor('sign-up', address, NEW_ACCOUNTS_FROM_ONE_PLACE));
      return hashing.run(strangerFrom(address), () => openOwnAccount(members, given));
    },

    async signIn({ email, password, code }, { address, isKnown }) {
      const who = email.toLowerCase();
      const draws = isKnown
        ? [{ name: `sign-in ${who} from browsers of theirs`, limit: FROM_ONE_PLACE_ON_ONE_ACCOUNT }]
        : [
            ...chargesFor(`sign-in ${who}`, address, FROM_ONE_PLACE_ON_ONE_ACCOUNT),
            ...chargesFor('sign-in', address, FROM_ONE_PLACE),
          ];
      const turn = isKnown ? knownAs(who) : strangerFrom(address);
      const onAccount = wrongPasswordsOf(who);
      const member = await attempt(draws, async () => {
        const wrong = await limiter.count(onAccount);
        let isWrong = false;
        try {
          if (!isKnown) await slowDown(who, wrong);
          const owner = await hashing.run(turn, () => memberByPassword(members, { email, password }));
          isWrong = owner === undefined;
          if (!owner) throw apiError('sign_in_failed');
          return owner;
        } finally {
          if (!isWrong) await limiter.giveBack([onAccount]);
        }
      });
      if (await hasTwoFactor(members, member.id)) await requireCode(member.id, code);
      return member;
    },

    async signInAsOperator(token, address) {
      if (operatorToken === undefined) throw apiError('not_found');
      const draws = chargesFor('operator', address, FROM_ONE_PLACE_ON_ONE_ACCOUNT);
      await attempt(draws, async () => {
        if (!sameSecret(token, operatorToken)) throw apiError('operator_token_invalid');
      });
    },

    changePassword: (memberId, given) =>
      attempt([passwordOf(memberId)], () =>
        hashing.run(knownAs(memberId), () => changePassword(members, memberId, given)),
      ),

    confirmPassword: (memberId, password) =>
      attempt([passwordOf(memberId)], () =>
        hashing.run(knownAs(memberId), async () => void (await requirePassword(members, memberId, password))),
      ),
    beginTwoFactor: (memberId, password) =>
      attempt([passwordOf(memberId)], () =>
        hashing.run(knownAs(memberId), () => beginTwoFactor(members, memberId, password)),
      ),
    confirmTwoFactor: (memberId, code) =>
      attempt([codesOf(memberId)], () => confirmTwoFactor(members, memberId, code)),
    endTwoFactor: (memberId, given) =>
      attempt([passwordOf(memberId), codesOf(memberId)], () =>
        hashing.run(knownAs(memberId), () => endTwoFactor(members, memberId, given)),
      ),

    async askForRecovery(email, address) {
      await takeOrRefuse([
        { name: `mails to ${email.toLowerCase()}`, limit: MAILS_TO_ONE_ADDRESS },
        ...chargesFor('mails', address, MAILS_FROM_ONE_PLACE),
      ]);
      await askForRecovery(members, email);
    },

    recoverPassword: (given, address) =>
      hashing.run(strangerFrom(address), () => recoverPassword(members, given)),

    async askForVerification(memberId) {
      await takeOrRefuse([{ name: `verification of ${memberId}`, limit: MAILS_TO_ONE_ADDRESS }]);
      await askForVerification(members, memberId);
    },

    acceptInvitation: (given, address) =>
      hashing.run(strangerFrom(address), () => acceptInvitation(members, given)),
    limitInvitations: (accountId, email) =>
      takeOrRefuse([
        { name: `mails to ${email.toLowerCase()}`, limit: MAILS_TO_ONE_ADDRESS },
        { name: `invitations of ${accountId}`, limit: INVITATIONS_OF_ONE_ACCOUNT },
      ]),
  };
}
