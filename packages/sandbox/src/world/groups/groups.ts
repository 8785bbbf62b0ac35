import type { GroupChange } from '../devices/items.ts';
import type { MailboxWriter } from '../devices/mailbox.ts';
import { readInvite } from '../jids.ts';
import type { ChatRegister } from '../messages/chats.ts';
import type { PhoneStore } from '../people/phones.ts';
import type { Privacy } from '../people/types.ts';
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
import type { WorldContext } from '../world-context.ts';
import type { GroupRegister } from './group-register.ts';
import { createJoinRequests } from './join-requests.ts';
import { applyToEach } from './participant-results.ts';
import type { GroupSettings, Groups } from './types.ts';

const longestName = 25;

/** Changes that raise a version of the group, and which. */
const VERSIONED: Readonly<Partial<Record<GroupChange['type'], 'member_version' | 'announce_version'>>> = {
  add: 'member_version',
  join: 'member_version',
  remove: 'member_version',
  leave: 'member_version',
  promote: 'member_version',
  demote: 'member_version',
  announce: 'announce_version',
};

type Flag = 'announce' | 'locked' | 'join_approval' | 'everybody_adds';

/** Columns of the given settings. */
const flagsOf = ({ announce, locked, joinApproval, everybodyAdds }: GroupSettings) => ({
  ...(announce && { announce }),
  ...(locked && { locked }),
  ...(joinApproval && { join_approval: joinApproval }),
  ...(everybodyAdds && { everybody_adds: everybodyAdds }),
});

interface GroupsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
  register: GroupRegister;
  mailboxes: MailboxWriter;
  isBlocked(owner: PhoneNumber, phone: PhoneNumber): boolean;
  privacy: Pick<Privacy, 'lets'>;
}

