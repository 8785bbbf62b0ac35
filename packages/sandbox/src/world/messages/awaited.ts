import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import type { PhoneBook } from '../people/phones.ts';
import type { Awaited } from './types.ts';

/** A phone does not ask for ever. */
const MOST_REQUESTS = 5;

export function createAwaited({
  ground,
  phones,
  post,
}: {
  ground: Ground;
  phones: PhoneBook;
  post: PostOffice;
}): Awaited {
  const { db, clock } = ground;

  return {
    ask(phone, sender, { id, to }) {
      ground.act(() => {
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
        post.tellDevice(sender.sessionId, {
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
