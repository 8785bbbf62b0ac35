// Made from the contract by `npm run gen`. Do not edit.

import type { Call, CallOptions, DownloadOptions, SendOptions, UploadOptions } from '../call.ts';
import type { FileInput } from '../files.ts';
import type {
  AnswerGroupRequestsBody,
  ArchiveChatBody,
  Blocklist,
  CallAutoReject,
  ChangeBlocklistBody,
  ChangeGroupSettingsBody,
  ChangeParticipantsBody,
  ChatArchived,
  ChatMuted,
  ChatPage,
  ChatPinned,
  ChatRead,
  ContactList,
  CreateGroupBody,
  CreateNewsletterBody,
  CreateWebhookBody,
  DeleteMessageForMeQuery,
  DeliveryList,
  DeliveryQueued,
  DescribeGroupBody,
  EventPage,
  FollowNewsletterBody,
  GetContactPhotoQuery,
  GetGroupInviteQuery,
  GetIdentityQuery,
  GetSessionHealthQuery,
  Group,
  GroupDescribed,
  GroupInvite,
  GroupJoinPending,
  GroupJoined,
  GroupLeft,
  GroupList,
  GroupPhoto,
  GroupRenamed,
  GroupRequests,
  GroupRequestsAnswered,
  GroupSettings,
  History,
  Identity,
  JoinGroupBody,
  KeptMessageDetail,
  KeptMessagePage,
  ListChatMessagesQuery,
  ListChatsQuery,
  ListDeliveriesQuery,
  ListGroupsQuery,
  MediaUploaded,
  MessageAccepted,
  MessageRecord,
  MessageStarred,
  MuteChatBody,
  MuteNewsletterBody,
  Newsletter,
  NewsletterList,
  NewsletterMuted,
  NewsletterPosted,
  NewsletterReacted,
  NewsletterUnfollowed,
  Onboarding,
  OnboardingStarted,
  PacingSetting,
  ParticipantsChanged,
  PasskeyCredential,
  PinChatBody,
  PostToNewsletterBody,
  PresencePolicySetting,
  ProfileName,
  ProfilePicture,
  ProfileStatus,
  ReactInNewsletterBody,
  ReadEventsQuery,
  RenameGroupBody,
  SendBody,
  Session,
  SessionHealth,
  SessionList,
  SessionPasskey,
  SetCallAutoRejectBody,
  SetGroupPhotoBody,
  SetHistoryBody,
  SetPacingBody,
  SetPresencePolicyBody,
  SetProfileNameBody,
  SetProfilePhotoBody,
  SetProfileStatusBody,
  SetTypingBody,
  StarMessageBody,
  StartCodePairingBody,
  StartQrPairingBody,
  SubscribePresenceBody,
  TellMessageReadBody,
  Terms,
  TestWebhookBody,
  UpdateWebhookBody,
  UserInfo,
  ValidateNumbersBody,
  ValidatedNumbers,
  Webhook,
  WebhookList,
  WebhookSecret,
  WebhookWithSecret,
} from './types.ts';

