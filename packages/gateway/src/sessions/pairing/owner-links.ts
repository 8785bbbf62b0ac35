import { timingSafeEqual } from 'node:crypto';
import type { OwnerLink, PasskeyCredential } from '@parley/contract';
import { apiError, type Random } from '#kernel';
import type { OnboardingRow } from '#platform/store';
import { type AnswerContext, answerPasskey, cancelPairing, confirmCode, viewOf } from './answer.ts';
import { findOwnerLink, hashOf, newToken, takeOwnerLink } from './owner-link-queries.ts';

/** Visitor of one pairing attempt: the token of the link, and the secret of the browser that opened it first. */
interface Visitor {
  readonly token: string;
  readonly browser: string | undefined;
}

/**
 * Access to a pairing attempt for a number's owner, who has no login. The first browser that opens a link keeps it.
 * After the attempt the link opens nothing; its browser may still read the outcome.
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
  /** False for a suspended account: its links lead nowhere. */
  readonly mayLink: (accountId: string) => Promise<boolean>;
}

export function createOwnerLinks(context: OwnerLinksContext): OwnerLinks {
  const { store, clock, random, secrets } = context;

  async function find(token: string) {
    const link = await findOwnerLink(store.read, hashOf(token));
    if (!link || !(await context.mayLink(link.onboarding.account_id))) throw apiError('link_not_found');
    return link;
  }

  async function ownRow({ token, browser }: Visitor): Promise<OnboardingRow> {
    const { onboarding, browserHash } = await find(token);
    if (browserHash === null || !isSame(browser, browserHash)) throw apiError('link_taken');
    return onboarding;
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

  const see = async (visitor: Visitor): Promise<OwnerLink> => view(await ownRow(visitor));

  return {
    async open(visitor) {
      const { onboarding, browserHash } = await find(visitor.token);
      if (browserHash !== null) return { view: await see(visitor) };
      if (onboarding.ended_at !== null) throw apiError('link_not_found');
      const browser = newToken(random);
      if (!(await takeOwnerLink(store, hashOf(visitor.token), hashOf(browser)))) throw apiError('link_taken');
      return { view: view(onboarding), browser };
    },
    see,
    async answer(visitor, credential) {
      await answerPasskey(context, await ownRow(visitor), credential);
      return see(visitor);
    },
    async confirm(visitor) {
      await confirmCode(context, await ownRow(visitor));
      return see(visitor);
    },
    async cancel(visitor) {
      await cancelPairing(context, await ownRow(visitor));
    },
  };
}

function isSame(browser: string | undefined, expected: Uint8Array): boolean {
  return browser !== undefined && timingSafeEqual(hashOf(browser), expected);
}
