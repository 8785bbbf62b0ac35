import { sessionIdOf } from '../jids.ts';
import type { PhoneStore } from '../people/phones.ts';
import { type Actor, type LinkedDevice, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { News } from './items.ts';
import type { MailboxWriter } from './mailbox.ts';
import type { Devices } from './types.ts';

interface DeviceRow {
  phone: string;
  device: number;
  session_id: string;
  identity: Uint8Array;
  linked_at: number;
  logins: number;
  last_login_at: number | null;
}

/** The network's addresses have one byte for the device. */
const highestDevice = 250;

interface DevicesNeeds {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
  /** People who may write to this person. */
  correspondentsOf(phone: PhoneNumber): Iterable<PhoneNumber>;
}

export function createDevices({ context, phones, mailboxes, correspondentsOf }: DevicesNeeds): Devices {
  const { db, clock } = context;

  const toDevice = (row: DeviceRow): LinkedDevice => ({
    phone: row.phone,
    device: row.device,
    sessionId: row.session_id,
    identity: row.identity,
    linkedAt: row.linked_at,
    attached: mailboxes.isAttached(row.session_id),
    logins: row.logins,
    lastLoginAt: row.last_login_at ?? undefined,
  });

  const get = (sessionId: string): LinkedDevice | undefined => {
    const row = db.get<DeviceRow>('SELECT * FROM devices WHERE session_id = ?', sessionId);
    return row && toDevice(row);
  };

  /** Counts on from the last number, so that the number of a removed device does not name another one at once. */
  const freeNumber = (phone: string): number => {
    const taken = new Set(phones.deviceNumbers(phone));
    const last = db.get<{ n: number }>('SELECT last_device AS n FROM phones WHERE phone = ?', phone)?.n ?? 0;
    for (let step = 0; step < highestDevice; step += 1) {
      const candidate = ((last + step) % highestDevice) + 1;
      if (!taken.has(candidate)) return candidate;
    }
    throw new WorldError('conflict', `phone ${phone} has no room for another device`);
  };

  /** Notifies correspondents, whose clients need to know the devices to encrypt for. */
  const notifyCorrespondents = (actor: Actor, change: 'add' | 'remove'): void => {
    const { phone, device } = actor;
    const news: News = {
      kind: 'devices',
      person: phones.person(phone),
      change,
      device,
      devices: phones.deviceNumbers(phone),
      at: clock.now(),
    };
    mailboxes.notify(phone, news, actor);
    for (const other of correspondentsOf(phone)) if (other !== phone) mailboxes.notify(other, news);
  };

  return {
    get,
    of: (phone) =>
      db.all<DeviceRow>('SELECT * FROM devices WHERE phone = ? ORDER BY device', phone).map(toDevice),
    link: (phone, identity) =>
      context.act(() => {
        phones.get(phone);
        const device = freeNumber(phone);
        const sessionId = sessionIdOf(phone, device);
        db.run('UPDATE phones SET last_device = ? WHERE phone = ?', device, phone);
        db.run(
          'INSERT INTO devices (phone, device, session_id, identity, linked_at) VALUES (?, ?, ?, ?, ?)',
          phone,
          device,
          sessionId,
          identity,
          clock.now(),
        );
        notifyCorrespondents({ phone, device }, 'add');
        return {
          phone,
          device,
          sessionId,
          identity,
          linkedAt: clock.now(),
          attached: false,
          logins: 0,
          lastLoginAt: undefined,
        };
      }),
    keep(sessionId, identity) {
      context.act(() => {
        db.run('UPDATE devices SET identity = ? WHERE session_id = ?', identity, sessionId);
      });
    },
    unlink(sessionId) {
      context.act(() => {
        const gone = db.get<DeviceRow>('DELETE FROM devices WHERE session_id = ? RETURNING *', sessionId);
        if (!gone) throw new WorldError('not_found', `${sessionId} is not linked`);
        notifyCorrespondents(gone, 'remove');
        context.afterCommit(`unlink ${sessionId}`, () => mailboxes.hangUp(sessionId, 'unlinked'));
      });
    },
  };
}
