import type { OperationId } from '@parley/contract';

/** What an assistant should know before it uses a tool. */
export interface Hints {
  /** It takes something away that does not come back by itself. */
  readonly destructive?: true;
}

/**
 * The operations that are tools. Left out is what belongs to whoever owns the number, not to whoever writes with it: linking and logging out,
 * webhooks, terms. Sending is a tool per kind of message.
 */
export const OFFERED: Partial<Record<OperationId, Hints>> = {
  getSession: {},
  getMessage: {},
  readEvents: {},
  setTyping: {},
  subscribePresence: {},
  validateNumbers: {},
  listContacts: {},
  getContact: {},
  getContactPhoto: {},
  setProfileStatus: {},
  getBlocklist: {},
  changeBlocklist: {},
  listGroups: {},
  createGroup: {},
  getGroup: {},
  changeParticipants: { destructive: true },
  renameGroup: {},
  describeGroup: {},
  setGroupPhoto: {},
  getGroupInvite: {},
  joinGroup: {},
  changeGroupSettings: {},
  leaveGroup: { destructive: true },
  listNewsletters: {},
  createNewsletter: {},
  getNewsletter: {},
  muteNewsletter: {},
  followNewsletter: {},
  unfollowNewsletter: { destructive: true },
  postToNewsletter: {},
  reactInNewsletter: {},
};

/** Whoever reads these reads what strangers wrote. */
export const CARRIES_FOREIGN_WORDS: readonly OperationId[] = [
  'readEvents',
  'getGroup',
  'getContact',
  'getNewsletter',
];