export function pairing(call: Call) {
  return {
    /**
     * Start pairing by QR code.
     *
     * Begins to link the number of a registered device. Poll the onboarding every 2 to 3 seconds and show its `qr`.
     */
    startQr: (body: StartQrPairingBody, options?: CallOptions): Promise<OnboardingStarted> =>
      call({ method: 'POST', path: '/v1/sessions/onboard', body }, options),
    /**
     * Start pairing by code.
     *
     * Begins to link the number of a registered device. Poll the onboarding every 2 to 3 seconds and show its `code`, to be typed on the phone.
     */
    startCode: (body: StartCodePairingBody, options?: CallOptions): Promise<OnboardingStarted> =>
      call({ method: 'POST', path: '/v1/sessions/paircode', body }, options),
    /**
     * Poll a pairing attempt.
     *
     * Serves both flows. A QR lives about 60 seconds; the next poll returns a fresh one. An attempt that is not finished after 5 minutes ends in `error`; one that waits for a passkey has 10 minutes from then on.
     */
    get: (onboardId: string, options?: CallOptions): Promise<Onboarding> =>
      call({ method: 'GET', path: `/v1/onboard/${encodeURIComponent(onboardId)}` }, options),
    /**
     * Confirm a pairing with a passkey.
     *
     * For an onboarding with status `passkey`: takes what `navigator.credentials.get()` gave for its `options` on the network’s own site. Who sends the owner the `url` instead need not call this. Poll on.
     */
    answerPasskey: (onboardId: string, body: PasskeyCredential, options?: CallOptions): Promise<Onboarding> =>
      call({ method: 'POST', path: `/v1/onboard/${encodeURIComponent(onboardId)}/passkey`, body }, options),
    /**
     * Confirm that the phone shows the same code.
     *
     * For an onboarding with status `confirm`. Only the owner can say so; when the codes differ, delete the onboarding.
     */
    confirm: (onboardId: string, options?: CallOptions): Promise<Onboarding> =>
      call({ method: 'POST', path: `/v1/onboard/${encodeURIComponent(onboardId)}/confirm` }, options),
    /**
     * Give up a pairing attempt.
     *
     * It ends in `error`. One that has ended so already stays as it is.
     */
    cancel: (onboardId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/onboard/${encodeURIComponent(onboardId)}` }, options),
    /**
     * Ask whether a login waits for a passkey.
     *
     * For a session with the reason `passkey_required`: the network lets the number in after its owner has used the passkey of the account. Sends are taken meanwhile, and wait.
     */
    getLogin: (sessionId: string, options?: CallOptions): Promise<SessionPasskey> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/passkey` }, options),
    /**
     * Confirm a login with a passkey.
     *
     * For status `passkey`: takes what `navigator.credentials.get()` gave for its `options` on the network’s own site. Who sends the owner the `url` instead need not call this. Poll on.
     */
    answerLogin: (sessionId: string, body: PasskeyCredential, options?: CallOptions): Promise<SessionPasskey> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/passkey`, body }, options),
    /**
     * Confirm for a login that the phone shows the same code.
     *
     * For status `confirm`. Only the owner can say so.
     */
    confirmLogin: (sessionId: string, options?: CallOptions): Promise<SessionPasskey> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/passkey/confirm` }, options),
    /**
     * Have the network ask for the passkey now.
     *
     * For status `pending` and `error`, when the owner is there: logs in as soon as the last login is a minute old. Otherwise the gateway does so after growing pauses of up to an hour.
     */
    askLogin: (sessionId: string, options?: CallOptions): Promise<SessionPasskey> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/passkey/ask` }, options),
  };
}

export function sessions(call: Call) {
  return {
    /**
     * List sessions.
     *
     * Every number of the account that is or was linked. A key restricted to one number sees only that.
     */
    list: (options?: CallOptions): Promise<SessionList> =>
      call({ method: 'GET', path: '/v1/sessions' }, options),
    /**
     * Get a session.
     *
     * A number that is not linked has no session.
     */
    get: (sessionId: string, options?: CallOptions): Promise<Session> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}` }, options),
    /**
     * Log a session out.
     *
     * Permanent, also while the session is offline: afterwards pairing starts from the beginning. The webhook of the number stays. An id with a device suffix ends that link and no other: when it is over already, or never was, nothing changes and the answer is 204 all the same.
     */
    delete: (sessionId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(sessionId)}` }, options),
    /**
     * Show or clear the typing indicator.
     *
     * The network clears it after about 25 seconds.
     */
    setTyping: (sessionId: string, body: SetTypingBody, options?: CallOptions): Promise<void> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/typing`, body }, options),
    /**
     * Subscribe to a contact's presence.
     *
     * Needed once per contact; makes the own number appear online, for as long as its presence policy says. Without prior interaction with the contact it may answer 204 and still never deliver presence.
     */
    subscribePresence: (sessionId: string, body: SubscribePresenceBody, options?: CallOptions): Promise<void> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/presence/subscribe`, body }, options),
    /**
     * Choose whether the number appears online.
     *
     * While the number appears online, the network reports to it who types and who is online, and the owner’s phone does not ring or notify for new messages. The default is `auto`. Works while the session is offline too, and survives pairing again.
     */
    setPresencePolicy: (sessionId: string, body: SetPresencePolicyBody, options?: CallOptions): Promise<PresencePolicySetting> =>
      call({ method: 'PUT', path: `/v1/sessions/${encodeURIComponent(sessionId)}/presence-policy`, body }, options),
    /**
     * See how a number stands with the network.
     *
     * Restrictions and quotas as the network names them, counts of today and of the last days (at most 90 are kept), and what to do. Works while the session is offline, banned or logged out.
     */
    getHealth: (sessionId: string, query: GetSessionHealthQuery = {}, options?: CallOptions): Promise<SessionHealth> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/health`, query }, options),
    /**
     * Choose how a number is protected.
     *
     * Only the fields given are changed. A send that is held back is answered with 429 and `Retry-After`; it spends nothing, and can be repeated with the same `Idempotency-Key`. Works while the session is offline too, and survives pairing again.
     */
    setPacing: (sessionId: string, body: SetPacingBody, options?: CallOptions): Promise<PacingSetting> =>
      call({ method: 'PUT', path: `/v1/sessions/${encodeURIComponent(sessionId)}/pacing`, body }, options),
    /**
     * Switch automatic call rejection.
     *
     * Applies to the next call, without reconnecting. Calls are forwarded as events either way.
     */
    setCallAutoReject: (sessionId: string, body: SetCallAutoRejectBody, options?: CallOptions): Promise<CallAutoReject> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/calls/auto-reject`, body }, options),
    /** Read the automatic call rejection setting */
    getCallAutoReject: (sessionId: string, options?: CallOptions): Promise<CallAutoReject> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/calls/auto-reject` }, options),
    /**
     * Check which numbers are on the network.
     *
     * Up to 50 numbers at once, of which up to 10 may be usernames (`@username`, `@username:1234`); the results come in their order. What can be neither is not on the network. Needs the permission `contacts`.
     */
    validateNumbers: (sessionId: string, body: ValidateNumbersBody, options?: CallOptions): Promise<ValidatedNumbers> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/validate`, body }, options),
    /** Get what is kept of the conversations of a number */
    getHistory: (sessionId: string, options?: CallOptions): Promise<History> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/history` }, options),
    /**
     * Choose whether a number keeps its conversations.
     *
     * Off until it is switched on. Then messages in and out, receipts, reactions, edits and deletions are kept from that moment on, sealed under a key of the account. What is deleted for everybody on the network is deleted here. Switched off, all of it is deleted for good. Works while the session is offline too, and survives pairing again.
     */
    setHistory: (sessionId: string, body: SetHistoryBody, options?: CallOptions): Promise<History> =>
      call({ method: 'PUT', path: `/v1/sessions/${encodeURIComponent(sessionId)}/history`, body }, options),
  };
}

