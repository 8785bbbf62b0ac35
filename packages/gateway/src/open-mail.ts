import { letterWriters, type MembersContext, startTermsNotices } from '#accounts';
import type { Config } from '#config';
import { createMailTransport, type MailOutbox, startMailSender } from '#mail';
import type { Log } from '#ops';
import { failureLetterWriters, failureMails } from '#portal';
import { startFailureWatch, type WebhooksContext } from '#webhooks';

/** Sends what is in the outbox, where a mail server was named. */
export function openMail(
  { mailUrl: url, mailFrom: from }: Config,
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
  const writers = { ...letterWriters(members), ...failureLetterWriters({ accounts: members, webhooks }) };
  const sender = startMailSender({ store, sealedBox, clock, random, outbox, transport, writers, log });
  opened.defer(() => sender.stop());
  const notices = startTermsNotices({ ...members, log });
  opened.defer(() => notices.stop());
  const watch = startFailureWatch({
    ...webhooks,
    tellOwners: failureMails({ accounts: members, outbox }),
    onTold: outbox.wake,
    log,
  });
  opened.defer(() => watch.stop());
}
