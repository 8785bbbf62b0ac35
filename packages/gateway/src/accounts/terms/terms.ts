import { TERMS_NOTICE_DAYS, type Terms, type TermsVersionList } from '@parley/contract';
import { apiError, type Clock, DAY_MS, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { line, type Mail } from '#platform/mail';
import { auditedTransaction, findAccount, findAccountIfAny, updateAccount } from '../account-queries.ts';
import { record } from '../audit/audit-queries.ts';
import type { Actor } from '../audit/change.ts';
import type { AccountsContext, MembersContext } from '../context.ts';
import { findMember, findMembersOf } from '../members/member-queries.ts';
import { actorOf } from '../members/members.ts';
import {
  accountsToNotice,
  insertNotices,
  insertTerms,
  replaceAnnounced,
  termsVersions,
} from './terms-queries.ts';
import { createTimeline, type TermsVersion } from './timeline.ts';

const NOTICE_MS = TERMS_NOTICE_DAYS * DAY_MS;

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
  return auditedTransaction(store, async (trx) => {
    const now = clock.now();
    const effectiveAt = effectOf(when, now);
    const published = await termsVersions(trx);
    if (published.some((each) => each.version === version)) throw apiError('tos_version_exists');
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
  if (atOnce) throw apiError('invalid_field', { text: 'effective_at and now exclude each other' });
  const at = Date.parse(text);
  if (!(at > now))
    throw apiError('invalid_field', {
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
  await auditedTransaction(store, async (trx) => {
    const now = clock.now();
    const timeline = createTimeline(await termsVersions(trx));
    const read = [timeline.inForce(now), timeline.upcoming(now)].find((each) => each?.version === version);
    if (!read) throw apiError('tos_superseded');
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

const NOTICE_EVERY_MS = 60_000;
const PER_STEP = 100;
/** A mail server may be down for a while; the mail is written when it is sent. */
const WANTED_FOR_MS = 14 * DAY_MS;

/**
 * Has a mail sent to the owners of every account that has not accepted the newest terms: once for each account and version, because the
 * note of it is committed together with the mails, whichever process does it.
 */
export function startTermsNotices(
  context: MembersContext & { machineClock: Pick<Clock, 'sleep'>; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: context.machineClock,
    log: context.log,
    everyMs: NOTICE_EVERY_MS,
    name: 'terms-notices',
    async work(stopping) {
      const newest = await newestWithNotice(context);
      while (newest && !stopping.aborted && (await noticeSome(context, newest)) === PER_STEP);
    },
  });
}

async function newestWithNotice({ store }: MembersContext): Promise<TermsVersion | undefined> {
  const [newest] = await termsVersions(store.read);
  return newest?.hasNotice ? newest : undefined;
}

async function noticeSome(context: MembersContext, newest: TermsVersion): Promise<number> {
  const { store, clock, mail } = context;
  const order = { version: newest.version, limit: PER_STEP };
  // Looked up without a lock first: usually there is none.
  if (!mail || (await accountsToNotice(store.read, order)).length === 0) return 0;
  const found = await auditedTransaction(store, async (trx) => {
    const accounts = await accountsToNotice(trx, order);
    if (accounts.length === 0) return 0;
    const timeline = createTimeline(await termsVersions(trx));
    for (const { id, tos_accepted_version: accepted } of accounts) {
      if (timeline.covers(accepted, newest)) continue;
      for (const { id: member, role } of await findMembersOf(trx, id)) {
        if (role !== 'owner') continue;
        const matter = { member, version: newest.version };
        await mail.outbox.put(trx, { kind: 'terms', matter, wantedForMs: WANTED_FOR_MS });
      }
    }
    const accountIds = accounts.map(({ id }) => id);
    await insertNotices(trx, { accountIds, version: newest.version, now: clock.now() });
    return accounts.length;
  });
  mail.outbox.wake();
  return found;
}

/** Undefined: they have accepted it meanwhile, a newer version has replaced it, or they may not accept anything any more. */
export async function termsMail(
  { store, clock, mail }: MembersContext,
  { member: memberId = '', version = '' }: { readonly member?: string; readonly version?: string },
): Promise<Mail | undefined> {
  const member = await findMember(store.read, memberId);
  const account = member && (await findAccountIfAny(store.read, member.accountId));
  const origin = mail?.origin();
  if (member?.role !== 'owner' || !account || origin === undefined) return undefined;
  const versions = await termsVersions(store.read);
  const [newest] = versions;
  if (newest?.version !== version) return undefined;
  if (createTimeline(versions).covers(account.tos_accepted_version, newest)) return undefined;
  const isInForce = newest.effectiveAt <= clock.now();
  const day = new Date(newest.effectiveAt).toUTCString();
  return {
    to: member.email,
    subject: line`New terms of service: ${newest.version}`,
    text: [
      isInForce
        ? line`Version ${newest.version} of the terms of service is in force since ${day}.`
        : line`Version ${newest.version} of the terms of service takes effect on ${day}.`,
      line`Read it here: ${newest.url}`,
      isInForce
        ? line`Until an owner of ${account.name} accepts it in the portal, the API refuses every request of the account:`
        : line`An owner of ${account.name} can accept it in the portal now. From that day on the API refuses every request of the account until an owner accepts it:`,
      line`${origin}/portal`,
    ],
  };
}
