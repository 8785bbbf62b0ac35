import type { Clock, JobLog, PeriodicJob } from '#kernel';
import { startPeriodicJob } from '#kernel';
import { type Letter, line } from '#mail';
import type { MembersContext } from '../members/context.ts';
import { findMember, findMembersOf } from '../members/store.ts';
import { changeInTurn, findAccountIfAny } from '../store.ts';
import { accountsToNotice, insertNotices, termsVersions } from './store.ts';
import { createTimeline, type TermsVersion } from './timeline.ts';

const LOOK_EVERY_MS = 60_000;
const PER_STEP = 100;
/** A mail server may be away for a while: the letter says what holds when it leaves. */
const WANTED_FOR_MS = 14 * 86_400_000;

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
    everyMs: LOOK_EVERY_MS,
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
  // Looked up without a lock first: most of the time there is nobody.
  if (!mail || (await accountsToNotice(store.read, order)).length === 0) return 0;
  const found = await changeInTurn(store, async (trx) => {
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
export async function writeTermsLetter(
  { store, clock, mail }: MembersContext,
  { member: memberId = '', version = '' }: { readonly member?: string; readonly version?: string },
): Promise<Letter | undefined> {
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
        : line`An owner of ${account.name} can accept it in the portal now. From that day on the API refuses every request of the account until somebody does:`,
      line`${origin}/portal`,
    ],
  };
}
