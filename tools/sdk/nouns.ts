import type { OperationId } from '@parley/contract';

/** How an operation is called in the SDK: `parley.<noun>.<verb>(…)`. */
export type Nouns = Readonly<Record<string, Partial<Record<OperationId, string>>>>;

/** The nouns of an account's own client. Every operation of `/v1` stands here once. */
export const ACCOUNT_NOUNS: Nouns = {
  pairing: {
    startQrPairing: 'startQr',
    startCodePairing: 'startCode',
    getOnboarding: 'get',
    answerPasskey: 'answerPasskey',
    confirmPairing: 'confirm',
    cancelOnboarding: 'cancel',
  },
  sessions: {
    listSessions: 'list',
    getSession: 'get',
    deleteSession: 'delete',
    setTyping: 'setTyping',
    subscribePresence: 'subscribePresence',
    setPresencePolicy: 'setPresencePolicy',
    getSessionHealth: 'getHealth',
    setPacing: 'setPacing',
    setCallAutoReject: 'setCallAutoReject',
    getCallAutoReject: 'getCallAutoReject',
    validateNumbers: 'validateNumbers',
    getHistory: 'getHistory',
    setHistory: 'setHistory',
  },
  groups: {
    listGroups: 'list',
    createGroup: 'create',
    getGroup: 'get',
    changeParticipants: 'changeParticipants',
    renameGroup: 'rename',
    describeGroup: 'describe',
    setGroupPhoto: 'setPhoto',
    getGroupInvite: 'getInvite',
    joinGroup: 'join',
    changeGroupSettings: 'changeSettings',
    leaveGroup: 'leave',
  },
  contacts: { listContacts: 'list', getContact: 'get', getContactPhoto: 'getPhoto', getIdentity: 'identify' },
  profile: { setProfileStatus: 'setStatus', setProfileName: 'setName', setProfilePhoto: 'setPhoto' },
  chats: {
    listChats: 'list',
    listChatMessages: 'messages',
    getKeptMessage: 'getMessage',
    forgetChat: 'forget',
    markChatRead: 'markRead',
    markChatUnread: 'markUnread',
    archiveChat: 'archive',
    pinChat: 'pin',
    muteChat: 'mute',
    deleteChat: 'delete',
    tellMessageRead: 'tellMessageRead',
    starMessage: 'starMessage',
    deleteMessageForMe: 'deleteMessage',
  },
  blocklist: { getBlocklist: 'get', changeBlocklist: 'change' },
  channels: {
    createNewsletter: 'create',
    listNewsletters: 'list',
    getNewsletter: 'get',
    muteNewsletter: 'mute',
    followNewsletter: 'follow',
    unfollowNewsletter: 'unfollow',
    postToNewsletter: 'post',
    reactInNewsletter: 'react',
  },
  messages: { sendMessage: 'send', getMessage: 'get' },
  media: { uploadMedia: 'upload', getMedia: 'download' },
  webhooks: {
    createWebhook: 'create',
    updateWebhook: 'update',
    listWebhooks: 'list',
    deleteWebhook: 'delete',
    rotateWebhookSecret: 'rotateSecret',
    testWebhook: 'test',
    listDeliveries: 'listDeliveries',
    redeliver: 'redeliver',
  },
  events: { readEvents: 'list' },
  terms: { getTerms: 'get' },
};

/** The nouns of the operator's client. */
export const OPERATOR_NOUNS: Nouns = {
  accounts: {
    createAccount: 'create',
    listAccounts: 'list',
    getAccount: 'get',
    updateAccount: 'update',
    resetPassword: 'resetPassword',
    deleteAccount: 'delete',
    cancelAccountDeletion: 'keep',
    listAccountDeletions: 'listDeletions',
    visitAccount: 'visit',
  },
  members: { listMembers: 'list', resetTwoFactor: 'resetTwoFactor' },
  apiKeys: { createApiKey: 'create', listApiKeys: 'list', rollApiKey: 'roll', revokeApiKey: 'revoke' },
  devices: {
    createDevice: 'create',
    listDevices: 'list',
    listNumbersOfAll: 'listAll',
    getDevice: 'get',
    updateDevice: 'update',
    getDeviceHistory: 'getHistory',
    setDeviceHistory: 'setHistory',
  },
  terms: { publishTerms: 'publish', listTermsVersions: 'list' },
  sessions: { listHostedSessions: 'list' },
  workers: { listWorkers: 'list' },
  billing: {
    getBilling: 'get',
    updateBilling: 'update',
    setBillingWebhook: 'setWebhook',
    removeBillingWebhook: 'removeWebhook',
    getAccountBilling: 'getOfAccount',
    updateAccountBilling: 'updateOfAccount',
  },
  invoices: {
    runInvoices: 'run',
    listInvoices: 'list',
    exportInvoices: 'csv',
    getInvoice: 'get',
    getInvoicePdf: 'pdf',
    markInvoicePaid: 'markPaid',
    reopenInvoice: 'reopen',
  },
  queues: { getQueues: 'get' },
  deadLetters: { listDeadLetters: 'list', redeliverDeadLetter: 'redeliver' },
  quarantine: { listQuarantine: 'list', retryQuarantined: 'retry', dropQuarantined: 'drop' },
  throughput: { getThroughput: 'get' },
  receivers: { listFailingOfAll: 'listFailing' },
  audit: { listAuditLog: 'list' },
};

/** Path parameters that are called `id` in the API are called after what they identify. */
export function parameterName(path: string, parameter: string): string {
  if (parameter === 'nl') return 'channelJid';
  if (parameter === 'group_id') return 'groupJid';
  if (parameter !== 'id') return parameter.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const [, owner] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
  return (
    { sessions: 'sessionId', webhooks: 'webhookId', onboard: 'onboardId', media: 'mediaId' }[owner ?? ''] ??
    'id'
  );
}
