import type { FailingReceiver, ReceiverFailure } from '@parley/contract';
import { type MembersContext, membersOf } from '#accounts';
import { DAY_MS } from '#kernel';
import { line, type MailLine, type MailOutbox, type MailTemplates } from '#platform/mail';
import { failingReceivers, type NotifyOwners, type WebhooksContext } from '#webhooks';

const KIND = 'failing_receivers';
/** A mail that has failed for a day is outdated or redundant. */
const WANTED_FOR_MS = DAY_MS;

const WORDS: Readonly<Record<ReceiverFailure, string>> = {
  unauthorized: 'It refuses our requests as not allowed (401 or 403).',
  not_found: 'There is nothing at this address (404, 405 or 410).',
  redirect: 'It redirects elsewhere, which is not followed.',
  rate_limited: 'It says that there are too many requests (429).',
  rejected: 'It rejects our requests (4xx).',
  server_error: 'It answers with an error of its own (5xx).',
  nowhere: 'Its name leads to no host on the public internet.',
  unreachable: 'It cannot be reached.',
  certificate: 'Its certificate is not trusted.',
  timeout: 'It gives no complete answer within 10 seconds.',
  broken_answer: 'It breaks off its answers, or they are not HTTP.',
};

/** Queues one mail to each owner of the account. */
export function failureMails({
  accounts,
  outbox,
}: {
  accounts: MembersContext;
  outbox: MailOutbox;
}): NotifyOwners {
  return async (accountId) => {
    const owners = (await membersOf(accounts, accountId)).filter(
      ({ role, awaitsVerification }) => role === 'owner' && !awaitsVerification,
    );
    return async (trx, urls) => {
      for (const { id } of owners) {
        const matter = { account: accountId, member: id, urls: JSON.stringify(urls) };
        await outbox.put(trx, { kind: KIND, matter, wantedForMs: WANTED_FOR_MS });
      }
    };
  };
}

/** Lists the receivers that still fail when the mail is sent; sends no mail when all of them work again. */
export function failureMailTemplates({
  accounts,
  webhooks,
}: {
  accounts: MembersContext;
  webhooks: Pick<WebhooksContext, 'store'>;
}): MailTemplates {
  return {
    async [KIND]({ account = '', member = '', urls = '[]' }) {
      const origin = accounts.mail?.origin();
      const owner = (await membersOf(accounts, account)).find(({ id }) => id === member);
      const reported: readonly string[] = JSON.parse(urls);
      if (owner?.role !== 'owner' || origin === undefined || reported.length === 0) return undefined;
      const { items: failing } = await failingReceivers(webhooks, account, reported);
      if (failing.length === 0) return undefined;
      return {
        to: owner.email,
        subject: line`A webhook of yours is failing`,
        text: [
          line`For more than an hour, every event that was sent to this address has failed:`,
          ...failing.map((each) => writeFailureMail(each, origin)),
          line`Events wait for a day and then become dead letters, which you can deliver again. You get no further mail about this until it has worked once.`,
        ],
      };
    },
  };
}

function writeFailureMail(
  { url, cause, failing_since_unix, waiting, webhooks }: FailingReceiver,
  origin: string,
): MailLine[] {
  const since = new Date(failing_since_unix * 1_000).toISOString().slice(0, 16).replace('T', ' ');
  const [webhook] = webhooks;
  // The path may be a secret, and many machines read mails.
  return [
    line`${new URL(url).host}, since ${since} UTC. ${WORDS[cause]} ${waiting} waiting.`,
    webhook ? line`${origin}/portal/webhooks/${webhook.webhook_id}` : line`${origin}/portal/webhooks`,
  ];
}
