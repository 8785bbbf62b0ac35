import type { MailboxWriter } from '../devices/mailbox.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Sanctions } from './types.ts';

const BANNED_FOR_A_WHILE = 402;
const LOCKED = 403;

interface SanctionsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
}

export function createSanctions({ context, phones, mailboxes }: SanctionsNeeds): Sanctions {
  const { db, clock } = context;

  /** A device gets the reason at its next login only: the connection itself just closes. */
  const hangUpOn = (phone: PhoneNumber): void => {
    const devices = db.all<{ session_id: string }>('SELECT session_id FROM devices WHERE phone = ?', phone);
    for (const { session_id } of devices) {
      context.afterCommit(`sanction ${session_id}`, () => mailboxes.hangUp(session_id, 'fault'));
    }
  };

  return {
    ban(phone, { code, seconds }) {
      context.act(() => {
        phones.get(phone);
        const until = seconds > 0 ? clock.now() + seconds * 1_000 : null;
        db.run('UPDATE phones SET banned_until = ?, ban_code = ? WHERE phone = ?', until, code, phone);
        if (until !== null) hangUpOn(phone);
      });
    },
    lock(phone, locked) {
      context.act(() => {
        phones.get(phone);
        db.run('UPDATE phones SET locked = ? WHERE phone = ?', Number(locked), phone);
        if (locked) hangUpOn(phone);
      });
    },
    refusal(phone) {
      const { locked, bannedUntil = 0 } = phones.get(phone);
      if (locked) return { reason: LOCKED };
      if (bannedUntil <= clock.now()) return undefined;
      const code = db.get<{ code: number }>(
        'SELECT ban_code AS code FROM phones WHERE phone = ?',
        phone,
      )?.code;
      return {
        reason: BANNED_FOR_A_WHILE,
        ...(code !== undefined && { code }),
        expireSeconds: Math.ceil((bannedUntil - clock.now()) / 1_000),
      };
    },
  };
}