export function groups(call: Call) {
  return {
    /** List groups */
    list: (sessionId: string, query: ListGroupsQuery = {}, options?: CallOptions): Promise<GroupList> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups`, query }, options),
    /** Create a group */
    create: (sessionId: string, body: CreateGroupBody, options?: CallOptions): Promise<Group> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups`, body }, options),
    /** Get a group */
    get: (sessionId: string, groupJid: string, options?: CallOptions): Promise<Group> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}` }, options),
    /**
     * Add, remove, promote or demote members.
     *
     * Answers for each member apart: some may succeed while others are refused.
     */
    changeParticipants: (sessionId: string, groupJid: string, body: ChangeParticipantsBody, options?: CallOptions): Promise<ParticipantsChanged> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/participants`, body }, options),
    /** Rename a group */
    rename: (sessionId: string, groupJid: string, body: RenameGroupBody, options?: CallOptions): Promise<GroupRenamed> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/name`, body }, options),
    /** Change a group's description */
    describe: (sessionId: string, groupJid: string, body: DescribeGroupBody, options?: CallOptions): Promise<GroupDescribed> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/description`, body }, options),
    /**
     * Set or remove a group's photo.
     *
     * The picture is given by exactly one of `image_url`, `media_id` and `media_base64`; an empty `image_url` removes it.
     */
    setPhoto: (sessionId: string, groupJid: string, body: SetGroupPhotoBody, options?: CallOptions): Promise<GroupPhoto> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/photo`, body }, options),
    /** Get or reset a group's invite link */
    getInvite: (sessionId: string, groupJid: string, query: GetGroupInviteQuery = {}, options?: CallOptions): Promise<GroupInvite> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/invite-link`, query }, options),
    /**
     * Join a group by invite.
     *
     * Answers 202 where the group wants approval: an admin has to let the number in, which a `group` event reports then. Repeating the call does not repeat the request.
     */
    join: (sessionId: string, body: JoinGroupBody, options?: CallOptions): Promise<GroupJoined | GroupJoinPending> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/join`, body }, options),
    /**
     * List requests to join a group.
     *
     * People who wait for an admin of a group that wants approval. An extension event `group` with `join_requested` reports each new one.
     */
    listRequests: (sessionId: string, groupJid: string, options?: CallOptions): Promise<GroupRequests> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/requests` }, options),
    /**
     * Approve or reject requests to join a group.
     *
     * Answers for each person apart: one who has not asked, or no longer asks, is refused while others succeed.
     */
    answerRequests: (sessionId: string, groupJid: string, body: AnswerGroupRequestsBody, options?: CallOptions): Promise<GroupRequestsAnswered> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/requests`, body }, options),
    /** Change who may write, edit, join and add, and how long messages are kept */
    changeSettings: (sessionId: string, groupJid: string, body: ChangeGroupSettingsBody, options?: CallOptions): Promise<GroupSettings> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/settings`, body }, options),
    /** Leave a group */
    leave: (sessionId: string, groupJid: string, options?: CallOptions): Promise<GroupLeft> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(groupJid)}/leave` }, options),
  };
}

export function contacts(call: Call) {
  return {
    /**
     * List contacts.
     *
     * From the network's own synchronised contacts: names are as complete as that synchronisation.
     */
    list: (sessionId: string, options?: CallOptions): Promise<ContactList> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/contacts` }, options),
    /** Get a person's info */
    get: (sessionId: string, jid: string, options?: CallOptions): Promise<UserInfo> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/contacts/${encodeURIComponent(jid)}` }, options),
    /**
     * Get the profile photo of a person or group.
     *
     * The `url` is public and expires: fetch it soon and do not store it. Without a photo the answer is an error: 404 when none was ever set, 403 when it is hidden from this session.
     */
    getPhoto: (sessionId: string, jid: string, query: GetContactPhotoQuery = {}, options?: CallOptions): Promise<ProfilePicture> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/contacts/${encodeURIComponent(jid)}/photo`, query }, options),
    /**
     * Get the addresses of one person.
     *
     * Give exactly one of `phone`, `lid` and `username`; with `username`, its `key` where it has one.
     */
    identify: (sessionId: string, query: GetIdentityQuery = {}, options?: CallOptions): Promise<Identity> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/identities`, query }, options),
  };
}

export function profile(call: Call) {
  return {
    /** Change the About text of the number */
    setStatus: (sessionId: string, body: SetProfileStatusBody, options?: CallOptions): Promise<ProfileStatus> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/profile/status`, body }, options),
    /** Change the name that the number gives itself */
    setName: (sessionId: string, body: SetProfileNameBody, options?: CallOptions): Promise<ProfileName> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/profile/name`, body }, options),
    /**
     * Set or remove the number's own photo.
     *
     * The picture is given by exactly one of `image_url`, `media_id` and `media_base64`; an empty `image_url` removes it.
     */
    setPhoto: (sessionId: string, body: SetProfilePhotoBody, options?: CallOptions): Promise<GroupPhoto> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/profile/photo`, body }, options),
  };
}

