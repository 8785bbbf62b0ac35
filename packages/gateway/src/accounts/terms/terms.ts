import { TERMS_NOTICE_DAYS, type Terms, type TermsVersionList } from '@parley/contract';
import { fault } from '#kernel';
import type { Actor } from '../audit/change.ts';
import { record } from '../audit/store.ts';
import type { AccountsContext } from '../context.ts';
import { actorOf } from '../members/members.ts';
import { changeInTurn, findAccount, findAccountIfAny, updateAccount } from '../store.ts';
import { insertTerms, replaceAnnounced, termsVersions } from './store.ts';
import { createTimeline } from './timeline.ts';

const NOTICE_MS = TERMS_NOTICE_DAYS * 86_400_000;

interface NewTerms {
  readonly version: string;
  readonly url: string;
  readonly effective_at?: string | undefined;
  readonly now?: true | undefined;
}

/** Once it has taken effect every account must have accepted this version before it may go on. */
export async function publishTerms(
  { store, clock }: AccountsContext,
  actor: Actor,
  { version, url, ...when }: NewTerms,
): Promise<{ version: string; url: string; effective_at: string }> {
  return changeInTurn(store, async (trx) => {
    const now = clock.now();
    const effectiveAt = effectOf(when, now);
    const published = await termsVersions(trx);
    if (published.some((each) => each.version === version)) throw fault('tos_version_exists');
    const number = (published[0]?.number ?? 0) + 1;
    await replaceAnnounced(trx, now, effectiveAt);
    await insertTerms(trx, { version, url, number, published_at: now, effective_at: effectiveAt });
    const effective_at = new Date(effectiveAt).toISOString();
    await record(trx, now, {
      actor,
      accountId: null,
      action: 'tos.published',
      subject: version,
      detail: { url, effective_at },
    });
    return { version, url, effective_at };
  });
}

function effectOf({ effective_at: text, now: atOnce }: Omit<NewTerms, 'version' | 'url'>, now: number) {
  if (text === undefined) return atOnce ? now : now + NOTICE_MS;
  if (atOnce) throw fault('invalid_field', { text: 'effective_at and now exclude each other' });
  const at = Date.parse(text);
  if (!(at > now))
    throw fault('invalid_field', {
      text: 'effective_at must be a time in the future; pass now to let the terms take effect at once',
    });
  return at;
}

/** Names the version that was read: one that came out meanwhile has to be read first. */
export async function acceptTerms(
  { store, clock }: AccountsContext,
  { accountId, memberId }: { accountId: string; memberId: string },
  version: string,
): Promise<void> {
  await changeInTurn(store, async (trx) => {
    const now = clock.now();
    const timeline = createTimeline(await termsVersions(trx));
    const read = [timeline.inForce(now), timeline.upcoming(now)].find((each) => each?.version === version);
    if (!read) throw fault('tos_superseded');
    const { tos_accepted_version: before } = await findAccount(trx, accountId);
    if (timeline.covers(before, read)) return;
    await updateAccount(trx, accountId, { tos_accepted_version: version, tos_accepted_at: now });
    await record(trx, now, {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'tos.accepted',
      subject: version,
    });
  });
}

/** Newest first. */
export async function listTermsVersions({ store }: AccountsContext): Promise<TermsVersionList['versions']> {
  const all = await termsVersions(store.read);
  return all.map(({ version, url, publishedAt, effectiveAt }) => ({
    version,
    url,
    published_at: new Date(publishedAt).toISOString(),
    effective_at: new Date(effectiveAt).toISOString(),
  }));
}

export async function termsOfAccount({ store, clock }: AccountsContext, accountId: string): Promise<Terms> {
  const now = clock.now();
  const accepted = (await findAccountIfAny(store.read, accountId))?.tos_accepted_version ?? null;
  const timeline = createTimeline(await termsVersions(store.read));
  const inForce = timeline.inForce(now);
  const upcoming = timeline.upcoming(now);
  return {
    current_version: inForce?.version ?? null,
    accepted_version: accepted,
    pending_version: inForce && !timeline.covers(accepted, inForce) ? inForce.version : null,
    url: inForce?.url ?? null,
    ...(upcoming &&
      !timeline.covers(accepted, upcoming) && {
        upcoming: {
          version: upcoming.version,
          url: upcoming.url,
          effective_at: new Date(upcoming.effectiveAt).toISOString(),
        },
      }),
  };
}
