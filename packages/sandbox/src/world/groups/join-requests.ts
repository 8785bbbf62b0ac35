import type { GroupChange } from '../devices/items.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Actor, JoinRequest, JoinRequestAction, ParticipantResult, PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { GroupRegister } from './group-register.ts';
import { applyToEach } from './participant-results.ts';

/** Requests of people who followed the invite of a group whose admins approve them. */
export interface JoinRequests {
  /** Keeps the request and notifies the admins; a repeated one changes nothing. */
  add(actor: Actor, jid: string): void;
  drop(jid: string, phone: PhoneNumber): void;
  /** For admins, oldest first. */
  list(actor: Actor, jid: string): JoinRequest[];
  answer(actor: Actor, jid: string, action: JoinRequestAction, who: string[]): ParticipantResult[];
}

interface JoinRequestsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  register: GroupRegister;
  /** Makes a person a member. */
  enter(jid: string, phone: PhoneNumber): void;
  announceTo(receivers: PhoneNumber[], actor: Actor, jid: string, change: GroupChange): void;
}

export function createJoinRequests({
  context: { db, clock },
  phones,
  register,
  enter,
  announceTo,
}: JoinRequestsNeeds): JoinRequests {
  const exists = (jid: string, phone: PhoneNumber): boolean =>
    db.get('SELECT 1 FROM join_requests WHERE jid = ? AND phone = ?', jid, phone) !== undefined;

  const drop = (jid: string, phone: PhoneNumber): void => {
    db.run('DELETE FROM join_requests WHERE jid = ? AND phone = ?', jid, phone);
  };

  return {
    drop,
    add(actor, jid) {
      if (exists(jid, actor.phone)) return;
      db.run('INSERT INTO join_requests (jid, phone, at) VALUES (?, ?, ?)', jid, actor.phone, clock.now());
      const persons = [phones.person(actor.phone)];
      announceTo(register.admins(jid), actor, jid, { type: 'join_requested', persons });
    },
    list(actor, jid) {
      register.requireAdmin(actor, jid);
      return db
        .all<{ phone: string; at: number }>(
          'SELECT phone, at FROM join_requests WHERE jid = ? ORDER BY at, phone',
          jid,
        )
        .map(({ phone, at }) => ({ person: phones.person(phone), at }));
    },
    answer(actor, jid, action, who) {
      register.requireAdmin(actor, jid);
      const { results, changed: persons } = applyToEach(phones, who, ({ phone }) => {
        if (!exists(jid, phone)) return 'not_member';
        if (action === 'approve') enter(jid, phone);
        else drop(jid, phone);
        return 'ok';
      });
      if (persons.length === 0) return results;
      if (action === 'approve') announceTo(register.members(jid), actor, jid, { type: 'add', persons });
      else announceTo(register.admins(jid), actor, jid, { type: 'join_request_rejected', persons });
      return results;
    },
  };
}
