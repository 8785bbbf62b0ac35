import type { MailboxWriter } from '../devices/mailbox.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { WorldContext } from '../world-context.ts';
import type { AwaitedMessages } from './types.ts';

/** Requests per message, after which the phone stops asking. */
const MOST_REQUESTS = 5;

export function createAwaitedMessages({
  context,
  phones,
  mailboxes,
}: {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
}): AwaitedMessages {
  const { db, clock } = context;

  return {
    ask(phone, sender, { id, to }) {
      context.act(() => {
        db.run(
          `INSERT INTO awaited (phone, session_id, id, since, requests) VALUES (?, ?, ?, ?, 1)
           ON CONFLICT DO UPDATE SET requests = requests + 1`,
          phone,
          sender.sessionId,
          id,
          clock.now(),
        );
        const { requests } = db.get<{ requests: number }>(
          'SELECT requests FROM awaited WHERE phone = ? AND session_id = ? AND id = ?',
          phone,
          sender.sessionId,
          id,
        ) ?? { requests: 1 };
        if (requests > MOST_REQUESTS) return;
        mailboxes.notifyDevice(sender.sessionId, {
          kind: 'retry',
          messageId: id,
          to,
          reader: phones.person(phone),
          own: phone === sender.phone,
          count: requests,
          at: clock.now(),
        });
      });
    },
    came(phone, sender, id) {
      db.run(
        'DELETE FROM awaited WHERE session_id = ? AND id = ? AND phone = ?',
        sender.sessionId,
        id,
        phone,
      );
    },
    by: (phone) => db.get<{ n: number }>('SELECT count(*) AS n FROM awaited WHERE phone = ?', phone)?.n ?? 0,
  };
}
