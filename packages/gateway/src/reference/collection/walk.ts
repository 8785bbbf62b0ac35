import type { OperationId, SendKindName } from '@parley/contract';

/**
 * The order in which a run of the whole collection goes through a gateway, so that each request finds what it needs: what one answers is
 * kept in a variable for those behind it. A run makes things and changes its own, and ends nothing that it has not made.
 */
export interface Stop {
  readonly operation: OperationId;
  /** In place of its subject. */
  readonly folder?: string;
  /** In place of the example of the contract. */
  readonly body?: unknown;
  /** Optional fields of the query that are turned on. */
  readonly query?: Readonly<Record<string, string>>;
  /** Variable of the collection → where the answer has it. */
  readonly keeps?: Readonly<Record<string, string>>;
}

/** A pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const picture = { media_base64: PICTURE, mimetype: 'image/png' };

export const WALK: readonly Stop[] = [
  { operation: 'getHealth' },
  { operation: 'getReadiness' },
  { operation: 'getMetrics' },
  { operation: 'listSessions', keeps: { session_id: 'sessions[0].session_id' } },
  { operation: 'getSession' },
  { operation: 'getSessionHealth' },
  { operation: 'setPacing' },
  { operation: 'setPresencePolicy' },
  { operation: 'subscribePresence' },
  { operation: 'setTyping' },
  { operation: 'setCallAutoReject', body: { enabled: false } },
  { operation: 'getCallAutoReject' },
  { operation: 'validateNumbers' },
  { operation: 'listContacts' },
  { operation: 'getContact' },
  { operation: 'getIdentity', query: { phone: '15550002001' } },
  { operation: 'setProfileStatus' },
  { operation: 'setProfileName' },
  { operation: 'setProfilePhoto', body: picture },
  { operation: 'getBlocklist' },
  { operation: 'changeBlocklist', body: { jid: '15550002001@s.whatsapp.net', action: 'unblock' } },
  { operation: 'createGroup', keeps: { group_id: 'jid' } },
  { operation: 'listGroups' },
  { operation: 'getGroup' },
  { operation: 'changeParticipants' },
  { operation: 'renameGroup' },
  { operation: 'describeGroup' },
  { operation: 'setGroupPhoto', body: picture },
  { operation: 'getGroupInvite' },
  { operation: 'changeGroupSettings' },
  { operation: 'createNewsletter', keeps: { newsletter: 'jid' } },
  { operation: 'listNewsletters' },
  { operation: 'getNewsletter' },
  { operation: 'muteNewsletter' },
  { operation: 'postToNewsletter', keeps: { server_id: 'server_id', post_id: 'message_id' } },
  {
    operation: 'reactInNewsletter',
    body: { server_id: '{{server_id}}', message_id: '{{post_id}}', reaction: '👍' },
  },
  { operation: 'getHistory', folder: 'Sessions' },
  { operation: 'setHistory', folder: 'Sessions' },
  { operation: 'uploadMedia', keeps: { media_id: 'media_id' } },
  { operation: 'getMedia' },
  { operation: 'sendMessage', keeps: { message_id: 'message_id' } },
  { operation: 'getMessage' },
  { operation: 'listChats' },
  { operation: 'listChatMessages' },
  { operation: 'getKeptMessage' },
  { operation: 'markChatUnread' },
  { operation: 'markChatRead' },
  { operation: 'archiveChat' },
  { operation: 'pinChat' },
  { operation: 'muteChat' },
  { operation: 'starMessage', body: { from_me: true } },
  {
    operation: 'createWebhook',
    keeps: { webhook_id: 'id' },
  },
  { operation: 'listWebhooks' },
  { operation: 'updateWebhook' },
  { operation: 'rotateWebhookSecret' },
  { operation: 'testWebhook' },
  { operation: 'listDeliveries' },
  { operation: 'deleteWebhook', folder: 'Clearing up' },
  { operation: 'leaveGroup', folder: 'Clearing up' },
  { operation: 'readEvents', query: { limit: '20' } },
  { operation: 'getTerms' },
  {
    operation: 'createAccount',
    body: { name: 'Harbour Books', email: '{{$guid}}@example.com' },
    keeps: { account_id: 'account_id' },
  },
  { operation: 'listAccounts' },
  { operation: 'getAccount' },
  { operation: 'updateAccount', body: { status: 'active' } },
  { operation: 'listMembers', keeps: { member_id: 'members[0].member_id' } },
  { operation: 'createApiKey', keeps: { key_id: 'key_id' } },
  { operation: 'listApiKeys' },
  { operation: 'revokeApiKey' },
  {
    operation: 'createDevice',
    body: { phone: '4917{{$timestamp}}', plan: 'free' },
    keeps: { slot_id: 'slot_id' },
  },
  { operation: 'listDevices' },
  { operation: 'getDevice' },
  { operation: 'updateDevice' },
  { operation: 'getDeviceHistory' },
  { operation: 'listNumbersOfAll' },
  { operation: 'listHostedSessions' },
  { operation: 'listWorkers' },
  { operation: 'getBilling' },
  { operation: 'getAccountBilling' },
  { operation: 'listInvoices' },
  { operation: 'exportInvoices' },
  { operation: 'listTermsVersions' },
  { operation: 'getQueues' },
  { operation: 'listDeadLetters' },
  { operation: 'listQuarantine' },
  { operation: 'listAuditLog' },
];

/** In the order in which they can follow each other, with what they say in place of examples that speak of files that nobody serves. */
export const SENDS: Readonly<Record<SendKindName, Readonly<Record<string, unknown>> | undefined>> = {
  text: undefined,
  media: {
    to: '15550002001',
    media_type: 'document',
    media_id: '{{media_id}}',
    file_name: 'Invoice 1042.txt',
  },
  location: undefined,
  contact: undefined,
  reaction: undefined,
  edit: undefined,
  poll: undefined,
  disappearing: undefined,
  text_status: undefined,
  media_status: { type: 'status', status_type: 'image', ...picture, caption: 'New in the window' },
  sticker: { to: '15550002001', type: 'sticker', ...picture },
  group_invite: undefined,
  interactive: undefined,
  revoke: undefined,
};
