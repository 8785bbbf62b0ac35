import type { Terms, TermsVersionList } from '@parley/contract';
import { fault } from '#kernel';
import { type Actor, record } from './audit/store.ts';
import type { AccountsContext } from './context.ts';
import { actorOf } from './members/members.ts';
import {
  changeInTurn,
  currentTerms,
  findAccountIfAny,
  insertTerms,
  termsVersions,
  updateAccount,
} from './store.ts';

/** From the moment of its publication every account must accept this version before it may go on. */
export async function publishTerms(
  { store, clock }: AccountsContext,
  actor: Actor,
  { version, url }: { version: string; url: string },
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    const published = await termsVersions(trx);
    if (published.some((each) => each.version === version)) throw fault('tos_version_exists');
    const now = clock.now();
    const number = (published[0]?.number ?? 0) + 1;
    await insertTerms(trx, { version, url, number, published_at: now });
    await record(trx, now, {
      actor,
      accountId: null,
      action: 'tos.published',
      subject: version,
      detail: { url },
    });
  });
}

/** Names the version that was read: one that came out meanwhile has to be read first. */
export async function acceptTerms(
  { store, clock }: AccountsContext,
  { accountId, memberId }: { accountId: string; memberId: string },
  version: string,
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    if ((await currentTerms(trx))?.version !== version) throw fault('tos_superseded');
    const now = clock.now();
    await updateAccount(trx, accountId, { tos_accepted_version: version, tos_accepted_at: now });
    await record(trx, now, {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'tos.accepted',
      subject: version,
    });
  });
}

/** Newest first: the first one is in force. */
export async function listTermsVersions({ store }: AccountsContext): Promise<TermsVersionList['versions']> {
  const rows = await termsVersions(store.read);
  return rows.map(({ version, url, published_at }) => ({
    version,
    url,
    published_at: new Date(published_at).toISOString(),
  }));
}

export async function termsOfAccount({ store }: AccountsContext, accountId: string): Promise<Terms> {
  const accepted = (await findAccountIfAny(store.read, accountId))?.tos_accepted_version ?? null;
  const terms = await currentTerms(store.read);
  const current = terms?.version ?? null;
  return {
    current_version: current,
    accepted_version: accepted,
    pending_version: current === accepted ? null : current,
    url: terms?.url ?? null,
  };
}