export function blocklist(call: Call) {
  return {
    /** Read the blocklist */
    get: (sessionId: string, options?: CallOptions): Promise<Blocklist> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/blocklist` }, options),
    /** Block or unblock a person */
    change: (sessionId: string, body: ChangeBlocklistBody, options?: CallOptions): Promise<Blocklist> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/blocklist`, body }, options),
  };
}

export function chats(call: Call) {
  return {
    /** List the conversations of a number */
    list: (sessionId: string, query: ListChatsQuery = {}, options?: CallOptions): Promise<ChatPage> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats`, query }, options),
    /**
     * Read a conversation, or search in it.
     *
     * The newest messages first, unless `after` is given.
     */
    messages: (sessionId: string, jid: string, query: ListChatMessagesQuery = {}, options?: CallOptions): Promise<KeptMessagePage> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/messages`, query }, options),
    /** Get a message of a conversation, with receipts, reactions and edits */
    getMessage: (sessionId: string, messageId: string, options?: CallOptions): Promise<KeptMessageDetail> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/messages/${encodeURIComponent(messageId)}` }, options),
    /**
     * Delete what is kept of a conversation.
     *
     * Here, for good; the phones keep it. What is written afterwards is kept again.
     */
    forget: (sessionId: string, jid: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/history` }, options),
    /**
     * Mark a chat as read.
     *
     * For the owner of the number; the other side is not notified.
     */
    markRead: (sessionId: string, jid: string, options?: CallOptions): Promise<ChatRead> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/read` }, options),
    /** Mark a chat as unread */
    markUnread: (sessionId: string, jid: string, options?: CallOptions): Promise<ChatRead> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/unread` }, options),
    /** Archive a chat, or take it back */
    archive: (sessionId: string, jid: string, body: ArchiveChatBody, options?: CallOptions): Promise<ChatArchived> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/archive`, body }, options),
    /** Pin a chat, or unpin it */
    pin: (sessionId: string, jid: string, body: PinChatBody, options?: CallOptions): Promise<ChatPinned> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/pin`, body }, options),
    /** Mute a chat, or unmute it */
    mute: (sessionId: string, jid: string, body: MuteChatBody, options?: CallOptions): Promise<ChatMuted> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/mute`, body }, options),
    /**
     * Delete a chat for the owner of the number.
     *
     * With all that is in it. Others keep what they have.
     */
    delete: (sessionId: string, jid: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}` }, options),
    /**
     * Send the sender of a message a read receipt.
     *
     * Where the owner has switched read receipts off, only the other devices of the number are notified. It resolves when the receipt is sent.
     */
    tellMessageRead: (sessionId: string, jid: string, messageId: string, body: TellMessageReadBody, options?: CallOptions): Promise<void> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/messages/${encodeURIComponent(messageId)}/read`, body }, options),
    /** Star a message, or take it back */
    starMessage: (sessionId: string, jid: string, messageId: string, body: StarMessageBody, options?: CallOptions): Promise<MessageStarred> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/messages/${encodeURIComponent(messageId)}/star`, body }, options),
    /**
     * Delete a message for the owner of the number.
     *
     * Others keep it; to delete it for everybody, send a `revoke`.
     */
    deleteMessage: (sessionId: string, jid: string, messageId: string, query: DeleteMessageForMeQuery = {}, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(jid)}/messages/${encodeURIComponent(messageId)}`, query }, options),
  };
}

export function channels(call: Call) {
  return {
    /**
     * Create a channel.
     *
     * The picture, if any, is given by one of `picture_url`, `media_id` and `media_base64`.
     */
    create: (sessionId: string, body: CreateNewsletterBody, options?: CallOptions): Promise<Newsletter> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters`, body }, options),
    /** List followed channels */
    list: (sessionId: string, options?: CallOptions): Promise<NewsletterList> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters` }, options),
    /** Get a channel */
    get: (sessionId: string, channelJid: string, options?: CallOptions): Promise<Newsletter> =>
      call({ method: 'GET', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/${encodeURIComponent(channelJid)}` }, options),
    /** Mute or unmute a channel */
    mute: (sessionId: string, channelJid: string, body: MuteNewsletterBody, options?: CallOptions): Promise<NewsletterMuted> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/${encodeURIComponent(channelJid)}/mute`, body }, options),
    /** Follow a channel */
    follow: (sessionId: string, body: FollowNewsletterBody, options?: CallOptions): Promise<Newsletter> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/follow`, body }, options),
    /** Stop following a channel */
    unfollow: (sessionId: string, channelJid: string, options?: CallOptions): Promise<NewsletterUnfollowed> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/${encodeURIComponent(channelJid)}/unfollow` }, options),
    /**
     * Post to a channel.
     *
     * Text, or a file with an optional caption, given by exactly one of `media_url`, `media_id` and `media_base64`. The session must be admin of the channel. Uses the same rate limits, cooldown and quota as `POST /v1/messages`.
     */
    post: (sessionId: string, channelJid: string, body: PostToNewsletterBody, options?: CallOptions): Promise<NewsletterPosted> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/${encodeURIComponent(channelJid)}/messages`, body }, options),
    /**
     * React to a channel message.
     *
     * Take `server_id` and `message_id` from a `newsletter_message` event. An empty `reaction` removes the reaction.
     */
    react: (sessionId: string, channelJid: string, body: ReactInNewsletterBody, options?: CallOptions): Promise<NewsletterReacted> =>
      call({ method: 'POST', path: `/v1/sessions/${encodeURIComponent(sessionId)}/newsletters/${encodeURIComponent(channelJid)}/react`, body }, options),
  };
}

