// Made from the contract by `npm run gen`. Do not edit.

export interface AddedDevice {
  /** Its number within the account. */
  device: number;
}

export interface AnswerGroupRequestsBody {
  action: 'approve' | 'reject';
  participants: string[];
}

export interface ArchiveChatBody {
  /** False takes it back. Default: true. */
  on?: boolean | undefined;
}

export interface Blocklist {
  blocklist: string[];
}

export interface ButtonResponse {
  /** The id that was sent with the button. */
  selected_id: string;
  /** Also copied to `text`. */
  selected_text: string;
  /** The raw native-flow payload, when present. */
  params_json?: string;
}

export interface CallAutoReject {
  session_id: string;
  /** False until it is switched on. */
  auto_reject: boolean;
}

/** Dials a number. */
export interface CallButton {
  type: 'cta_call';
  display_text: string;
  phone_number: string;
}

/** An incoming call began or ended. Calls are forwarded whether or not they are rejected. */
export interface CallEvent {
  kind: 'call';
  /** Session JID. */
  session_id: string;
  call_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  from_jid: string;
  event: 'offer' | 'terminate';
  video: boolean;
  /** On `terminate`, when the network gives one. */
  reason?: string;
  /** True when auto-reject rejected it. */
  rejected: boolean;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface ChangeBlocklistBody {
  /** JID of a person: `<phone>@s.whatsapp.net` or `<id>@lid`. */
  jid: string;
  action: 'block' | 'unblock';
}

export interface ChangeGroupSettingsBody {
  /** True: only admins may send messages. */
  announce?: boolean | undefined;
  /** True: only admins may change name, photo and description. */
  locked?: boolean | undefined;
  /** True: an admin lets in those who follow the invite link. */
  join_approval?: boolean | undefined;
  /** True: every member may add others, not only admins. */
  members_add?: boolean | undefined;
  /** Messages disappear after this time: a day, a week or 90 days; 0: they stay. */
  ephemeral_seconds?: 0 | 86400 | 604800 | 7776000 | undefined;
}

export interface ChangeParticipantsBody {
  participants: string[];
  action: 'add' | 'remove' | 'promote' | 'demote';
}

export interface Chat {
  /** JID of a person, group or channel. */
  jid: string;
  is_group: boolean;
  /** How many are kept. */
  messages: number;
  /** Messages since the number last wrote or the chat was last marked as read. */
  unread: number;
  archived: boolean;
  pinned: boolean;
  muted: boolean;
  /** Absent when it is for ever, or not muted. */
  muted_until_unix?: number;
  /** Of the newest message. Unix time in seconds. */
  last_at_unix?: number;
  /** A message of a conversation, as it stands now: the fields of a `message` event, and what came of it. */
  last_message?: KeptMessage;
}

export interface ChatArchived {
  /** JID of a person, group or channel. */
  jid: string;
  archived: boolean;
}

/** The owner did something with a chat, on the phone or another linked device, but not through the API. Needs `chats` in `extensions`. */
export interface ChatEvent {
  kind: 'chat';
  /** Session JID. */
  session_id: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  /** `cleared`: its messages were deleted for the owner. `deleted`: the chat too. */
  event: 'read' | 'unread' | 'archived' | 'unarchived' | 'pinned' | 'unpinned' | 'muted' | 'unmuted' | 'cleared' | 'deleted';
  /** Absent when it is for ever, or not muted. */
  muted_until_unix?: number;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface ChatMuted {
  /** JID of a person, group or channel. */
  jid: string;
  muted: boolean;
  /** Absent when it is for ever, or not muted. */
  until_unix?: number;
}

export interface ChatPage {
  /** The one with the newest message first. */
  chats: Chat[];
  /** Give it as `cursor` to go on; null at the end. */
  next_cursor: string | null;
}

export interface ChatPinned {
  /** JID of a person, group or channel. */
  jid: string;
  pinned: boolean;
}

export interface ChatRead {
  /** JID of a person, group or channel. */
  jid: string;
  read: boolean;
}

/** The connection of a number changed. */
export interface ConnectionEvent {
  kind: 'connection';
  /** Session JID. */
  session_id: string;
  /** `disconnected` skips brief drops; `logged_out` is final and needs pairing again. */
  event: 'connected' | 'disconnected' | 'logged_out';
  /** Unix time in seconds. */
  timestamp_unix: number;
  /** Why there is no connection, when that is known. Absent while connected. */
  reason?: 'connection_lost' | 'network_unavailable' | 'network_untrusted' | 'proxy_failed' | 'passkey_required' | 'replaced' | 'temporarily_banned' | 'client_outdated' | 'client_refused' | 'login_refused' | 'logged_out' | 'locked' | 'banned';
  /** The reason for people; it may change, do not parse it. */
  detail?: string;
  /** With `temporarily_banned`: when the network lets the number in again, if it said so. */
  until_unix?: number;
}

export interface Contact {
  /** JID of a person, group or channel. */
  jid: string;
  first_name: string;
  full_name: string;
  /** The name the person gave themselves. */
  push_name: string;
  business_name: string;
}

export interface ContactCard {
  name: string;
  /** As `to` takes them where the card names the number on the network, else as written there. */
  phones: string[];
  /** The whole card. */
  vcard: string;
}

/** A contact of the number has changed their picture or About text. Needs `contacts` in `extensions`. */
export interface ContactEvent {
  kind: 'contact';
  /** Session JID. */
  session_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  contact_jid: string;
  /** What has changed. */
  event: 'picture' | 'about';
  /** Of `picture`; absent when it was removed. */
  picture_id?: string;
  /** Of `about`: the new text. */
  about?: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

/** The phone number behind a chat with a hidden number has become known. The chat keeps its address. Needs `contacts` in `extensions`. */
export interface ContactLinkedEvent {
  kind: 'contact_linked';
  /** Session JID. */
  session_id: string;
  /** Address of the person in events, before and after this one. */
  lid: string;
  /** The same person by the phone number. */
  jid: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface ContactList {
  contacts: Contact[];
}

/** Copies text to the clipboard. */
export interface CopyButton {
  type: 'cta_copy';
  display_text: string;
  copy_code: string;
}

export interface CreateGroupBody {
  name: string;
  participants: string[];
}

export interface CreateNewsletterBody {
  name: string;
  description?: string | undefined;
  picture_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
}

export interface CreateWebhookBody {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  messages_url?: string | undefined;
  status_url?: string | undefined;
  connection_url?: string | undefined;
  events_url?: string | undefined;
  /** Events beyond the default: `own_messages`, messages that the number itself writes, with the phone, another linked device or through the API (`from_me`); `groups`, members who join or leave groups, and changes of groups; `chats`, actions of the owner on chats with other devices: reading, archiving, pinning, muting, deleting; `contacts`, new pictures and About texts of contacts, and hidden phone numbers that become known; `history`, progress of importing past conversations from the phone, for numbers that keep them; `health`, changes of the health of the number with the network. */
  extensions?: ('own_messages' | 'groups' | 'chats' | 'contacts' | 'history' | 'health')[] | undefined;
}

export interface DeleteMessageForMeQuery {
  /** Whether the number itself wrote the message. */
  from_me?: boolean | undefined;
}

export interface Delivery {
  delivery_id: string;
  /** Kind of the event. */
  kind: string;
  url: string;
  /** `dead`: every attempt failed. */
  status: 'pending' | 'delivered' | 'dead';
  attempts: DeliveryAttempt[];
  /** Unix time in seconds. */
  next_attempt_at_unix?: number;
  /** The payload with its content fields replaced by `[redacted: <n> bytes]`. */
  event: Record<string, unknown>;
}

export interface DeliveryAttempt {
  /** Unix time in seconds. */
  at_unix: number;
  /** What the receiver answered. */
  status_code?: number;
  /** Why there was no answer. */
  error?: string;
  duration_ms: number;
}

export interface DeliveryList {
  /** Newest first. */
  deliveries: Delivery[];
}

export interface DeliveryQueued {
  delivery_id: string;
  status: 'pending';
}

export interface DescribeGroupBody {
  /** Empty removes the description. */
  description: string;
}

/** A device that the gateway did not link was linked to the number: it reads and writes every message. Once for each device. For webhooks with `extensions: ["health"]`. */
export interface DeviceLinkedEvent {
  kind: 'device_linked';
  /** Session JID. */
  session_id: string;
  /** Devices that the number has now, its phone and this gateway included. */
  devices: number;
  added: AddedDevice[];
  /** Unix time in seconds. */
  timestamp_unix: number;
}

/** Each has its own URL in the configuration of a webhook. */
export type EventCategory = 'messages' | 'status' | 'connection' | 'events';

/** The values of `kind`. */
export type EventKind = 'message' | 'receipt' | 'status' | 'connection' | 'poll_vote' | 'typing' | 'presence' | 'call' | 'newsletter_message' | 'group' | 'chat' | 'contact' | 'contact_linked' | 'history' | 'health' | 'device_linked';

export interface EventPage {
  /** Oldest first. */
  events: StoredEvent[];
  /** Pass it as `after` next time; unchanged when there was nothing new. */
  next_cursor: string;
}

export interface EventResponse {
  /** The message with the event. */
  message_id: string;
  response: 'going' | 'not_going' | 'maybe' | 'unknown';
  /** People whom the sender brings along. */
  extra_guests: number;
}

export interface FollowNewsletterBody {
  /** Invite link, invite code or JID of a channel. */
  channel: string;
}

export interface GetContactPhotoQuery {
  /** True asks for the smaller thumbnail. */
  preview?: boolean | undefined;
}

export interface GetGroupInviteQuery {
  /** True revokes the old link and makes a new one. */
  reset?: boolean | undefined;
}

export interface GetIdentityQuery {
  /** Phone number in international form: digits only, no leading `+`. */
  phone?: string | undefined;
  lid?: string | undefined;
  /** With or without `@`. */
  username?: string | undefined;
  /** The four digits with which some people guard their username. */
  key?: string | undefined;
}

export interface GetSessionHealthQuery {
  /** Default: 30. */
  days?: number | undefined;
}

export interface Group {
  /** Group JID. */
  jid: string;
  name: string;
  /** Empty when there is none. */
  description: string;
  /** Empty when the network does not disclose it. */
  owner_jid: string;
  /** Unix time in seconds. */
  created_at_unix: number;
  /** Only admins may send messages. */
  announce: boolean;
  /** Only admins may change name, photo and description. */
  locked: boolean;
  participants: GroupParticipant[];
}

export interface GroupDescribed {
  /** Group JID. */
  jid: string;
  description: string;
}

export interface GroupEntry {
  /** Group JID. */
  jid: string;
  name: string;
  /** Empty when there is none. */
  description?: string;
  /** Empty when the network does not disclose it. */
  owner_jid?: string;
  /** Unix time in seconds. */
  created_at_unix?: number;
  /** Only admins may send messages. */
  announce?: boolean;
  /** Only admins may change name, photo and description. */
  locked?: boolean;
  /** How many members it has. */
  size?: number;
  participants?: GroupParticipant[];
}

/** Something about a group of the number has changed. Needs `groups` in `extensions`. */
export interface GroupEvent {
  kind: 'group';
  /** Session JID. */
  session_id: string;
  /** Group JID. */
  chat_jid: string;
  /** `joined`: came in by an invite, or the number itself is in a group that it was not in (`subject` says which). `join_requested`: asks an admin to be let in; `join_request_withdrawn`: asks no more, or was turned down. */
  event: 'joined' | 'left' | 'added' | 'removed' | 'promoted' | 'demoted' | 'join_requested' | 'join_request_withdrawn' | 'subject' | 'description' | 'settings';
  /** Who did it; absent when it was the network. */
  by_jid?: string;
  /** Phone JID, when known. */
  by_phone?: string;
  /** Whom it is about. */
  participants?: GroupEventPerson[];
  /** The name of the group. */
  subject?: string;
  /** Empty when it was removed. */
  description?: string;
  /** Of `settings`: only admins may send. */
  announce?: boolean;
  /** Of `settings`: only admins may change group info. */
  locked?: boolean;
  /** Of `settings`: an admin must approve people who join by invite. */
  join_approval?: boolean;
  /** Of `settings`: every member may add others. */
  members_add?: boolean;
  /** Of `settings`: the timer of new messages; 0 = none. */
  ephemeral_seconds?: number;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface GroupEventPerson {
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  jid: string;
  /** Phone JID, when known. */
  phone_jid?: string;
}

export interface GroupInvite {
  invite_link: string;
  code: string;
}

/** An admin of the group has to approve the request; the number is not in it yet. */
export interface GroupJoinPending {
  /** Group JID. */
  jid: string;
  status: 'pending_approval';
}

export interface GroupJoined {
  /** Group JID. */
  jid: string;
}

export interface GroupLeft {
  /** Group JID. */
  jid: string;
  left: true;
}

export interface GroupList {
  groups: GroupEntry[];
}

export interface GroupParticipant {
  /** JID of a person, group or channel. */
  jid: string;
  /** Phone JID of a member addressed by lid, when the session may know it. */
  phone_jid?: string;
  is_admin: boolean;
  /** True for the creator of the group. */
  is_super_admin: boolean;
}

export interface GroupPhoto {
  /** Empty when the photo was removed. */
  picture_id: string;
}

export interface GroupRenamed {
  /** Group JID. */
  jid: string;
  name: string;
}

export interface GroupRequest {
  /** JID of a person, group or channel. */
  jid: string;
  /** Phone JID of a person addressed by lid, when the session may know it. */
  phone_jid?: string;
  /** Unix time in seconds. */
  requested_at_unix: number;
  /** How the person asked, in the word of the network: `invite_link`, `non_admin_add` (a member added them), `linked_group_join` (from the community). */
  method: string;
}

export interface GroupRequests {
  requests: GroupRequest[];
}

export interface GroupRequestsAnswered {
  /** Group JID. */
  jid: string;
  action: 'approve' | 'reject';
  results: ParticipantResult[];
}

export interface GroupSettings {
  /** Group JID. */
  jid: string;
  announce: boolean;
  locked: boolean;
  /** True: an admin lets in those who follow the invite link. */
  join_approval?: boolean;
  /** True: every member may add others, not only admins. */
  members_add?: boolean;
  /** Messages disappear after this time; 0: they stay. */
  ephemeral_seconds?: number;
}

export interface HealthDay {
  /** By UTC. */
  day: string;
  /** Messages that the network took. */
  sent: number;
  /** People written to for the first time. */
  new_chats: number;
  /** Of those written to first, who answered. */
  replies: number;
  /** Refused by the network as a new chat though there was one. */
  refused_463_known: number;
  /** Refused by the network as a new chat. */
  refused_463_unknown: number;
  /** Refused by the network as badly addressed. */
  refused_479: number;
  /** Questions that the network found too many. */
  rate_overlimit: number;
  /** Messages that had to be asked for again. */
  undecryptable: number;
  /** Connections that were open but unresponsive, and replaced. */
  deaf: number;
  disconnects: number;
  /** Sends that were held back to protect the number. */
  held_back: number;
}

/** How a number stands with the network has changed: its state, a restriction, or the warning of its new-chat quota. For webhooks with `extensions: ["health"]`. */
export interface HealthEvent {
  kind: 'health';
  /** Session JID. */
  session_id: string;
  /** What the state was before; the same when something else has changed. */
  previous_state: 'healthy' | 'watch' | 'restricted' | 'banned' | 'unlinked';
  /** `watch`: signs of trouble. `restricted`: parts of what it does are refused for now. `banned`: the network lets it in for a time, or for good, no more. `unlinked`: no longer linked. */
  state: 'healthy' | 'watch' | 'restricted' | 'banned' | 'unlinked';
  /** Unix time in seconds. */
  since_unix: number;
  /** Time at which the state ends, where known. */
  until_unix?: number;
  restriction?: Restriction;
  new_chats?: NewChats;
  advice: ('stop_new_chats' | 'slow_down_new_chats' | 'wait_until' | 'ask_people_to_write_first' | 'vary_texts' | 'check_numbers' | 'appeal_on_phone' | 'link_again')[];
  /** Unix time in seconds. */
  timestamp_unix: number;
}

/** What is kept of the conversations of a number. */
export interface History {
  phone: string;
  enabled: boolean;
  /** Messages are deleted when they are older. Default: 30. */
  days?: number;
  /** Whether messages keep their files. Those of up to 4 MB are kept as they come, larger ones when they are first asked for. Switched off, the files are deleted. Default: true. */
  media?: boolean;
  /** When it was switched on. Unix time in seconds. */
  since_unix?: number;
  chats: number;
  messages: number;
  /** About what it takes on disk. */
  bytes: number;
  /** The oldest messages are deleted when it takes more. */
  max_bytes: number;
  /** How far the past that the phone sent has been taken in. */
  import?: HistoryImport;
}

/** How far the past that the phone sent has been taken in, for a number that keeps its conversations. Needs `history` in `extensions`. */
export interface HistoryEvent {
  kind: 'history';
  /** Session JID. */
  session_id: string;
  /** `progress`: some of a part was taken in. `done`: all of it. `failed`: the rest can never be read. */
  event: 'progress' | 'done' | 'failed';
  /** `initial`: the latest of every chat. `recent`, `full`: what was before. `on_demand`: what was asked for. */
  sync_type: 'initial' | 'recent' | 'full' | 'on_demand';
  /** In percent of all that the phone sends, as it says itself. */
  progress?: number;
  /** Of this part, so far. */
  chats: number;
  /** Of this part, so far. */
  messages: number;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

/** How far the past that the phone sent has been taken in. */
export interface HistoryImport {
  /** `failed`: the rest can never be read. */
  state: 'running' | 'done' | 'failed';
  /** In percent of all that the phone sends, as it says itself. */
  progress?: number;
  /** How many were read; older ones than `days` are not kept. */
  messages: number;
  /** Unix time in seconds. */
  started_at_unix: number;
  /** Unix time in seconds. */
  updated_at_unix: number;
}

export interface Identity {
  /** By the number; absent when the network hides it. */
  jid?: string;
  /** By the address that hides the number; absent when there is none. */
  lid?: string;
  /** Without `@`; absent when the person has none, or the network does not disclose it. */
  username?: string;
}

export interface InboundLocation {
  latitude: number;
  longitude: number;
  name?: string;
  address?: string;
  /** True when the sender shares it live: here is where they began. */
  live?: boolean;
}

export interface InboundMedia {
  mimetype: string;
  /** Without dot. */
  extension: string;
  /** Documents only. */
  filename?: string;
  /** Bytes: the real size when downloaded, else what the sender claims. */
  file_length: number;
  /** Standard base64; empty when not downloaded. */
  data: string;
  /** Check it before reading `data`. `too_large`: above 4 MB, metadata only. */
  status: 'downloaded' | 'too_large' | 'error';
  /** Of a file of any size: `GET /v1/media/{id}` has it for as long as the network does. */
  id?: string;
  /** Signed link that works without a key for 72 hours. Present when `PARLEY_PUBLIC_URL` is set. */
  url?: string;
}

export interface InboundPoll {
  name: string;
  options: string[];
  /** 1 = single choice, 0 = unlimited. */
  selectable_count: number;
}

export interface JoinGroupBody {
  /** Invite link of a group, or the code at its end. */
  link: string;
}

export interface KeptFile {
  mimetype: string;
  /** Without dot. */
  extension: string;
  /** Documents only. */
  filename?: string;
  /** Bytes. */
  file_length: number;
  /** What `GET /v1/media/{id}` and sends take. Absent of files that were sent through the API. */
  id?: string;
  /** Signed link that works without a key for 72 hours from this answer on. */
  url?: string;
}

/** A message of a conversation, as it stands now: the fields of a `message` event, and what came of it. */
export interface KeptMessage {
  /** Its place: give it as `before` or `after`. */
  cursor: string;
  /** Unique; deduplicate on it. */
  message_id: string;
  /** True when the number itself wrote it. */
  from_me: boolean;
  /** Of what was sent through the API: the Idempotency-Key of the send. */
  request_id?: string;
  /** Empty when the message was deleted for everybody. */
  sender_jid: string;
  /** Phone JID of the sender, when known. */
  sender_phone?: string;
  /** The address that hides the number of the sender, when known. */
  sender_lid?: string;
  /** Without `@`; when it is known. */
  sender_username?: string;
  /** Push name; empty when not supplied. */
  sender_name: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  is_group: boolean;
  type: 'text' | 'reaction' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'poll' | 'button_response' | 'other';
  /** Text; caption of media; emoji of a reaction (empty = reaction removed). */
  text: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
  /** True for a contact's status (story). */
  broadcast: boolean;
  location?: InboundLocation;
  poll?: InboundPoll;
  button_response?: ButtonResponse;
  quoted_message_id?: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  quoted_participant?: string;
  quoted_text?: string;
  reacted_message_id?: string;
  /** The message whose text is `text` from now on; `type` is `other`. With `type` `poll`, the poll that is `poll` from now on. */
  edited_message_id?: string;
  /** The message that was deleted for everybody; `type` is `other`. */
  revoked_message_id?: string;
  event_response?: EventResponse;
  unreadable_update?: UnreadableUpdate;
  /** Why the content never comes; `type` is `other`. `view_once`, `hosted`, `bot`: the network sends it to the phone alone. `not_resent`: the phone was asked for it and did not send it. */
  unavailable?: 'view_once' | 'hosted' | 'bot' | 'not_resent';
  /** The cards that were sent; `type` is `other`. */
  contacts?: ContactCard[];
  /** Whom the message names. */
  mentions?: string[];
  /** True when it was written somewhere else. */
  forwarded?: boolean;
  /** After how long it disappears. On a `text`-less `other`, the timer that the chat has got; 0 = none. */
  ephemeral_seconds?: number;
  /** True when it may be seen once. Where only the phone may show it, `type` is `other` and nothing else is known. */
  view_once?: boolean;
  media?: KeptFile;
  /** Of own messages: furthest state at any recipient. */
  status?: 'sent' | 'delivered' | 'read' | 'played';
  reactions?: Reaction[];
  /** When `text` was changed last. Unix time in seconds. */
  edited_at_unix?: number;
  /** When it was deleted for everybody: nothing of it is left but its place. Unix time in seconds. */
  revoked_at_unix?: number;
}

export interface KeptMessageDetail {
  /** Its place: give it as `before` or `after`. */
  cursor: string;
  /** Unique; deduplicate on it. */
  message_id: string;
  /** True when the number itself wrote it. */
  from_me: boolean;
  /** Of what was sent through the API: the Idempotency-Key of the send. */
  request_id?: string;
  /** Empty when the message was deleted for everybody. */
  sender_jid: string;
  /** Phone JID of the sender, when known. */
  sender_phone?: string;
  /** The address that hides the number of the sender, when known. */
  sender_lid?: string;
  /** Without `@`; when it is known. */
  sender_username?: string;
  /** Push name; empty when not supplied. */
  sender_name: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  is_group: boolean;
  type: 'text' | 'reaction' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'poll' | 'button_response' | 'other';
  /** Text; caption of media; emoji of a reaction (empty = reaction removed). */
  text: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
  /** True for a contact's status (story). */
  broadcast: boolean;
  location?: InboundLocation;
  poll?: InboundPoll;
  button_response?: ButtonResponse;
  quoted_message_id?: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  quoted_participant?: string;
  quoted_text?: string;
  reacted_message_id?: string;
  /** The message whose text is `text` from now on; `type` is `other`. With `type` `poll`, the poll that is `poll` from now on. */
  edited_message_id?: string;
  /** The message that was deleted for everybody; `type` is `other`. */
  revoked_message_id?: string;
  event_response?: EventResponse;
  unreadable_update?: UnreadableUpdate;
  /** Why the content never comes; `type` is `other`. `view_once`, `hosted`, `bot`: the network sends it to the phone alone. `not_resent`: the phone was asked for it and did not send it. */
  unavailable?: 'view_once' | 'hosted' | 'bot' | 'not_resent';
  /** The cards that were sent; `type` is `other`. */
  contacts?: ContactCard[];
  /** Whom the message names. */
  mentions?: string[];
  /** True when it was written somewhere else. */
  forwarded?: boolean;
  /** After how long it disappears. On a `text`-less `other`, the timer that the chat has got; 0 = none. */
  ephemeral_seconds?: number;
  /** True when it may be seen once. Where only the phone may show it, `type` is `other` and nothing else is known. */
  view_once?: boolean;
  media?: KeptFile;
  /** Of own messages: furthest state at any recipient. */
  status?: 'sent' | 'delivered' | 'read' | 'played';
  reactions?: Reaction[];
  /** When `text` was changed last. Unix time in seconds. */
  edited_at_unix?: number;
  /** When it was deleted for everybody: nothing of it is left but its place. Unix time in seconds. */
  revoked_at_unix?: number;
  /** Of own messages: who has got it, read it and played it, and when. */
  receipts?: PersonReceipt[];
  /** Its texts, the first one first; absent when it was never changed. */
  edits?: TextVersion[];
}

export interface KeptMessagePage {
  messages: KeptMessage[];
  /** Give it the same way to go on; null at the end. With `q` a page may be empty and not the last. */
  next_cursor: string | null;
}

export interface ListChatMessagesQuery {
  /** A cursor: only messages before it, the newest first. */
  before?: string | undefined;
  /** A cursor: only messages behind it, the oldest first. */
  after?: string | undefined;
  /** Only messages whose text has this in it, in upper or lower case. Texts are sealed, so they are looked through one by one, the newest first: up to 2000 per request. */
  q?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface ListChatsQuery {
  /** A cursor. */
  cursor?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface ListDeliveriesQuery {
  status?: 'pending' | 'delivered' | 'dead' | undefined;
  kind?: 'message' | 'receipt' | 'status' | 'connection' | 'poll_vote' | 'typing' | 'presence' | 'call' | 'newsletter_message' | 'group' | 'chat' | 'contact' | 'contact_linked' | 'history' | 'health' | 'device_linked' | undefined;
  /** A `delivery_id`: only older deliveries are listed. */
  before?: string | undefined;
  /** Default: 50. */
  limit?: number | undefined;
}

export interface ListGroupsQuery {
  /** Fields of each group beside its name: `head` adds description, owner, settings and size, `members` also its members. */
  details?: 'head' | 'members' | undefined;
}

export interface MediaUploaded {
  /** What sends and pictures take. */
  media_id: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  /** Of the bytes that arrived, in hex. */
  sha256: string;
  /** Unix time in seconds. */
  expires_at_unix: number;
}

export interface MessageAccepted {
  /** Also the id on the network. Absent for type `disappearing`, which is a setting and no message. */
  message_id?: string;
  status: 'accepted';
}

/** An incoming message. To reply, send with `quoted_message_id` = `message_id`, `quoted_participant` = `sender_jid`, `quoted_text` = `text`, `to` = `chat_jid`. */
export interface MessageEvent {
  kind: 'message';
  /** Unique; deduplicate on it. */
  message_id: string;
  /** Session JID. */
  session_id: string;
  /** True when the number itself wrote it: with the phone, another linked device, or through the API. Needs `own_messages` in `extensions`. */
  from_me?: boolean;
  /** Of what was sent through the API: the Idempotency-Key of the send. */
  request_id?: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  sender_jid: string;
  /** Phone JID of the sender, when known. */
  sender_phone?: string;
  /** The address that hides the number of the sender, when known. */
  sender_lid?: string;
  /** Without `@`; when it is known. */
  sender_username?: string;
  /** Push name; empty when not supplied. */
  sender_name: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  is_group: boolean;
  type: 'text' | 'reaction' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'poll' | 'button_response' | 'other';
  /** Text; caption of media; emoji of a reaction (empty = reaction removed). */
  text: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
  /** True for a contact's status (story). */
  broadcast: boolean;
  media?: InboundMedia;
  location?: InboundLocation;
  poll?: InboundPoll;
  button_response?: ButtonResponse;
  quoted_message_id?: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  quoted_participant?: string;
  quoted_text?: string;
  reacted_message_id?: string;
  /** The message whose text is `text` from now on; `type` is `other`. With `type` `poll`, the poll that is `poll` from now on. */
  edited_message_id?: string;
  /** The message that was deleted for everybody; `type` is `other`. */
  revoked_message_id?: string;
  event_response?: EventResponse;
  unreadable_update?: UnreadableUpdate;
  /** Why the content never comes; `type` is `other`. `view_once`, `hosted`, `bot`: the network sends it to the phone alone. `not_resent`: the phone was asked for it and did not send it. */
  unavailable?: 'view_once' | 'hosted' | 'bot' | 'not_resent';
  /** The cards that were sent; `type` is `other`. */
  contacts?: ContactCard[];
  /** Whom the message names. */
  mentions?: string[];
  /** True when it was written somewhere else. */
  forwarded?: boolean;
  /** After how long it disappears. On a `text`-less `other`, the timer that the chat has got; 0 = none. */
  ephemeral_seconds?: number;
  /** True when it may be seen once. Where only the phone may show it, `type` is `other` and nothing else is known. */
  view_once?: boolean;
}

export interface MessageRecord {
  message_id: string;
  /** The Idempotency-Key of the send. */
  request_id: string;
  session_id: string;
  /** Target JID; empty for a status. */
  to: string;
  /** The `type` of the send; `text` or `media` for plain messages. */
  type: string;
  status: 'accepted' | 'sent' | 'failed' | 'delivered' | 'read' | 'played';
  /**
   * `INVALID_RECIPIENT`: the target is invalid or not on the network.
   * `MEDIA_FAILED`: the media URL could not be fetched, is larger than 64 MB, or has an unknown type.
   * `SEND_FAILED`: another permanent failure.
   * `RETRIES_EXHAUSTED`: transient failures outlasted all attempts.
   */
  reason?: 'INVALID_RECIPIENT' | 'MEDIA_FAILED' | 'SEND_FAILED' | 'RETRIES_EXHAUSTED';
  network_message_id?: string;
  /** Unix time in seconds. */
  accepted_at_unix: number;
  /** Unix time in seconds. */
  updated_at_unix: number;
}

export interface MessageStarred {
  message_id: string;
  starred: boolean;
}

export interface MuteChatBody {
  /** False takes it back. Default: true. */
  on?: boolean | undefined;
  /** Without it, for ever. */
  until_unix?: number | undefined;
}

export interface MuteNewsletterBody {
  mute: boolean;
}

export interface NewChats {
  /** New chats in a cycle. */
  quota: number;
  used: number;
  /** Unix time in seconds. */
  cycle_ends_unix?: number;
  warning: 'none' | 'first' | 'second' | 'capped';
}

export interface Newsletter {
  /** Channel JID. */
  jid: string;
  name: string;
  description: string;
  subscriber_count: number;
  invite_code: string;
}

export interface NewsletterList {
  newsletters: Newsletter[];
}

/** A followed channel posted a message. */
export interface NewsletterMessageEvent {
  kind: 'newsletter_message';
  /** Session JID. */
  session_id: string;
  newsletter_jid: string;
  /** Needed, with `message_id`, to react. */
  server_id: number;
  message_id: string;
  /** May be empty. */
  type: string;
  /** Empty when the update carries only ids. */
  text: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface NewsletterMuted {
  /** Channel JID. */
  jid: string;
  mute: boolean;
}

export interface NewsletterPosted {
  message_id: string;
  /** For channels that the session manages. */
  server_id?: number;
}

export interface NewsletterReacted {
  /** Channel JID. */
  jid: string;
  server_id: number;
  /** Empty when the reaction was removed. */
  reaction: string;
}

export interface NewsletterUnfollowed {
  /** Channel JID. */
  jid: string;
  following: false;
}

export interface Onboarding {
  onboard_id: string;
  status: 'pending' | 'qr' | 'code' | 'passkey' | 'confirm' | 'paired' | 'error';
  /** With status `qr`: the payload to show as a QR image. Fresh on every poll. */
  qr?: string;
  /** With status `code`: the code to type on the phone. With status `confirm`: the code that the phone must show too. */
  code?: string;
  /** With status `passkey`: the network wants the account’s passkey before it links the device. */
  passkey?: {
    /** Takes the way into `navigator.credentials.get()` through `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
    options: PasskeyOptions;
    /** Until when the assertion must be there. */
    expires_at_unix: number;
    /** A page for the number’s owner, who needs no login there. The first browser that opens it keeps it. */
    url: string;
  };
  /** With status `paired`: the session JID. */
  session_id?: string;
  /** With status `error`: what went wrong. */
  error?: string;
  /** With status `error`, when it was the passkey that failed: how. */
  error_code?: 'passkey_missing' | 'passkey_refused' | 'passkey_expired' | 'passkey_not_continued' | 'passkey_superseded';
}

export interface OnboardingStarted {
  /** Identifies the pairing attempt. */
  onboard_id: string;
  status: 'pending' | 'qr' | 'code' | 'passkey' | 'confirm' | 'paired' | 'error';
}

export interface PacingSetting {
  session_id: string;
  /** Refuse sends to people without a chat while the network does not allow them; answers in known chats go on. On unless switched off. */
  hold_new_chats: boolean;
  /** Begin no more new chats than the quota that the network names. On unless switched off. */
  respect_quota: boolean;
  /** Begin no new chats for an hour when the network has refused three within an hour. On unless switched off. */
  pause_after_refusals: boolean;
  /** New chats within 24 hours at most; 0: no limit of our own. */
  daily_new_chats: number;
  /** Over so many days after the number was linked, `daily_new_chats` grows from a small part to the whole; 0: the whole from the first day. */
  warm_up_days: number;
  /** The shortest pause between messages to different people. */
  gap_min_seconds: number;
  /** The longest; each pause is of a random length between both. 0: none. */
  gap_max_seconds: number;
}

export type ParleyEvent = MessageEvent | ReceiptEvent | StatusEvent | ConnectionEvent | PollVoteEvent | TypingEvent | PresenceEvent | CallEvent | NewsletterMessageEvent | GroupEvent | ChatEvent | ContactEvent | ContactLinkedEvent | HistoryEvent | HealthEvent | DeviceLinkedEvent;

export interface ParticipantResult {
  /** JID of a person, group or channel. */
  jid: string;
  ok: boolean;
  /** Why this one was refused. */
  error?: string;
}

export interface ParticipantsChanged {
  /** Group JID. */
  jid: string;
  action: 'add' | 'remove' | 'promote' | 'demote';
  results: ParticipantResult[];
}

/** What `PublicKeyCredential.toJSON()` gives. Further members of it may come along; they are not looked at. */
export interface PasskeyCredential {
  id: string;
  rawId: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
}

/** Takes the way into `navigator.credentials.get()` through `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export interface PasskeyOptions {
  /** base64url without padding. */
  challenge: string;
  rpId?: string;
  /** Milliseconds. */
  timeout?: number;
  allowCredentials?: unknown[];
  userVerification?: string;
  extensions?: Record<string, unknown>;
}

export interface PersonReceipt {
  /** JID of a person, group or channel. */
  jid: string;
  receipt_type: 'delivered' | 'read' | 'played';
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface PinChatBody {
  /** False takes it back. Default: true. */
  on?: boolean | undefined;
}

/** A person voted in a poll. Without `selected_options`, hash each option text and compare to find the chosen ones. */
export interface PollVoteEvent {
  kind: 'poll_vote';
  /** Session JID. */
  session_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  voter_jid: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  poll_message_id: string;
  /** Hex SHA-256 of the text of each chosen option; empty = vote withdrawn. */
  selected_hashes: string[];
  /** The same as texts, where the poll was sent or seen by this number. */
  selected_options?: string[];
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface PostToNewsletterBody {
  /** Message text. */
  text?: string | undefined;
  media_type?: 'image' | 'video' | 'audio' | 'document' | undefined;
  /** Public URL of the file, at most 64 MB. The gateway downloads and uploads it. */
  media_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
  caption?: string | undefined;
}

/** A contact went online or offline. Only after subscribing to that contact. */
export interface PresenceEvent {
  kind: 'presence';
  /** Session JID. */
  session_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  contact_jid: string;
  online: boolean;
  /** Unix seconds; 0 or absent while online or when hidden. */
  last_seen_unix?: number;
}

export interface PresencePolicySetting {
  session_id: string;
  /** Whether the number appears online. `available` does, and the owner’s phone stops notifying; `unavailable` does not, and typing and presence of others do not arrive; `auto` is available while a contact is subscribed to or an active webhook has an `events_url`. */
  presence_policy: 'auto' | 'available' | 'unavailable';
}

export interface ProfileName {
  name: string;
}

export interface ProfilePicture {
  picture: {
    has_picture: boolean;
    /** Public address, downloadable without authentication. It expires: do not store it. */
    url: string;
    id: string;
    /** `image`, or `preview` for the thumbnail. */
    type: string;
  };
}

export interface ProfileStatus {
  /** The About text. */
  status: string;
}

/** Quick answer; the `id` comes back in a `message` event. */
export interface QuickReplyButton {
  type: 'quick_reply';
  display_text: string;
  id: string;
}

export interface ReactInNewsletterBody {
  server_id: number;
  /** Message id, as returned by a send or carried by a `message` event. */
  message_id: string;
  /** One emoji; empty removes the reaction. */
  reaction: string;
}

export interface Reaction {
  /** JID of a person, group or channel. */
  jid: string;
  from_me: boolean;
  emoji: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface ReadEventsQuery {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id?: string | undefined;
  kind?: 'message' | 'receipt' | 'status' | 'connection' | 'poll_vote' | 'typing' | 'presence' | 'call' | 'newsletter_message' | 'group' | 'chat' | 'contact' | 'contact_linked' | 'history' | 'health' | 'device_linked' | undefined;
  /** Comma-separated events beyond the default, as in `extensions` of a webhook. A `kind` includes its extension. */
  extensions?: string | undefined;
  /** A cursor. Absent: a stream begins with what happens next, a page with the oldest event kept. */
  after?: string | undefined;
  /** Default: 100. */
  limit?: number | undefined;
  /** Default: 0. */
  wait_seconds?: number | undefined;
}

/** A recipient received, read or played a message that was sent through the gateway. */
export interface ReceiptEvent {
  kind: 'receipt';
  /** Session JID. */
  session_id: string;
  /** The Idempotency-Key of the send. */
  request_id: string;
  /** The id from the answer to the send. */
  message_id?: string;
  network_message_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  recipient_jid: string;
  receipt_type: 'delivered' | 'read' | 'played';
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface RenameGroupBody {
  name: string;
}

export interface Restriction {
  /** `reachout_timelock`: no new chats for a time. `temporary_ban`: no connection for a time. `new_chat_cap`: the quota of new chats is used up. `locked` and `banned`: for good. */
  kind: 'reachout_timelock' | 'temporary_ban' | 'new_chat_cap' | 'locked' | 'banned';
  /** The network’s own word for it. */
  type?: string;
  /** The network’s own number for it. */
  code?: number;
  /** Unix time in seconds. */
  ends_unix?: number;
}

/** Opens a list to choose from. */
export interface SelectButton {
  type: 'single_select';
  display_text: string;
  sections: ({
    title: string;
    rows: ({
      id: string;
      title: string;
      description?: string | undefined;
    })[];
  })[];
}

export type SendBody = SendText | SendMedia | SendLocation | SendContact | SendReaction | SendRevoke | SendSticker | SendEdit | SendPoll | SendDisappearing | SendTextStatus | SendMediaStatus | SendGroupInvite | SendInteractive;

export interface SendContact {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'contact';
  display_name: string;
  /** Complete vCard (RFC 2426). */
  vcard: string;
}

/** Sets the timer of a chat. It is a setting and no message: the answer has no `message_id`. */
export interface SendDisappearing {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'disappearing';
  disappearing_timer: 'off' | '24h' | '7d' | '90d';
}

/** Replaces the text of a message sent by this session at most 20 minutes ago. `to` is the chat of the original. */
export interface SendEdit {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'edit';
  /** Message id, as returned by a send or carried by a `message` event. */
  edit_message_id: string;
  /** The new text. */
  text: string;
}

/** The gateway fetches code and name; the session must be admin of that group. */
export interface SendGroupInvite {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'group_invite';
  /** Group JID. */
  group_invite_jid: string;
  caption?: string | undefined;
}

/** Uses an unofficial format of the network: best effort, rendering differs by platform, outside any guarantee. */
export interface SendInteractive {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'interactive';
  interactive_body: string;
  interactive_footer?: string | undefined;
  interactive_buttons: (QuickReplyButton | UrlButton | CopyButton | CallButton | SelectButton)[];
}

export interface SendLocation {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'location';
  latitude: number;
  longitude: number;
  loc_name?: string | undefined;
  loc_address?: string | undefined;
}

/** The file is given by exactly one of `media_url`, `media_id` and `media_base64`. */
export interface SendMedia {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  media_type: 'image' | 'video' | 'audio' | 'document';
  /** Public URL of the file, at most 64 MB. The gateway downloads and uploads it. */
  media_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
  /** For image, video and document. */
  caption?: string | undefined;
  /** Display name of a document; by default the name that the file came with. */
  file_name?: string | undefined;
  /** Marks the message as forwarded. */
  forwarded?: boolean | undefined;
  /** Makes the message a reply to this one. */
  quoted_message_id?: string | undefined;
  /** JID of the original sender. Required in groups when quoting. */
  quoted_participant?: string | undefined;
  /** Preview in the quote bubble; empty when quoting media. */
  quoted_text?: string | undefined;
  /** Whom the text or caption names: write `@<number>`, or the digits of the LID, where the name is to stand. */
  mentions?: string[] | undefined;
}

/** Goes to the device's contacts under its own status privacy settings: without contacts the status has no viewers. `to` is not used. */
export interface SendMediaStatus {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  type: 'status';
  status_type: 'image' | 'video';
  /** Public URL of the file, at most 64 MB. The gateway downloads and uploads it. */
  media_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
  caption?: string | undefined;
}

export interface SendPoll {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'poll';
  /** The question. */
  poll_name: string;
  poll_options: string[];
  /** 1 = single choice, 0 = unlimited. Default: 0. */
  poll_selectable_count?: number | undefined;
}

/** In groups say whose message it is: `reacted_participant`, or `reacted_from_me: true`. */
export interface SendReaction {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'reaction';
  /** Message id, as returned by a send or carried by a `message` event. */
  reacted_message_id: string;
  /** One emoji; empty removes the reaction. */
  emoji: string;
  /** JID of the original sender. */
  reacted_participant?: string | undefined;
  /** True for a message sent by this session. */
  reacted_from_me?: boolean | undefined;
}

/** Deletes a message sent by this session (`revoked_from_me: true`) or, as group admin, another member's (`revoked_participant`). */
export interface SendRevoke {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'revoke';
  /** Message id, as returned by a send or carried by a `message` event. */
  revoked_message_id: string;
  /** Must be true to delete a message sent by this session. */
  revoked_from_me?: boolean | undefined;
  /** JID of the original sender. */
  revoked_participant?: string | undefined;
}

export interface SendSticker {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  type: 'sticker';
  /** Public URL of a `.webp` file, still or animated. */
  sticker_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
}

export interface SendText {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  /** Message text. */
  text: string;
  /** Marks the message as forwarded. */
  forwarded?: boolean | undefined;
  /** Makes the message a reply to this one. */
  quoted_message_id?: string | undefined;
  /** JID of the original sender. Required in groups when quoting. */
  quoted_participant?: string | undefined;
  /** Preview in the quote bubble; empty when quoting media. */
  quoted_text?: string | undefined;
  /** Whom the text or caption names: write `@<number>`, or the digits of the LID, where the name is to stand. */
  mentions?: string[] | undefined;
  /** What is shown of a link in `text`. */
  link_preview?: {
    /** The link as it stands in `text`. */
    url: string;
    title: string;
    description?: string | undefined;
  } | undefined;
}

/** Goes to the device's contacts under its own status privacy settings: without contacts the status has no viewers. `to` is not used. */
export interface SendTextStatus {
  /** Session JID, with or without its device suffix; or the phone number, with or without `+`. */
  session_id: string;
  type: 'status';
  status_type: 'text';
  /** Message text. */
  text: string;
}

export interface Session {
  session_id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  /** Sending works while `connected` or `reconnecting`. */
  status: 'connected' | 'reconnecting' | 'offline' | 'logged_out';
  /** Unix time in seconds. */
  since_unix: number;
  /** Whether the number appears online. `available` does, and the owner’s phone stops notifying; `unavailable` does not, and typing and presence of others do not arrive; `auto` is available while a contact is subscribed to or an active webhook has an `events_url`. */
  presence_policy?: 'auto' | 'available' | 'unavailable';
  /** Why there is no connection, when that is known. Absent while connected. */
  reason?: 'connection_lost' | 'network_unavailable' | 'network_untrusted' | 'proxy_failed' | 'passkey_required' | 'replaced' | 'temporarily_banned' | 'client_outdated' | 'client_refused' | 'login_refused' | 'logged_out' | 'locked' | 'banned';
  /** The reason for people; it may change, do not parse it. */
  detail?: string;
  /** With `temporarily_banned`: when the network lets the number in again, if it said so. */
  until_unix?: number;
}

export interface SessionHealth {
  session_id: string;
  /** `watch`: signs of trouble. `restricted`: parts of what it does are refused for now. `banned`: the network lets it in for a time, or for good, no more. `unlinked`: no longer linked. */
  state: 'healthy' | 'watch' | 'restricted' | 'banned' | 'unlinked';
  /** Unix time in seconds. */
  since_unix: number;
  /** Time at which the state ends, where known. */
  until_unix?: number;
  restriction?: Restriction;
  new_chats?: NewChats;
  /** Counts of today, by UTC. */
  last_day: {
    /** Messages that the network took. */
    sent: number;
    /** People written to for the first time. */
    new_chats: number;
    /** Of those written to first, who answered. */
    replies: number;
    /** Refused by the network as a new chat though there was one. */
    refused_463_known: number;
    /** Refused by the network as a new chat. */
    refused_463_unknown: number;
    /** Refused by the network as badly addressed. */
    refused_479: number;
    /** Questions that the network found too many. */
    rate_overlimit: number;
    /** Messages that had to be asked for again. */
    undecryptable: number;
    /** Connections that were open but unresponsive, and replaced. */
    deaf: number;
    disconnects: number;
    /** Sends that were held back to protect the number. */
    held_back: number;
    /** `replies` for each of `new_chats`. */
    reply_rate?: number;
  };
  /** Time of the last incoming message, to the minute. */
  inbound_last_unix?: number;
  /** What to do; empty when all is well. */
  advice: ({
    code: 'stop_new_chats' | 'slow_down_new_chats' | 'wait_until' | 'ask_people_to_write_first' | 'vary_texts' | 'check_numbers' | 'appeal_on_phone' | 'link_again';
    /** The same for people. */
    text: string;
  })[];
  pacing: {
    /** Refuse sends to people without a chat while the network does not allow them; answers in known chats go on. On unless switched off. */
    hold_new_chats: boolean;
    /** Begin no more new chats than the quota that the network names. On unless switched off. */
    respect_quota: boolean;
    /** Begin no new chats for an hour when the network has refused three within an hour. On unless switched off. */
    pause_after_refusals: boolean;
    /** New chats within 24 hours at most; 0: no limit of our own. */
    daily_new_chats: number;
    /** Over so many days after the number was linked, `daily_new_chats` grows from a small part to the whole; 0: the whole from the first day. */
    warm_up_days: number;
    /** The shortest pause between messages to different people. */
    gap_min_seconds: number;
    /** The longest; each pause is of a random length between both. 0: none. */
    gap_max_seconds: number;
    /** Until then nothing is sent to people without a chat. */
    held_until_unix?: number;
    held_reason?: 'reachout_timelock' | 'new_chat_cap' | 'refused_new_chats' | 'new_chat_budget';
  };
  /** The newest first; a day without any count is left out. */
  days: HealthDay[];
}

export interface SessionList {
  sessions: Session[];
}

export interface SessionPasskey {
  session_id: string;
  /** `pending`: nothing is asked at the moment. `error`: the last answer was of no use; the network asks again. */
  status: 'pending' | 'passkey' | 'confirm' | 'connected' | 'error';
  /** With status `passkey`: what the network asks before it lets the number in. */
  passkey?: {
    /** Takes the way into `navigator.credentials.get()` through `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
    options: PasskeyOptions;
    /** Until when the assertion must be there. */
    expires_at_unix: number;
    /** A page for the number’s owner, who needs no login there. The first browser that opens it keeps it, for a day. */
    url: string;
  };
  /** With status `confirm`: the code that the phone must show too. */
  code?: string;
  /** With status `error`: what went wrong. */
  error?: string;
  /** With status `error`, when it was the passkey that failed: how. */
  error_code?: 'passkey_missing' | 'passkey_refused' | 'passkey_expired' | 'passkey_not_continued' | 'passkey_superseded';
}

export interface SetCallAutoRejectBody {
  enabled: boolean;
}

export interface SetGroupPhotoBody {
  image_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
}

export interface SetHistoryBody {
  /** False deletes all that is kept, for good. */
  enabled: boolean;
  /** Messages are deleted when they are older. Default: 30. */
  days?: number | undefined;
  /** Whether messages keep their files. Those of up to 4 MB are kept as they come, larger ones when they are first asked for. Switched off, the files are deleted. Default: true. */
  media?: boolean | undefined;
}

export interface SetPacingBody {
  /** Refuse sends to people without a chat while the network does not allow them; answers in known chats go on. On unless switched off. */
  hold_new_chats?: boolean | undefined;
  /** Begin no more new chats than the quota that the network names. On unless switched off. */
  respect_quota?: boolean | undefined;
  /** Begin no new chats for an hour when the network has refused three within an hour. On unless switched off. */
  pause_after_refusals?: boolean | undefined;
  /** New chats within 24 hours at most; 0: no limit of our own. */
  daily_new_chats?: number | undefined;
  /** Over so many days after the number was linked, `daily_new_chats` grows from a small part to the whole; 0: the whole from the first day. */
  warm_up_days?: number | undefined;
  /** The shortest pause between messages to different people. */
  gap_min_seconds?: number | undefined;
  /** The longest; each pause is of a random length between both. 0: none. */
  gap_max_seconds?: number | undefined;
}

export interface SetPresencePolicyBody {
  policy: 'auto' | 'available' | 'unavailable';
}

export interface SetProfileNameBody {
  name: string;
}

export interface SetProfilePhotoBody {
  image_url?: string | undefined;
  /** Instead of the URL: a file that was uploaded. */
  media_id?: string | undefined;
  /** Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first. */
  media_base64?: string | undefined;
  /** With `media_base64`, and there required. */
  mimetype?: string | undefined;
}

export interface SetProfileStatusBody {
  status: string;
}

export interface SetTypingBody {
  /** Phone number in international form, with or without `+`, the JID of a person or group, or `@username`, with its key as `@username:1234` where it has one. */
  to: string;
  /** False clears the indicator. Default: true. */
  typing?: boolean | undefined;
}

export interface StarMessageBody {
  /** Whether the number itself wrote the message. */
  from_me: boolean;
  /** False takes it back. Default: true. */
  on?: boolean | undefined;
}

export interface StartCodePairingBody {
  slot_id: string;
}

export interface StartQrPairingBody {
  slot_id: string;
}

/** The network acknowledged a message, or it failed for good. */
export interface StatusEvent {
  kind: 'status';
  /** Session JID. */
  session_id: string;
  /** The Idempotency-Key of the send. */
  request_id: string;
  /** The id from the 202 answer. */
  message_id: string;
  /** On `sent`; later receipts carry it. */
  network_message_id?: string;
  /** Target JID. */
  to: string;
  status: 'sent' | 'failed';
  /**
   * `INVALID_RECIPIENT`: the target is invalid or not on the network.
   * `MEDIA_FAILED`: the media URL could not be fetched, is larger than 64 MB, or has an unknown type.
   * `SEND_FAILED`: another permanent failure.
   * `RETRIES_EXHAUSTED`: transient failures outlasted all attempts.
   */
  reason?: 'INVALID_RECIPIENT' | 'MEDIA_FAILED' | 'SEND_FAILED' | 'RETRIES_EXHAUSTED';
  /** For people; it may change, do not parse it. */
  detail?: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

export interface StoredEvent {
  /** Same as the `X-Message-ID` of the webhook. */
  event_id: string;
  /** Pass it as `after` to go on behind this event. */
  cursor: string;
  event: ParleyEvent;
}

export interface SubscribePresenceBody {
  /** JID of a person: `<phone>@s.whatsapp.net` or `<id>@lid`. */
  contact_jid: string;
}

export interface TellMessageReadBody {
  /** Who wrote it (`sender_jid`); required in groups. */
  participant?: string | undefined;
}

export interface Terms {
  /** The version in force. */
  current_version: string | null;
  /** The version this account accepted last. */
  accepted_version: string | null;
  /** The version awaiting acceptance in the portal. */
  pending_version: string | null;
  /** Where the current version can be read. */
  url: string | null;
  /** A version that this account has not accepted and that will be in force from `effective_at`. Absent when there is none. */
  upcoming?: {
    version: string;
    url: string;
    /** ISO 8601 time in UTC. */
    effective_at: string;
  };
}

export interface TestWebhookBody {
  category?: 'messages' | 'status' | 'connection' | 'events' | undefined;
}

export interface TextVersion {
  text: string;
  /** Unix time in seconds. */
  timestamp_unix: number;
}

/** A person started or stopped typing. */
export interface TypingEvent {
  kind: 'typing';
  /** Session JID. */
  session_id: string;
  /** JID of a person; `@lid` in groups, and where the number is hidden. */
  sender_jid: string;
  /** Chat JID. A person has one for good: by the number, or `@lid` where the number was hidden when the chat began. */
  chat_jid: string;
  is_group: boolean;
  /** True = started. */
  typing: boolean;
  /** `audio` while recording a voice message. */
  media: 'text' | 'audio';
}

export interface UnreadableUpdate {
  update: 'edit' | 'event_edit' | 'poll_edit' | 'poll_option' | 'comment' | 'reaction' | 'event_response' | 'unknown';
  /** The message that it is about; as the sender claims. */
  message_id: string;
}

export interface UpdateWebhookBody {
  messages_url?: string | undefined;
  status_url?: string | undefined;
  connection_url?: string | undefined;
  events_url?: string | undefined;
  /** Events beyond the default: `own_messages`, messages that the number itself writes, with the phone, another linked device or through the API (`from_me`); `groups`, members who join or leave groups, and changes of groups; `chats`, actions of the owner on chats with other devices: reading, archiving, pinning, muting, deleting; `contacts`, new pictures and About texts of contacts, and hidden phone numbers that become known; `history`, progress of importing past conversations from the phone, for numbers that keep them; `health`, changes of the health of the number with the network. */
  extensions?: ('own_messages' | 'groups' | 'chats' | 'contacts' | 'history' | 'health')[] | undefined;
  /** False: nothing is sent and nothing new is queued; what waits already goes out when it is true again. */
  active?: boolean | undefined;
  /** True: nothing is sent, and what happens is kept for up to 3 days; it goes out, in order, when it is false again. */
  paused?: boolean | undefined;
  /** Cannot be changed: leave it out, or give it as it is. */
  id?: string | undefined;
  /** Cannot be changed: leave it out, or give it as it is. */
  phone?: string | undefined;
  /** Cannot be changed: leave it out, or give it as it is. */
  session_id?: string | undefined;
  /** Cannot be changed: leave it out, or give it as it is. */
  created_at?: string | undefined;
  /** Cannot be changed: leave it out, or give it as it is. */
  secret?: string | undefined;
}

/** Opens a link. */
export interface UrlButton {
  type: 'cta_url';
  display_text: string;
  url: string;
}

export interface UserDevice {
  /** JID of a person, group or channel. */
  jid: string;
  /** 0 is the phone. */
  device: number;
}

export interface UserInfo {
  /** The About text. */
  status: string;
  /** Empty when there is no visible photo. */
  picture_id: string;
  /** Only for business accounts. */
  verified_name?: string;
  devices: UserDevice[];
}

export interface ValidateNumbersBody {
  /** International numbers, with or without leading `+`; or usernames, as in `to`. */
  numbers: string[];
}

export interface ValidatedNumber {
  /** The number asked for, with a leading `+`, or the username as it was written. */
  query: string;
  /** True when the number is registered on the network, or an account has the username. */
  on_messenger: boolean;
  /** Only when registered: use it as `to`. */
  jid?: string;
  /** Only for business accounts. */
  verified_name?: string;
  /** Of a username that is guarded by a key, which was not given or is another one. */
  key_required?: true;
}

export interface ValidatedNumbers {
  results: ValidatedNumber[];
}

export interface Webhook {
  id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  /** Target of `message` events; empty = not sent. */
  messages_url: string;
  /** Target of `receipt` and `status` events; empty = not sent. */
  status_url: string;
  /** Target of `connection`, `health` and `device_linked` events; empty = not sent. */
  connection_url: string;
  /** Target of `poll_vote`, `typing`, `presence`, `call`, `newsletter_message`, `group`, `chat`, `contact`, `contact_linked` and `history` events; empty = not sent. */
  events_url: string;
  active: boolean;
  /** ISO 8601 time in UTC. */
  created_at: string;
  /** Events beyond the default: `own_messages`, messages that the number itself writes, with the phone, another linked device or through the API (`from_me`); `groups`, members who join or leave groups, and changes of groups; `chats`, actions of the owner on chats with other devices: reading, archiving, pinning, muting, deleting; `contacts`, new pictures and About texts of contacts, and hidden phone numbers that become known; `history`, progress of importing past conversations from the phone, for numbers that keep them; `health`, changes of the health of the number with the network. */
  extensions?: ('own_messages' | 'groups' | 'chats' | 'contacts' | 'history' | 'health')[];
  /** Only while it is paused: nothing is sent, and what happens is kept for up to 3 days. */
  paused?: true;
}

export interface WebhookList {
  webhooks: Webhook[];
}

export interface WebhookSecret {
  /** Signing secret, shown only now. */
  secret: string;
}

export interface WebhookWithSecret {
  id: string;
  /** Phone number in international form: digits only, no leading `+`. */
  phone: string;
  /** Target of `message` events; empty = not sent. */
  messages_url: string;
  /** Target of `receipt` and `status` events; empty = not sent. */
  status_url: string;
  /** Target of `connection`, `health` and `device_linked` events; empty = not sent. */
  connection_url: string;
  /** Target of `poll_vote`, `typing`, `presence`, `call`, `newsletter_message`, `group`, `chat`, `contact`, `contact_linked` and `history` events; empty = not sent. */
  events_url: string;
  active: boolean;
  /** ISO 8601 time in UTC. */
  created_at: string;
  /** Events beyond the default: `own_messages`, messages that the number itself writes, with the phone, another linked device or through the API (`from_me`); `groups`, members who join or leave groups, and changes of groups; `chats`, actions of the owner on chats with other devices: reading, archiving, pinning, muting, deleting; `contacts`, new pictures and About texts of contacts, and hidden phone numbers that become known; `history`, progress of importing past conversations from the phone, for numbers that keep them; `health`, changes of the health of the number with the network. */
  extensions?: ('own_messages' | 'groups' | 'chats' | 'contacts' | 'history' | 'health')[];
  /** Only while it is paused: nothing is sent, and what happens is kept for up to 3 days. */
  paused?: true;
  /** Signing secret, shown only now. */
  secret: string;
}
