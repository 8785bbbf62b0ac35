import { letterWriters, type MembersContext, startTermsNotices } from '#accounts';
import type { Config } from '#config';
import { createMailTransport, type MailOutbox, startMailSender } from '#mail';
import type { Log } from '#ops';

/** Sends what is in the outbox, where a mail server was named. */
export function openMail(
  { mailUrl: url, mailFrom: from }: Config,
  { outbox, log, ...members }: MembersContext & { outbox: MailOutbox; log: Log },
  opened: AsyncDisposableStack,
): void {
  if (url === undefined || from === undefined) return;
  const { store, sealedBox, random, machineClock: clock } = members;
  const transport = createMailTransport({ url, from, clock });
  const writers = letterWriters(members);
  const sender = startMailSender({ store, sealedBox, clock, random, outbox, transport, writers, log });
  opened.defer(() => sender.stop());
  const notices = startTermsNotices({ ...members, log });
  opened.defer(() => notices.stop());
}
