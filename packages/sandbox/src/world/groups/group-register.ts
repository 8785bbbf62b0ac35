import type { ChatRegister } from '../messages/chats.ts';
import type { PhoneStore } from '../people/phones.ts';
import {
  type Actor,
  type Group,
  type GroupMember,
  type GroupRole,
  type PhoneNumber,
  WorldError,
} from '../types.ts';
import type { WorldContext } from '../world-context.ts';

/** The current groups and the permissions in them; `groups.ts` changes them. */
export interface GroupRegister {
  /** `not_found` when there is no such group. */
  get(jid: string): Group;
  byInviteCode(code: string): string | undefined;
  /** Whether the code was an invite before it was reset. */
  wasInvite(code: string): boolean;
  keepRevoked(code: string): void;
  inviteCode(jid: string): string;
  of(phone: PhoneNumber): string[];
  role(jid: string, phone: PhoneNumber): GroupRole | undefined;
  members(jid: string): PhoneNumber[];
  admins(jid: string): PhoneNumber[];
  /** All members but this person; `forbidden` for outsiders. */
  others(jid: string, phone: PhoneNumber): PhoneNumber[];
  requireMember(actor: Actor, jid: string): GroupRole;
  requireAdmin(actor: Actor, jid: string): void;
  /** Name, description, photo and timer: every member may change them, unless the group is locked. */
  requireInfoRights(actor: Actor, jid: string): void;
  /** `forbidden` for outsiders, and for members without admin rights in an announce-only group. */
  requireVoice(actor: Actor, jid: string): void;
}

interface GroupRow {
  jid: string;
  name: string;
  name_set_at: number;
  name_set_by: string;
  description: string;
  description_id: string;
  description_set_at: number;
  join_approval: number;
  everybody_adds: number;
  member_version: number;
  announce_version: number;
  announce: number;
  locked: number;
  invite_code: string;
  created_at: number;
}

interface RegisterNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: ChatRegister;
}

export function createGroupRegister({ context, phones, chats }: RegisterNeeds): GroupRegister {
  const { db } = context;

  const row = (jid: string): GroupRow => {
    const found = db.get<GroupRow>('SELECT * FROM groups WHERE jid = ?', jid);
    if (!found) throw new WorldError('not_found', `there is no group ${jid}`);
    return found;
  };

  const role = (jid: string, phone: PhoneNumber): GroupRole | undefined =>
    db.get<{ role: GroupRole }>('SELECT role FROM members WHERE jid = ? AND phone = ?', jid, phone)?.role;

  const members = (jid: string): PhoneNumber[] =>
    db
      .all<{ phone: string }>('SELECT phone FROM members WHERE jid = ? ORDER BY place', jid)
      .map((member) => member.phone);

  const admins = (jid: string): PhoneNumber[] =>
    db
      .all<{ phone: string }>(
        `SELECT phone FROM members WHERE jid = ? AND role <> 'member' ORDER BY place`,
        jid,
      )
      .map((admin) => admin.phone);

  const requireMember = (actor: Actor, jid: string): GroupRole => {
    row(jid);
    const found = role(jid, actor.phone);
    if (!found) throw new WorldError('forbidden', 'not a member of this group');
    return found;
  };

  const isAdmin = (actor: Actor, jid: string): boolean => requireMember(actor, jid) !== 'member';

  return {
    role,
    members,
    admins,
    requireMember,
    get(jid) {
      const group = row(jid);
      const people: GroupMember[] = db
        .all<{ phone: string; role: GroupRole }>(
          'SELECT phone, role FROM members WHERE jid = ? ORDER BY place',
          jid,
        )
        .map((member) => ({ person: phones.person(member.phone), role: member.role }));
      return {
        jid,
        name: group.name,
        nameSetAt: group.name_set_at,
        nameSetBy: phones.person(group.name_set_by),
        description: group.description,
        descriptionId: group.description_id,
        descriptionSetAt: group.description_set_at,
        memberVersion: group.member_version,
        announceVersion: group.announce_version,
        joinApproval: group.join_approval === 1,
        everybodyAdds: group.everybody_adds === 1,
        owner: people.find((member) => member.role === 'superadmin')?.person,
        createdAt: group.created_at,
        announce: group.announce === 1,
        locked: group.locked === 1,
        disappearingSeconds: chats.disappearingSeconds(jid),
        members: people,
      };
    },
    byInviteCode: (code) =>
      db.get<{ jid: string }>('SELECT jid FROM groups WHERE invite_code = ?', code)?.jid,
    wasInvite: (code) => db.get('SELECT 1 FROM revoked_invites WHERE code = ?', code) !== undefined,
    keepRevoked(code) {
      db.run('INSERT INTO revoked_invites (code) VALUES (?)', code);
    },
    inviteCode: (jid) => row(jid).invite_code,
    of: (phone) =>
      db
        .all<{ jid: string }>('SELECT jid FROM members WHERE phone = ? ORDER BY jid', phone)
        .map((member) => member.jid),
    others(jid, phone) {
      requireMember({ phone, device: 0 }, jid);
      return members(jid).filter((member) => member !== phone);
    },
    requireAdmin(actor, jid) {
      if (!isAdmin(actor, jid)) throw new WorldError('forbidden', 'only a group admin may do that');
    },
    requireInfoRights(actor, jid) {
      if (!isAdmin(actor, jid) && row(jid).locked) {
        throw new WorldError('forbidden', 'the group is locked: only an admin may change it');
      }
    },
    requireVoice(actor, jid) {
      if (!isAdmin(actor, jid) && row(jid).announce) {
        throw new WorldError('forbidden', 'only admins may send to this group');
      }
    },
  };
}
