import { timingSafeEqual } from 'node:crypto';
import type { OwnerLink, PasskeyCredential } from '@parley/contract';
import { ApiError, apiError, type Random } from '#kernel';
import type { OnboardingRow } from '#platform/store';
import { type AnswerContext, answerPasskey, cancelPairing, confirmCode, viewOf } from './answer.ts';
import { type LoginPasskeys, ownerViewOf } from './login-passkey.ts';
import { findOwnerLink, hashOf, newToken, type OwnerLinkRow, takeOwnerLink } from './owner-link-queries.ts';

/** Visitor of one question to an owner: the token of the link, and the secret of the browser that opened it first. */
interface Visitor {
  readonly token: string;
  readonly browser: string | undefined;
}

/**
 * Access to a pairing attempt, or to a login of a linked number, for a number's owner, who has no account here. The
 * first browser that opens a link keeps it. After the attempt the link opens nothing; its browser may still read the
 * outcome. Opening the link of a login has the network ask, because its owner is there.
 */
export interface OwnerLinks {
  /** Resolves to the secret for this browser when it is the first. */
  open(visitor: Visitor): Promise<{ readonly view: OwnerLink; readonly browser?: string }>;
  see(visitor: Visitor): Promise<OwnerLink>;
  answer(visitor: Visitor, credential: PasskeyCredential): Promise<OwnerLink>;
  confirm(visitor: Visitor): Promise<OwnerLink>;
  cancel(visitor: Visitor): Promise<void>;
}

export interface OwnerLinksContext extends AnswerContext {
  readonly random: Pick<Random, 'bytes'>;
  readonly logins: LoginPasskeys;
  /** False for a suspended account: its links lead nowhere. */
  readonly mayLink: (accountId: string) => Promise<boolean>;
}

export function createOwnerLinks(context: OwnerLinksContext): OwnerLinks {
  const { store, clock, random, secrets, logins } = context;

  async function find(token: string): Promise<OwnerLinkRow> {
    const link = await findOwnerLink(store.read, hashOf(token));
    if (!link || !(await context.mayLink(accountOf(link)))) throw apiError('link_not_found');
    return link;
  }

  async function ownTarget({ token, browser }: Visitor): Promise<OwnerLinkRow['target']> {
    const { target, browserHash } = await find(token);
    if (browserHash === null || !isSame(browser, browserHash)) throw apiError('link_taken');
    return target;
  }

  function view(row: OnboardingRow): OwnerLink {
    const { status, passkey, code, error, error_code } = viewOf(row, secrets, clock.now());
    // A guarded attempt does not return to these; if it ever did, they are not for this page.
    if (status === 'qr' || status === 'code') return { status: 'pending' };
    return {
      status,
      ...(passkey && { passkey }),
      ...(code !== undefined && { code }),
      ...(error !== undefined && { error }),
      ...(error_code && { error_code }),
    };
  }

  async function look(target: OwnerLinkRow['target'], how: 'read' | 'ask' = 'read'): Promise<OwnerLink> {
    if (target.kind === 'pairing') return view(target.onboarding);
    return logins[how]({ number: target.number, origin: NO_ORIGIN }).then(ownerViewOf, pendingWithoutHost);
  }

  const see = async (visitor: Visitor): Promise<OwnerLink> => look(await ownTarget(visitor));

  return {
    async open(visitor) {
      const { target, browserHash } = await find(visitor.token);
      if (browserHash !== null) return { view: await look(await ownTarget(visitor), 'ask') };
      if (target.kind === 'pairing' && target.onboarding.ended_at !== null) throw apiError('link_not_found');
      const browser = newToken(random);
      if (!(await takeOwnerLink(store, hashOf(visitor.token), hashOf(browser)))) throw apiError('link_taken');
      return { view: await look(target, 'ask'), browser };
    },
    see,
    async answer(visitor, credential) {
      const target = await ownTarget(visitor);
      if (target.kind === 'pairing') await answerPasskey(context, target.onboarding, credential);
      else await logins.answer({ number: target.number, origin: NO_ORIGIN }, credential);
      return see(visitor);
    },
    async confirm(visitor) {
      const target = await ownTarget(visitor);
      if (target.kind === 'pairing') await confirmCode(context, target.onboarding);
      else await logins.confirm({ number: target.number, origin: NO_ORIGIN });
      return see(visitor);
    },
    async cancel(visitor) {
      const target = await ownTarget(visitor);
      if (target.kind === 'pairing') await cancelPairing(context, target.onboarding);
      else await logins.refuse(target.number);
    },
  };
}

/** The page is open already, and gets no address of itself. */
const NO_ORIGIN = 'http://localhost';

function accountOf({ target }: OwnerLinkRow): string {
  return target.kind === 'pairing' ? target.onboarding.account_id : target.number.accountId;
}

/** For `catch`: the session moves to another host, which asks the network anew. */
function pendingWithoutHost(error: unknown): OwnerLink {
  if (error instanceof ApiError && error.code === 'session_not_hosted')
    return { is_login: true, status: 'pending' };
  throw error;
}

function isSame(browser: string | undefined, expected: Uint8Array): boolean {
  return browser !== undefined && timingSafeEqual(hashOf(browser), expected);
}
