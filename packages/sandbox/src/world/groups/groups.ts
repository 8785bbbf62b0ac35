import type { GroupChange } from '../devices/items.ts';
import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import { readInvite } from '../jids.ts';
import type { ChatRegister } from '../messages/chats.ts';
import { type PhoneBook, personOf } from '../people/phones.ts';
import {
  type Actor,
  type Group,
  type GroupRole,
  type ParticipantAction,
  type ParticipantResult,
  type Person,
  type PhoneNumber,
  WorldError,
} from '../types.ts';
import type { GroupRegister } from './group-register.ts';
import type { Groups } from './types.ts';

const longestName = 25;

type Flag = 'announce' | 'locked' | 'join_approval' | 'everybody_adds';

interface GroupsNeeds {
  ground: Ground;
  phones: PhoneBook;
  chats: ChatRegister;
  register: GroupRegister;
  post: PostOffice;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
}

export function createGroups({ ground, phones, chats, register, post, isBlocked }: GroupsNeeds): Groups {
  const { db, clock, chance } = ground;

  const announceTo = (hearers: PhoneNumber[], actor: Actor, jid: string, change: GroupChange): void => {
    const by = phones.person(actor.phone);
    for (const phone of hearers) {
      post.tell(phone, { kind: 'group', group: jid, by, change, at: clock.now() }, actor);
    }
  };

  const announce = (actor: Actor, jid: string, change: GroupChange): void =>
    announceTo(register.members(jid), actor, jid, change);

  const enter = (jid: string, phone: PhoneNumber, role: GroupRole): void => {
    db.run(
      `INSERT INTO members (jid, phone, role, place)
       VALUES (?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM members WHERE jid = ?))`,
      jid,
      phone,
      role,
      jid,
    );
  };

  const drop = (jid: string, phone: PhoneNumber): void => {
    db.run('DELETE FROM members WHERE jid = ? AND phone = ?', jid, phone);
  };

  /** A group never stays without an admin: the one who is in it longest takes over. */
  const keepAnAdmin = (actor: Actor, jid: string): void => {
    if (db.get(`SELECT 1 FROM members WHERE jid = ? AND role <> 'member'`, jid)) return;
    const heir = register.members(jid)[0];
    if (heir === undefined) return;
    setRole(jid, heir, 'admin');
    announce(actor, jid, { type: 'promote', persons: [phones.person(heir)] });
  };

  const setRole = (jid: string, phone: PhoneNumber, role: GroupRole): void => {
    db.run('UPDATE members SET role = ? WHERE jid = ? AND phone = ?', role, jid, phone);
  };

  /** What one person's part in an action comes to; carries it out where nothing is against it. */
  const applyTo = (
    actor: Actor,
    jid: string,
    action: ParticipantAction,
    who: Person,
  ): ParticipantResult['outcome'] => {
    const role = register.role(jid, who.phone);
    if (action === 'add') {
      if (role) return 'already_member';
      if (isBlocked(who.phone, actor.phone)) return 'forbidden';
      enter(jid, who.phone, 'member');
      return 'ok';
    }
    if (!role) return 'not_member';
    if (role === 'superadmin' && action !== 'promote') return 'forbidden';
    if (action === 'remove') drop(jid, who.phone);
    else if (role !== 'superadmin') setRole(jid, who.phone, action === 'promote' ? 'admin' : 'member');
    return 'ok';
  };

  const changeMembers = (
    actor: Actor,
    jid: string,
    action: ParticipantAction,
    addresses: string[],
  ): { results: ParticipantResult[]; changed: Person[] } => {
    const results = addresses.map((address): ParticipantResult => {
      const found = phones.find(address);
      if (!found) return { jid: address, person: undefined, outcome: 'not_registered' };
      const person = personOf(found);
      return { jid: address, person, outcome: applyTo(actor, jid, action, person) };
    });
    const changed = results.flatMap(({ person, outcome }) => (person && outcome === 'ok' ? [person] : []));
    return { results, changed };
  };

  const checkName = (name: string): void => {
    const length = [...name].length;
    if (length === 0 || length > longestName) {
      throw new WorldError('bad_request', `a group name has 1 to ${longestName} characters`);
    }
  };

  const setFlag = (actor: Actor, jid: string, column: Flag, value: boolean): void => {
    register.requireAdmin(actor, jid);
    db.run(`UPDATE groups SET ${column} = ? WHERE jid = ?`, Number(value), jid);
  };

  const jidOfInvite = (code: string): string => {
    const jid = register.byInviteCode(readInvite(code));
    if (jid === undefined) throw new WorldError('not_found', 'the invite is unknown or was reset');
    return jid;
  };

  return {
    create: (actor, { name, participants }) =>
      ground.act(() => {
        checkName(name);
        const jid = `120363${chance.digits(12)}@g.us`;
        const now = clock.now();
        db.run(
          `INSERT INTO groups (jid, name, name_set_at, name_set_by, invite_code, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
          jid,
          name,
          now,
          phones.get(actor.phone).phone,
          chance.inviteCode(),
          now,
        );
        enter(jid, actor.phone, 'superadmin');
        const { results } = changeMembers(actor, jid, 'add', participants);
        const group = register.get(jid);
        announce(actor, jid, { type: 'create', group });
        return { group, results };
      }),
    get(actor, jid): Group {
      register.requireMember(actor, jid);
      return register.get(jid);
    },
    of: (phone) => register.of(phone).map(register.get),
    participants: (actor, jid, action, who) =>
      ground.act(() => {
        const mayAdd = action === 'add' && register.get(jid).everybodyAdds;
        if (mayAdd) register.requireMember(actor, jid);
        else register.requireAdmin(actor, jid);
        const before = register.members(jid);
        const { results, changed } = changeMembers(actor, jid, action, who);
        if (changed.length > 0) {
          const hearers = new Set([...before, ...register.members(jid)]);
          announceTo([...hearers], actor, jid, { type: action, persons: changed });
        }
        return results;
      }),
    rename(actor, jid, name) {
      ground.act(() => {
        register.requireInfoRights(actor, jid);
        checkName(name);
        db.run(
          'UPDATE groups SET name = ?, name_set_at = ?, name_set_by = ? WHERE jid = ?',
          name,
          clock.now(),
          actor.phone,
          jid,
        );
        announce(actor, jid, { type: 'name', name });
      });
    },
    describe(actor, jid, description) {
      ground.act(() => {
        register.requireInfoRights(actor, jid);
        const descriptionId = chance.hex(10);
        db.run(
          'UPDATE groups SET description = ?, description_id = ?, description_set_at = ? WHERE jid = ?',
          description,
          descriptionId,
          clock.now(),
          jid,
        );
        announce(actor, jid, { type: 'description', description, descriptionId });
      });
    },
    setAnnounce(actor, jid, value) {
      ground.act(() => {
        setFlag(actor, jid, 'announce', value);
        announce(actor, jid, { type: 'announce', announce: value });
      });
    },
    setJoinApproval(actor, jid, value) {
      ground.act(() => {
        setFlag(actor, jid, 'join_approval', value);
        announce(actor, jid, { type: 'join_approval', on: value });
      });
    },
    setEverybodyAdds(actor, jid, value) {
      ground.act(() => {
        setFlag(actor, jid, 'everybody_adds', value);
        announce(actor, jid, { type: 'everybody_adds', on: value });
      });
    },
    setLocked(actor, jid, value) {
      ground.act(() => {
        setFlag(actor, jid, 'locked', value);
        announce(actor, jid, { type: 'locked', locked: value });
      });
    },
    setDisappearing(actor, jid, seconds) {
      ground.act(() => {
        register.requireInfoRights(actor, jid);
        chats.setDisappearing(jid, seconds);
        announce(actor, jid, { type: 'disappearing', seconds });
      });
    },
    inviteCode(actor, jid) {
      register.requireAdmin(actor, jid);
      return register.inviteCode(jid);
    },
    resetInviteCode: (actor, jid) =>
      ground.act(() => {
        register.requireAdmin(actor, jid);
        const code = chance.inviteCode();
        db.run('UPDATE groups SET invite_code = ? WHERE jid = ?', code, jid);
        announce(actor, jid, { type: 'invite', code });
        return code;
      }),
    byInvite: (code) => register.get(jidOfInvite(code)),
    join: (actor, code) =>
      ground.act(() => {
        const jid = jidOfInvite(code);
        if (!register.role(jid, actor.phone)) {
          enter(jid, actor.phone, 'member');
          announce(actor, jid, { type: 'join', persons: [phones.person(actor.phone)] });
        }
        return register.get(jid);
      }),
    leave(actor, jid) {
      ground.act(() => {
        register.requireMember(actor, jid);
        announce(actor, jid, { type: 'leave', persons: [phones.person(actor.phone)] });
        drop(jid, actor.phone);
        keepAnAdmin(actor, jid);
      });
    },
  };
}
