import type { MailboxWriter } from '../devices/mailbox.ts';
import { isGroupJid } from '../jids.ts';
import { type ChatKey, type ChatRegister, directKey } from '../messages/chats.ts';
import type { Actor, PhoneNumber, SessionId, TypingMedia } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { type PhoneStore, personOf } from './phones.ts';
import type { Presence, Privacy } from './types.ts';

export interface PresenceStore extends Presence {
  /** Availability and subscriptions last as long as one connection. */
  connectionChanged(sessionId: SessionId): void;
  /** Sending ends typing; receivers infer it from the message. */
  typingEndedBySending(phone: PhoneNumber, chat: ChatKey): void;
  close(): void;
}

interface TypingRow {
  phone: string;
  chat: string;
  media: TypingMedia;
  until: number;
}

const typingLastsMs = 25_000;

interface PresenceNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  mailboxes: MailboxWriter;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  privacy: Pick<Privacy, 'lets'>;
  /** All members of the group but this person; `forbidden` for outsiders. */
  othersIn(group: string, phone: PhoneNumber): PhoneNumber[];
  isMember(group: string, phone: PhoneNumber): boolean;
}

export function createPresence(needs: PresenceNeeds): PresenceStore {
  const { context, phones, chats, mailboxes, isBlocked, privacy, othersIn, isMember } = needs;
  const { db, clock } = context;
  forgetConnections(context);
  const timers = new Map<string, { cancel(): void }>();

  const notifySubscribers = (phone: PhoneNumber): void => {
    for (const { session_id } of db.all<{ session_id: string }>(
      `SELECT s.session_id FROM subscriptions s JOIN devices d ON d.session_id = s.session_id AND d.available
       WHERE s.phone = ?`,
      phone,
    )) {
      notifySubscriber(session_id, phone);
    }
  };

  /** Those who hide their own last seen see that of no one. */
  const showsLastSeen = (phone: PhoneNumber, viewer: PhoneNumber): boolean =>
    privacy.lets(phone, 'last', viewer) && privacy.lets(viewer, 'last', phone);

  const ownerOf = (sessionId: SessionId): PhoneNumber =>
    db.get<{ phone: string }>('SELECT phone FROM devices WHERE session_id = ?', sessionId)?.phone ?? '';

  /** Only available devices get typing and presence. */
  const availableOf = (phone: PhoneNumber): SessionId[] =>
    db
      .all<{ session_id: string }>(
        'SELECT session_id FROM devices WHERE phone = ? AND available ORDER BY device',
        phone,
      )
      .map((device) => device.session_id);

  const notifySubscriber = (sessionId: SessionId, phone: PhoneNumber): void => {
    const who = phones.get(phone);
    const viewer = ownerOf(sessionId);
    if (who.online && !privacy.lets(phone, 'online', viewer)) return;
    const isShown = showsLastSeen(phone, viewer);
    mailboxes.notifyDevice(sessionId, {
      kind: 'presence',
      person: personOf(who),
      online: who.online,
      lastSeenAt: who.online || !isShown ? undefined : who.lastSeenAt,
      ...(!who.online && !isShown && { isHidden: true }),
    });
  };

  const audience = (actor: Actor, to: string): { key: ChatKey; receivers: PhoneNumber[] } => {
    const key = chats.keyOf(actor.phone, to);
    if (isGroupJid(key)) return { key, receivers: othersIn(key, actor.phone) };
    const other = phones.require(to).phone;
    return { key, receivers: isBlocked(other, actor.phone) ? [] : [other] };
  };

  const notifyTyping = (
    actor: Actor,
    key: ChatKey,
    receivers: PhoneNumber[],
    typing: boolean,
    media: TypingMedia,
  ) => {
    const person = phones.person(actor.phone);
    for (const receiver of receivers) {
      const news = { kind: 'typing', chat: chats.view(receiver, key), person, typing, media } as const;
      for (const sessionId of availableOf(receiver)) mailboxes.notifyDevice(sessionId, news);
    }
  };

  const forget = (phone: PhoneNumber, key: ChatKey): boolean => {
    timers.get(`${phone} ${key}`)?.cancel();
    timers.delete(`${phone} ${key}`);
    return db.run('DELETE FROM typing WHERE phone = ? AND chat = ?', phone, key).changes > 0;
  };

  const clearLater = (actor: Actor, key: ChatKey, receivers: PhoneNumber[], media: TypingMedia): void => {
    const clear = (): void =>
      context.act(() => {
        if (forget(actor.phone, key)) notifyTyping(actor, key, receivers, false, media);
      });
    const timer = clock.after(typingLastsMs, () => context.runInBackground(clear));
    timers.set(`${actor.phone} ${key}`, timer);
  };

  const reaches = (key: ChatKey, phone: PhoneNumber): boolean =>
    isGroupJid(key) ? isMember(key, phone) : key.split('~').includes(phone);

  return {
    typing(actor, to, { typing, media }) {
      context.act(() => {
        const { key, receivers } = audience(actor, to);
        forget(actor.phone, key);
        if (typing) {
          db.run(
            'INSERT INTO typing (phone, chat, media, until) VALUES (?, ?, ?, ?)',
            actor.phone,
            key,
            media,
            clock.now() + typingLastsMs,
          );
          clearLater(actor, key, receivers, media);
        }
        notifyTyping(actor, key, receivers, typing, media);
      });
    },
    set(actor, { online, lastSeenAt = clock.now() }) {
      context.act(() => {
        if (actor.device === 0) {
          db.run('UPDATE phones SET online = ? WHERE phone = ?', Number(online), actor.phone);
        } else {
          db.run(
            'UPDATE devices SET available = ? WHERE phone = ? AND device = ?',
            Number(online),
            actor.phone,
            actor.device,
          );
        }
        if (!online) db.run('UPDATE phones SET last_seen_at = ? WHERE phone = ?', lastSeenAt, actor.phone);
        notifySubscribers(actor.phone);
      });
    },
    subscribe(device, who) {
      context.act(() => {
        const { phone } = phones.require(who);
        const trusted = chats.wasOpened(directKey(device.phone, phone)) && !isBlocked(phone, device.phone);
        if (!trusted) return;
        db.run(
          'INSERT OR IGNORE INTO subscriptions (session_id, phone) VALUES (?, ?)',
          device.sessionId,
          phone,
        );
        if (availableOf(device.phone).includes(device.sessionId)) notifySubscriber(device.sessionId, phone);
      });
    },
    typingTo: (phone) =>
      db
        .all<TypingRow>('SELECT * FROM typing WHERE until > ? AND phone <> ?', clock.now(), phone)
        .filter((row) => reaches(row.chat, phone))
        .map((row) => ({
          chat: chats.view(phone, row.chat),
          person: phones.person(row.phone),
          media: row.media,
        })),
    typingEndedBySending: forget,
    connectionChanged(sessionId) {
      context.act(() => {
        db.run('DELETE FROM subscriptions WHERE session_id = ?', sessionId);
        const gone = db.get<{ phone: string }>(
          'UPDATE devices SET available = 0 WHERE session_id = ? AND available RETURNING phone',
          sessionId,
        );
        if (!gone) return;
        db.run('UPDATE phones SET last_seen_at = ? WHERE phone = ?', clock.now(), gone.phone);
        notifySubscribers(gone.phone);
      });
    },
    close() {
      for (const timer of timers.values()) timer.cancel();
    },
  };
}

/** The connections of a process that died are over, although they were never closed. */
function forgetConnections({ act, db }: WorldContext): void {
  act(() => {
    db.run('UPDATE devices SET available = 0 WHERE available');
    db.run('DELETE FROM subscriptions');
    db.run('DELETE FROM typing');
  });
}