export function createGroups({
  context,
  phones,
  chats,
  register,
  mailboxes,
  isBlocked,
  privacy,
}: GroupsNeeds): Groups {
  const { db, clock, randomValues } = context;

  /** Counts the change, where clients count such changes. */
  const versionAfter = (jid: string, { type }: GroupChange): { version?: number } => {
    const column = VERSIONED[type];
    if (!column) return {};
    const changed = db.get<{ version: number }>(
      `UPDATE groups SET ${column} = ${column} + 1 WHERE jid = ? RETURNING ${column} AS version`,
      jid,
    );
    return changed ?? {};
  };

  const announceTo = (receivers: PhoneNumber[], actor: Actor, jid: string, change: GroupChange): void => {
    const news = {
      kind: 'group',
      group: jid,
      by: phones.person(actor.phone),
      change,
      at: clock.now(),
      ...versionAfter(jid, change),
    } as const;
    for (const phone of receivers) mailboxes.notify(phone, news, actor);
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
    requests.drop(jid, phone);
  };

  const requests = createJoinRequests({
    context,
    phones,
    register,
    enter: (jid, phone) => enter(jid, phone, 'member'),
    announceTo,
  });

  const drop = (jid: string, phone: PhoneNumber): void => {
    db.run('DELETE FROM members WHERE jid = ? AND phone = ?', jid, phone);
  };

  /** A group always has an admin: the longest-standing member takes over. */
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

  /** The outcome of an action for one person; carries it out where no rule forbids it. */
  const applyTo = (
    actor: Actor,
    jid: string,
    action: ParticipantAction,
    who: Person,
  ): ParticipantResult['outcome'] => {
    const role = register.role(jid, who.phone);
    if (action === 'add') {
      if (role) return 'already_member';
      if (isBlocked(who.phone, actor.phone) || !privacy.lets(who.phone, 'groupadd', actor.phone)) {
        return 'forbidden';
      }
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
  ): { results: ParticipantResult[]; changed: Person[] } =>
    applyToEach(phones, addresses, (person) => applyTo(actor, jid, action, person));

  const checkName = (name: string): void => {
    const length = [...name].length;
    if (length === 0 || length > longestName) {
      throw new WorldError('not_acceptable', `a group name has 1 to ${longestName} characters`);
    }
  };

  const setFlag = (actor: Actor, jid: string, column: Flag, value: boolean): void => {
    register.requireAdmin(actor, jid);
    db.run(`UPDATE groups SET ${column} = ? WHERE jid = ?`, Number(value), jid);
  };

  const writeDescription = (jid: string, description: string): string => {
    const descriptionId = randomValues.hex(10);
    db.run(
      'UPDATE groups SET description = ?, description_id = ?, description_set_at = ? WHERE jid = ?',
      description,
      descriptionId,
      clock.now(),
      jid,
    );
    return descriptionId;
  };

  const jidOfInvite = (code: string): string => {
    const invite = readInvite(code);
    const jid = register.byInviteCode(invite);
    if (jid !== undefined) return jid;
    if (register.wasInvite(invite)) throw new WorldError('gone', 'the invite was reset');
    throw new WorldError('not_acceptable', 'there is no such invite');
  };

  return {
    create: (actor, { name, participants, description, ...settings }) =>
      context.act(() => {
        checkName(name);
        const jid = `120363${randomValues.digits(12)}@g.us`;
        const now = clock.now();
        db.run(
          `INSERT INTO groups (jid, name, name_set_at, name_set_by, invite_code, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
          jid,
          name,
          now,
          phones.get(actor.phone).phone,
          randomValues.inviteCode(),
          now,
        );
        enter(jid, actor.phone, 'superadmin');
        if (description) writeDescription(jid, description);
        for (const [column, value] of Object.entries(flagsOf(settings))) {
          db.run(`UPDATE groups SET ${column} = ? WHERE jid = ?`, Number(value), jid);
        }
        if (settings.disappearingSeconds) chats.setDisappearing(jid, settings.disappearingSeconds);
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
      context.act(() => {
        const mayAdd = action === 'add' && register.get(jid).everybodyAdds;
        if (mayAdd) register.requireMember(actor, jid);
        else register.requireAdmin(actor, jid);
        const before = register.members(jid);
        const { results, changed } = changeMembers(actor, jid, action, who);
        if (changed.length > 0) {
          const receivers = new Set([...before, ...register.members(jid)]);
          announceTo([...receivers], actor, jid, { type: action, persons: changed });
        }
        return results;
      }),
    rename(actor, jid, name) {
      context.act(() => {
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
      context.act(() => {
        register.requireInfoRights(actor, jid);
        const descriptionId = writeDescription(jid, description);
        announce(actor, jid, { type: 'description', description, descriptionId });
      });
    },
    setAnnounce(actor, jid, value) {
      context.act(() => {
        setFlag(actor, jid, 'announce', value);
        announce(actor, jid, { type: 'announce', announce: value });
      });
    },
    setJoinApproval(actor, jid, value) {
      context.act(() => {
        setFlag(actor, jid, 'join_approval', value);
        announce(actor, jid, { type: 'join_approval', on: value });
      });
    },
    setEverybodyAdds(actor, jid, value) {
      context.act(() => {
        setFlag(actor, jid, 'everybody_adds', value);
        announce(actor, jid, { type: 'everybody_adds', on: value });
      });
    },
    setLocked(actor, jid, value) {
      context.act(() => {
        setFlag(actor, jid, 'locked', value);
        announce(actor, jid, { type: 'locked', locked: value });
      });
    },
    setDisappearing(actor, jid, seconds) {
      context.act(() => {
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
      context.act(() => {
        register.requireAdmin(actor, jid);
        register.keepRevoked(register.inviteCode(jid));
        const code = randomValues.inviteCode();
        db.run('UPDATE groups SET invite_code = ? WHERE jid = ?', code, jid);
        announce(actor, jid, { type: 'invite', code });
        return code;
      }),
    byInvite: (code) => register.get(jidOfInvite(code)),
    join: (actor, code) =>
      context.act(() => {
        const jid = jidOfInvite(code);
        if (register.role(jid, actor.phone)) return { group: register.get(jid), isPending: false };
        const isPending = register.get(jid).joinApproval;
        if (isPending) requests.add(actor, jid);
        else {
          enter(jid, actor.phone, 'member');
          announce(actor, jid, { type: 'join', persons: [phones.person(actor.phone)] });
        }
        return { group: register.get(jid), isPending };
      }),
    requests: (actor, jid) => requests.list(actor, jid),
    answerRequests: (actor, jid, action, who) => context.act(() => requests.answer(actor, jid, action, who)),
    leave(actor, jid) {
      context.act(() => {
        register.requireMember(actor, jid);
        announce(actor, jid, { type: 'leave', persons: [phones.person(actor.phone)] });
        drop(jid, actor.phone);
        keepAnAdmin(actor, jid);
      });
    },
  };
}
