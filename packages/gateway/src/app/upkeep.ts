import { createMailTemplates, type MembersContext, startTermsNotices } from '#accounts';
import { startInvoicing, startNotices } from '#billing';
import type { Config } from '#config';
import { startHistoryRetention } from '#conversations';
import { endRestrictions, tidyCounts } from '#health';
import { startEventRetention } from '#inbound';
import { startMediaRetention, startOrphanSweep } from '#media';
import { startRememberingDays } from '#messages';
import { startErasing, startExports, startRemovals } from '#offboarding';
import { createMailTransport, type MailOutbox, startMailSender } from '#platform/mail';
import type { Log } from '#platform/observe';
import { failureMails, failureMailTemplates } from '#surfaces/portal';
import { startFailureWatch, type WebhooksContext } from '#webhooks';
import type { Contexts, Features } from './features.ts';
import type { Foundation } from './foundation.ts';
import type { Common } from './hosting/open-common.ts';

interface Parts extends Contexts, Pick<Features, 'history' | 'exports'> {
  readonly base: Foundation;
  readonly common: Common;
}

/** Starts the periodic jobs of this process's roles and the sending of mail. */
export function startPeriodicJobs(
  { roles, mailUrl, mailFrom }: Config,
  { base, common, accounts, billing, webhooks, history, exports }: Parts,
  opened: AsyncDisposableStack,
): void {
  const { store, clock, machineClock, log } = base;
  const { events, egress } = common;
  const { blobs } = common.media;
  if (accounts.mail && roles.has('portal'))
    startMail({ mailUrl, mailFrom }, { ...accounts, outbox: accounts.mail.outbox, webhooks, log }, opened);
  const parts = { store, events, blobs, egress, clock, machineClock, log };
  const life = { ...exports, blobs };
  const jobs = [
    ...(roles.has('worker')
      ? [
          endRestrictions(parts),
          tidyCounts(parts),
          startHistoryRetention({ ...history, clock, log }),
          startMediaRetention(parts),
          startOrphanSweep(parts),
          startRememberingDays(parts, parts),
          startInvoicing(billing, parts),
          startRemovals(life, parts),
          startExports(life, parts),
          startErasing(life, parts),
        ]
      : []),
    ...(roles.has('webhooks') ? [startEventRetention(parts), startNotices(billing, parts)] : []),
  ];
  opened.defer(() => Promise.all(jobs.map((job) => job.stop())).then(() => {}));
}

/** Sends mails from the outbox, if a mail server is configured. */
function startMail(
  { mailUrl: url, mailFrom: from }: Pick<Config, 'mailUrl' | 'mailFrom'>,
  {
    outbox,
    webhooks,
    log,
    ...members
  }: MembersContext & { outbox: MailOutbox; webhooks: WebhooksContext; log: Log },
  opened: AsyncDisposableStack,
): void {
  if (url === undefined || from === undefined) return;
  const { store, sealedBox, random, machineClock: clock } = members;
  const transport = createMailTransport({ url, from, clock });
  const writers = {
    ...createMailTemplates(members),
    ...failureMailTemplates({ accounts: members, webhooks }),
  };
  const sender = startMailSender({ store, sealedBox, clock, random, outbox, transport, writers, log });
  opened.defer(() => sender.stop());
  const notices = startTermsNotices({ ...members, log });
  opened.defer(() => notices.stop());
  const watch = startFailureWatch({
    ...webhooks,
    notifyOwners: failureMails({ accounts: members, outbox }),
    onNotified: outbox.wake,
    log,
  });
  opened.defer(() => watch.stop());
}