export function messages(call: Call) {
  return {
    /**
     * Send a message.
     *
     * Queues the message and answers 202; its outcome arrives as `status` and `receipt` events.
     *
     * Send each message with its own `Idempotency-Key`: repeating a request with the same key within 24 hours returns the first answer and sends nothing. After a 5xx or a broken connection, repeat with the same key.
     *
     * A field that no kind of message knows is refused; a field of another kind is ignored; an empty string in an optional field counts as absent.
     *
     * Free includes text and text status; Pro adds media, sticker, image and video status, location, contact, reaction, revoke, edit and interactive; Max adds poll, disappearing, group invitations and sending to groups.
     */
    send: (body: SendBody, options?: SendOptions): Promise<MessageAccepted> =>
      call({ method: 'POST', path: '/v1/messages', body, idempotent: true }, options),
    /**
     * Look a message up.
     *
     * How far a message came. No content is kept.
     */
    get: (messageId: string, options?: CallOptions): Promise<MessageRecord> =>
      call({ method: 'GET', path: `/v1/messages/${encodeURIComponent(messageId)}` }, options),
  };
}

export function media(call: Call) {
  return {
    /**
     * Upload a file.
     *
     * The file is the body itself, with its own `Content-Type`, or the one file of a `multipart/form-data`; at most 64 MB. It is kept for 30 days, encrypted, and for longer while a send that was accepted still needs it.
     *
     * The same file again is stored once and gets a new id. An account without an active number keeps no files.
     */
    upload: (file: FileInput, options?: UploadOptions): Promise<MediaUploaded> =>
      call({ method: 'POST', path: '/v1/media', file }, options),
    /**
     * Download a file.
     *
     * A file that was uploaded, or that came with a message (`media.id`). Takes `Range` and `If-None-Match`.
     *
     * A file of a message is fetched from the network on request, whole and checked before the first byte is answered; a file that the network has dropped is requested from the phone once more. It is stored for an hour then, or for as long as the message where the number keeps its conversations with `media`. Ids of messages that are not kept are good for 30 days.
     */
    download: (mediaId: string, options?: DownloadOptions): Promise<Response> =>
      call({ method: 'GET', path: `/v1/media/${encodeURIComponent(mediaId)}`, raw: true }, options),
  };
}

