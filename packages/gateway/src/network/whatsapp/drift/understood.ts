import type { DriftPart } from '@parley/contract';
import { CHANNEL_QUERIES, HEALTH_QUERIES, PROFILE_QUERIES } from '../link/queries.ts';

/**
 * Everything of the network's language that the driver or its library reads, or leaves aside on purpose. What
 * arrives and is not listed is counted by `drift-watch.ts`, and `tools/drift` compares the lists with the
 * specification of another web client. A new reader adds its line here.
 */
export const UNDERSTOOD = {
  /** Top tags of stanzas. */
  stanza: [
    ...['ack', 'call', 'chatstate', 'failure', 'ib', 'iq', 'message', 'notification', 'presence'],
    ...['receipt', 'status', 'stream:error', 'success', 'xmlstreamend'],
  ],
  /** Types of notifications, each with its children. */
  notification: {
    account_sync: [
      ...['blocklist', 'devices', 'disappearing_mode', 'notice', 'picture', 'privacy', 'status'],
      ...['text_status', 'tos', 'user', 'username'],
    ],
    business: [
      ...[
        'ctwa_suggestion',
        'feature_flags',
        'mm_campaign',
        'privacy',
        'product_catalog',
        'profile',
        'remove',
      ],
      ...['subscriptions', 'verified_name', 'wa_ad_account_nonce'],
    ],
    companion_reg_refresh: ['companion_reg_refresh', 'pair-device-rotate-qr'],
    contacts: ['add', 'modify', 'remove', 'sync', 'update'],
    crsc_continuation: ['primary_ephemeral_identity'],
    devices: ['add', 'remove', 'update'],
    digital_commerce_subscription: ['feature_flags', 'subscriptions'],
    disappearing_mode: ['disappearing_mode'],
    encrypt: ['count', 'digest', 'identity', 'pq_count'],
    'fb:update': ['update'],
    hosted: ['offboarding', 'onboarding_status'],
    link_code_companion_reg: ['link_code_companion_reg'],
    mediaretry: ['encrypt', 'error', 'rmr'],
    mex: ['mex', 'update'],
    newsletter: ['live_updates', 'message', 'participant', 'reaction', 'update', 'view'],
    passkey_prologue_request: ['passkey_request_options'],
    pay: ['invite', 'transaction'],
    picture: ['delete', 'request', 'set'],
    privacy_token: ['tokens'],
    psa: ['campaign', 'messages', 'revoke', 'surfaces'],
    registration: ['wa_old_registration'],
    server: ['abprops', 'log'],
    server_sync: ['collection'],
    status: ['set'],
    'w:growth': ['invite'],
    waffle: ['notification_metadata'],
    'w:gp2': [
      ...['add', 'announcement', 'create', 'created_membership_requests', 'demote', 'description'],
      ...['ephemeral', 'invite', 'leave', 'locked', 'member_add_mode', 'membership_approval_mode'],
      ...['membership_approval_request', 'modify', 'not_announcement', 'not_ephemeral', 'promote', 'remove'],
      ...['revoked_membership_requests', 'subject', 'unlocked'],
    ],
  },
  /** Children of `<ib>`. */
  ib: [
    ...['client_expiration', 'dirty', 'downgrade_webclient', 'edge_routing', 'offline', 'offline_preview'],
    ...['offline_batch', 'priority_offline_complete', 'thread_metadata', 'tos', 'unified_session'],
  ],
  /** Types of receipts; one without a type is a delivery. */
  receipt: [
    ...['delivery', 'enc_rekey_retry', 'hist_sync', 'inactive', 'peer_msg', 'played', 'played-self', 'read'],
    ...['read-self', 'retry', 'sender', 'server-error', 'view'],
  ],
  /** Signals of a call. */
  call: [
    'accept',
    'offer',
    'offer_notice',
    'preaccept',
    'reject',
    'relaylatency',
    'terminate',
    'timeout',
    'transport',
  ],
  /** Codes with which the network refuses a message. */
  ack: ['400', '401', '403', '404', '405', '406', '409', '410', '421', '463', '475', '479', '500', '503'],
  /** Fields of a message, by name with their number. */
  message: {
    conversation: 1,
    senderKeyDistributionMessage: 2,
    imageMessage: 3,
    contactMessage: 4,
    locationMessage: 5,
    extendedTextMessage: 6,
    documentMessage: 7,
    audioMessage: 8,
    videoMessage: 9,
    protocolMessage: 12,
    contactsArrayMessage: 13,
    fastRatchetKeySenderKeyDistributionMessage: 15,
    liveLocationMessage: 18,
    templateMessage: 25,
    stickerMessage: 26,
    groupInviteMessage: 28,
    templateButtonReplyMessage: 29,
    deviceSentMessage: 31,
    messageContextInfo: 35,
    listMessage: 36,
    viewOnceMessage: 37,
    listResponseMessage: 39,
    ephemeralMessage: 40,
    buttonsMessage: 42,
    buttonsResponseMessage: 43,
    interactiveMessage: 45,
    reactionMessage: 46,
    stickerSyncRmrMessage: 47,
    interactiveResponseMessage: 48,
    pollCreationMessage: 49,
    pollUpdateMessage: 50,
    keepInChatMessage: 51,
    documentWithCaptionMessage: 53,
    viewOnceMessageV2: 55,
    encReactionMessage: 56,
    editedMessage: 58,
    viewOnceMessageV2Extension: 59,
    pollCreationMessageV2: 60,
    pollCreationMessageV3: 64,
    ptvMessage: 66,
    messageHistoryBundle: 70,
    encCommentMessage: 71,
    eventMessage: 75,
    encEventResponseMessage: 76,
    secretEncryptedMessage: 82,
    associatedChildMessage: 91,
    groupStatusMessage: 96,
    messageHistoryNotice: 102,
    groupStatusMessageV2: 103,
    pollCreationMessageV5: 111,
  },
  /** Types of `protocolMessage`, by name with their number. */
  protocol: {
    REVOKE: 0,
    EPHEMERAL_SETTING: 3,
    HISTORY_SYNC_NOTIFICATION: 5,
    APP_STATE_SYNC_KEY_SHARE: 6,
    INITIAL_SECURITY_NOTIFICATION_SETTING_SYNC: 9,
    MESSAGE_EDIT: 14,
    PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE: 17,
    LID_MIGRATION_MAPPING_SYNC: 22,
    GROUP_MEMBER_LABEL_CHANGE: 30,
  },
  /** Operations that the network announces by mex. */
  mex: [
    'MessageCappingInfoNotification',
    'NotificationLinkedProfilesUpdates',
    'NotificationNewsletterAdminPromote',
    'NotificationNewsletterJoin',
    'NotificationNewsletterLeave',
    'NotificationNewsletterUpdate',
    'NotificationUserReachoutTimelockUpdate',
  ],
} as const satisfies Record<
  Exclude<DriftPart, 'query'>,
  readonly string[] | Readonly<Record<string, number | readonly string[]>>
>;

/** Stored queries of the network that the driver asks for by id. */
export const QUERIES_IN_USE: readonly { readonly id: string; readonly path: string }[] = [
  ...Object.values(CHANNEL_QUERIES),
  ...Object.values(HEALTH_QUERIES),
  ...Object.values(PROFILE_QUERIES),
];
