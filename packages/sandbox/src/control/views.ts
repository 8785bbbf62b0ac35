import {
  type Call,
  type Channel,
  type ChatState,
  type Contact,
  directJid,
  type FollowedChannel,
  type Group,
  type LinkedDevice,
  lidJid,
  type Person,
  type Phone,
  userJid,
  type World,
} from '../world/index.ts';

/** People, groups and channels in answers: the names of `/v1`, times in whole seconds. */

export const unix = (ms: number): number => Math.floor(ms / 1_000);

export function phoneView(world: World, phone: Phone) {
  return {
    phone: phone.phone,
    jid: userJid(phone.phone),
    lid: lidJid(phone.lid),
    name: phone.name,
    about: phone.about,
    business_name: phone.businessName ?? '',
    auto_read: phone.autoRead,
    hides_photo: phone.hidesPhoto,
    lid_mode: phone.lidMode,
    addressing: phone.addressing,
    username: phone.username ?? '',
    username_key: phone.usernameKey ?? '',
    hides_phone: phone.hidesPhone,
    online: phone.online,
    last_seen_unix: phone.lastSeenAt === undefined ? 0 : unix(phone.lastSeenAt),
    picture_id: world.photos.idOf(phone.phone) ?? '',
    duplicates_dropped: phone.duplicatesDropped,
    awaited_messages: world.awaited.by(phone.phone),
    banned_until_unix: phone.bannedUntil === undefined ? 0 : unix(phone.bannedUntil),
    locked: phone.locked,
    changed_to: phone.changedTo ?? '',
    ...standingView(world, phone.phone),
    requires_passkey: phone.requiresPasskey,
    passkey_rp_id: phone.passkeyRpId,
    refreshes_pairing: phone.refreshesPairing,
    other_spelling: phone.otherSpelling ?? '',
    edits: phone.edits,
    privacy: privacyView(world, phone.phone),
    passkeys: world.passkeys.of(phone.phone).length,
    created_at_unix: unix(phone.createdAt),
  };
}

export const privacyView = ({ privacy }: World, phone: string): Record<string, string> =>
  Object.fromEntries(privacy.of(phone).map(({ name, value }) => [name, value]));

/** Restrictions of the account, and the complaints about it. */
function standingView({ standing }: World, phone: string) {
  const lock = standing.lockOf(phone);
  const cap = standing.capOf(phone);
  const { blockedBy, reportedBy } = standing.complaintsAbout(phone);
  return {
    restriction: lock ? { type: lock.type, ends_unix: unix(lock.endsAt) } : null,
    new_chats: cap
      ? {
          quota: cap.quota,
          used: cap.used,
          cycle_ends_unix: unix(cap.cycleEndsAt),
          status: cap.status,
        }
      : null,
    blocked_by: blockedBy,
    reported_by: reportedBy,
  };
}

/** The phone and everything that belongs to it. */
export function phoneDetail(world: World, phone: Phone) {
  const number = phone.phone;
  return {
    ...phoneView(world, phone),
    linked_devices: world.devices.of(number).map(deviceView),
    contacts: world.contacts.list(number).map(contactView),
    groups: world.groups.of(number).map(groupView),
    channels: world.channels.followedBy(number).map(followedChannelView),
    blocklist: phone.lidMode ? [] : world.blocklists.of(number).map((person) => userJid(person.phone)),
    typing: world.presence.typingTo(number).map(({ chat, person, media }) => ({
      chat_jid: chat.jid,
      sender_jid: directJid(person),
      media,
    })),
    calls: world.calls.of(number).map((call) => callView(number, call)),
  };
}

const deviceView = (device: LinkedDevice) => ({
  session_id: device.sessionId,
  device: device.device,
  online: device.attached,
  linked_at_unix: unix(device.linkedAt),
  logins: device.logins,
  last_login_unix: device.lastLoginAt === undefined ? 0 : unix(device.lastLoginAt),
});

export const contactView = (contact: Contact) => ({
  phone: contact.phone,
  jid: userJid(contact.phone),
  first_name: contact.firstName,
  full_name: contact.fullName,
  push_name: contact.pushName,
  business_name: contact.businessName ?? '',
});

export const chatView = ({ chat, archived, pinned, mutedUntil, unread, deletedAt }: ChatState) => ({
  chat_jid: chat.jid,
  archived,
  pinned,
  muted_until_unix: mutedUntil === undefined ? 0 : mutedUntil < 0 ? -1 : unix(mutedUntil),
  unread,
  deleted_at_unix: deletedAt === undefined ? 0 : unix(deletedAt),
});

/** Members of groups are addressed by LID, with the number beside it. */
export const memberJid = (person: Person): string => lidJid(person.lid);

export const groupView = (group: Group) => ({
  jid: group.jid,
  name: group.name,
  description: group.description,
  owner_jid: group.owner ? memberJid(group.owner) : '',
  created_at_unix: unix(group.createdAt),
  announce: group.announce,
  locked: group.locked,
  disappearing_seconds: group.disappearingSeconds,
  participants: group.members.map(({ person, role }) => ({
    jid: memberJid(person),
    phone_jid: userJid(person.phone),
    is_admin: role !== 'member',
    is_super_admin: role === 'superadmin',
  })),
});

export const channelView = (channel: Channel) => ({
  jid: channel.jid,
  name: channel.name,
  description: channel.description,
  subscriber_count: channel.subscriberCount,
  invite_code: channel.inviteCode,
});

const followedChannelView = (channel: FollowedChannel) => ({
  ...channelView(channel),
  role: channel.role,
  muted: channel.muted,
});

function callView(viewer: string, call: Call) {
  const placed = call.caller.phone === viewer;
  return {
    call_id: call.id,
    direction: placed ? 'outgoing' : 'incoming',
    peer_jid: directJid(placed ? call.callee : call.caller),
    video: call.video,
    state: call.state,
    reason: call.reason ?? '',
    started_at_unix: unix(call.startedAt),
  };
}