export function webhooks(call: Call) {
  return {
    /**
     * Register the webhook of a number.
     *
     * Fill only the URLs you want. One configuration per number, which need not be linked yet: it survives unlinking and pairing again. The `secret` is shown only in this answer.
     */
    create: (body: CreateWebhookBody, options?: CallOptions): Promise<WebhookWithSecret> =>
      call({ method: 'POST', path: '/v1/webhooks', body }, options),
    /**
     * Change a webhook.
     *
     * Only the fields given are changed, so the object that a `GET` gave can be put back. What is queued already goes to the new URL, and stays queued when its extension is no longer asked for; an empty URL disables that category and makes what is queued for it dead. The secret stays.
     */
    update: (webhookId: string, body: UpdateWebhookBody, options?: CallOptions): Promise<Webhook> =>
      call({ method: 'PUT', path: `/v1/webhooks/${encodeURIComponent(webhookId)}`, body }, options),
    /** List webhooks */
    list: (options?: CallOptions): Promise<WebhookList> =>
      call({ method: 'GET', path: '/v1/webhooks' }, options),
    /** Delete a webhook */
    delete: (webhookId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/v1/webhooks/${encodeURIComponent(webhookId)}` }, options),
    /**
     * Rotate the signing secret.
     *
     * For 24 hours deliveries carry two `v1=` signatures, the new secret's first.
     */
    rotateSecret: (webhookId: string, options?: CallOptions): Promise<WebhookSecret> =>
      call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(webhookId)}/rotate-secret` }, options),
    /**
     * Send a signed sample event.
     *
     * Without a category the sample goes to the first URL that is set.
     */
    test: (webhookId: string, body: TestWebhookBody = {}, options?: CallOptions): Promise<DeliveryQueued> =>
      call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(webhookId)}/test`, body }, options),
    /**
     * Read the delivery log.
     *
     * Newest first. Kept for 3 days (Free), 30 days (Pro) or 90 days (Max), and at most the latest 500 of the account. Content is redacted; `typing` events are not recorded.
     */
    listDeliveries: (webhookId: string, query: ListDeliveriesQuery = {}, options?: CallOptions): Promise<DeliveryList> =>
      call({ method: 'GET', path: `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`, query }, options),
    /**
     * Deliver once more.
     *
     * Puts a dead delivery back in the queue, with its full payload and a fresh set of attempts.
     */
    redeliver: (webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryQueued> =>
      call({ method: 'POST', path: `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver` }, options),
  };
}

export function events(call: Call) {
  return {
    /**
     * Stream or pull events.
     *
     * The same payloads as webhooks, for integrators without a public address. Events stay readable for 3 days.
     *
     * By default, or with `Accept: text/event-stream`, the answer is a stream of server-sent events: `id` is the cursor, `event` the kind, `data` the payload. A client that reconnects with `Last-Event-ID` misses nothing.
     *
     * With `Accept: application/json`, or with `after`, `limit` or `wait_seconds` in the query, the answer is a page. With `wait_seconds` it waits for the next event.
     */
    list: (query: ReadEventsQuery = {}, options?: CallOptions): Promise<EventPage> =>
      call({ method: 'GET', path: '/v1/events', query }, options),
  };
}

export function terms(call: Call) {
  return {
    /**
     * Ask which terms await acceptance.
     *
     * Distinguishes the 403 for unaccepted terms from key problems: it is answered even while terms are pending or the account is suspended. Terms are accepted in the portal, not here.
     */
    get: (options?: CallOptions): Promise<Terms> =>
      call({ method: 'GET', path: '/v1/tos' }, options),
  };
}

/** The methods of every noun. */
export function all(call: Call) {
  return {
    pairing: pairing(call),
    sessions: sessions(call),
    groups: groups(call),
    contacts: contacts(call),
    profile: profile(call),
    blocklist: blocklist(call),
    chats: chats(call),
    channels: channels(call),
    messages: messages(call),
    media: media(call),
    webhooks: webhooks(call),
    events: events(call),
    terms: terms(call),
  };
}
