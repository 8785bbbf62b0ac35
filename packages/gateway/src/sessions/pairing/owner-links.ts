import { timingSafeEqual } from 'node:crypto';
import type { OwnerLink, PasskeyCredential } from '@parley/contract';
import { fault, type Random } from '#kernel';
import type { OnboardingRow } from '#store';
import { type AnswerContext, answerPasskey, cancelPairing, confirmCode } from './answer.ts';
import { findOwnerLink, hashOf, newToken, takeOwnerLink } from './link-store.ts';
import { viewOf } from './view.ts';

/** A number's owner before one pairing attempt: the token of the link, and what only the browser that opened it first has. */
interface Visitor {
  readonly token: string;
  readonly browser: string | undefined;
}

/**
 * The way to a pairing attempt for a number's owner, who has no login. The first browser that opens a link keeps it. When the attempt is over
 * the link opens nothing any more; the browser that had it may still read how it ended.
 */
export interface OwnerLinks {
  /** Resolves to what this browser is to keep, when it is the first. */
  open(visitor: Visitor): Promise<{ readonly view: OwnerLink; readonly browser?: string }>;
  see(visitor: Visitor): Promise<OwnerLink>;
  answer(visitor: Visitor, credential: PasskeyCredential): Promise<OwnerLink>;
  confirm(visitor: Visitor): Promise<OwnerLink>;
  cancel(visitor: Visitor): Promise<void>;
}

export interface OwnerLinksContext extends AnswerContext {
  readonly random: Pick<Random, 'bytes'>;
  /** False for an account that may do nothing at the moment: its links lead nowhere. */
  readonly mayLink: (accountId: string) => Promise<boolean>;
}

export function createOwnerLinks(context: OwnerLinksContext): OwnerLinks {
  const { store, clock, random, secrets } = context;

  async function find(token: string) {
    const link = await findOwnerLink(store.read, hashOf(token));
    if (!link || !(await context.mayLink(link.onboarding.account_id))) throw fault('link_not_found');
    return link;
  }

  async function ownRow({ token, browser }: Visitor): Promise<OnboardingRow> {
    const { onboarding, browserHash } = await find(token);
    if (browserHash === null || !isSame(browser, browserHash)) throw fault('link_taken');
    return onboarding;
  }

  function view(row: OnboardingRow): OwnerLink {
    const { status, passkey, code, error, error_code } = viewOf(row, secrets, clock.now());
    // A guarded attempt does not go back to these; should it ever, they are not for this page.
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
      if (onboarding.ended_at !== null) throw fault('link_not_found');
      const browser = newToken(random);
      if (!(await takeOwnerLink(store, hashOf(visitor.token), hashOf(browser)))) throw fault('link_taken');
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
