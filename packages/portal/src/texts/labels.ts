import type {
  AccountStatus,
  DeliveryStatus,
  DeviceStatus,
  EventCategory,
  Extension,
  FailureReason,
  HealthState,
  HoldReason,
  MemberRole,
  MessageState,
  Permission,
  Plan,
  PresencePolicy,
  RequestOutcome,
  RestrictionKind,
  SessionStatus,
} from '@parley/contract';

/** Names of the contract's values on the pages; a new value needs its name here. Events have their own file. */

type Labels<V extends string> = Readonly<Record<V, string>>;

/** Choices of a field: each value with its name. */
export function choicesOf<V extends string>(labels: Labels<V>): { value: V; label: string }[] {
  return (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));
}

export const planNames: Labels<Plan> = { free: 'Free', pro: 'Pro', max: 'Max', partner: 'Partner' };

export const roleLabels: Labels<MemberRole> = {
  owner: 'Owner',
  developer: 'Developer',
  read_only: 'Read-only',
};

export const permissionNames: Labels<Permission> = {
  messages: 'Send messages',
  sessions: 'Pair and manage sessions',
  groups: 'Groups',
  contacts: 'Contacts and profile',
  channels: 'Channels',
  webhooks: 'Webhooks and events',
};

export const presencePolicies: Labels<PresencePolicy> = {
  auto: 'When needed',
  available: 'Always',
  unavailable: 'Never',
};

export const accountStates: Labels<AccountStatus> = { active: 'Active', suspended: 'Suspended' };

export const deviceStates: Labels<DeviceStatus> = {
  active: 'Active',
  inactive: 'Inactive',
  suspended: 'Suspended',
};

export const sessionStates: Labels<SessionStatus | 'unlinked'> = {
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
  logged_out: 'Logged out',
  unlinked: 'Not linked',
};

export const messageStates: Labels<MessageState> = {
  accepted: 'Accepted',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  played: 'Played',
  failed: 'Failed',
};

export const failureReasons: Labels<FailureReason> = {
  INVALID_RECIPIENT: 'The recipient is invalid, or not on the network.',
  MEDIA_FAILED: 'The file could not be fetched, is too large, or has an unknown type.',
  SEND_FAILED: 'The network refused it for good.',
  RETRIES_EXHAUSTED: 'The network refused every attempt.',
};

export const deliveryStates: Labels<DeliveryStatus> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  dead: 'Dead letter',
};

export const requestOutcomes: Labels<RequestOutcome> = {
  taken: 'Taken',
  refused: 'Refused',
  limited: 'Limited',
  failed: 'Failed',
};

export const categoryTexts: Readonly<Record<EventCategory, { name: string; hint: string }>> = {
  messages: { name: 'Messages', hint: 'Every incoming message, reaction and story.' },
  status: { name: 'Status', hint: 'The outcome of your own messages: sent, failed, delivered, read.' },
  connection: { name: 'Connection', hint: 'The number connected, disconnected or was logged out.' },
  events: {
    name: 'Events',
    hint: 'Poll votes, typing, presence, calls and channel messages. There can be many.',
  },
};

export const extensionNames: Labels<Extension> = {
  own_messages: 'Messages that the number itself sends',
  groups: 'Changes in groups',
  chats: 'What the owner does with chats',
  contacts: 'New pictures and About texts of people',
  history: 'Progress of importing past conversations',
  health: 'Health of the number with the network',
};

export const healthStates: Labels<HealthState> = {
  healthy: 'Healthy',
  watch: 'Needs watching',
  restricted: 'Restricted',
  banned: 'Banned',
  unlinked: 'Unlinked',
};

export const restrictionKinds: Labels<RestrictionKind> = {
  reachout_timelock: 'The network lets it begin no new chats.',
  temporary_ban: 'The network does not let it connect.',
  new_chat_cap: 'The network’s quota of new chats is used up.',
  locked: 'The network has locked the account.',
  banned: 'The network has banned the account.',
};

export const holdReasons: Labels<HoldReason> = {
  reachout_timelock: 'the network lets it begin no new chats',
  new_chat_cap: 'the network’s quota of new chats is used up',
  refused_new_chats: 'the network has refused several new chats',
  new_chat_budget: 'the budget of new chats is used up',
};
