export { changeAccount, createAccount, getAccount, openOwnAccount } from './accounts.ts';
export { type Actor, actorBehind } from './audit/change.ts';
export { deleteSomeEntries, readAuditLog, record } from './audit/store.ts';
export type { AccountsContext } from './context.ts';
export { contextOfDataKey, createDataKeys, type DataKeys } from './data-keys.ts';
export { revokeKeysBelongingTo } from './derived-keys.ts';
export {
  changeDevice,
  getDevice,
  listDevices,
  listNumbersOfAll,
  registerDevice,
  removeDevice,
} from './devices/devices.ts';
export { carriedInto, findPeriods, periodAt, quotaOf, storeSilentPeriods } from './devices/periods.ts';
export { currentPeriod, type SendingTerms, sendsPerMinuteOf } from './devices/sending-terms.ts';
export {
  allDevices,
  type DevicePeriod,
  devicesOf,
  endRemoval,
  findDevice,
  findDeviceEvenRemoved,
  findStoredPeriods,
  isRegistered,
  releasePhone,
} from './devices/store.ts';
export { createDirectory, type Directory } from './directory/directory.ts';
export { recordKeyUses } from './directory/record-key-uses.ts';
export { addApiKey, createApiKey, listApiKeyUses, revokeApiKey, rollApiKey } from './keys.ts';
export {
  browserSessionsOf,
  deleteBrowserSession,
  deleteOldBrowserSessions,
  findBrowserSession,
  insertBrowserSession,
  markSeen,
} from './members/browser-session-queries.ts';
export type { MembersContext } from './members/context.ts';
export { acceptInvitation, inviteMember, openInvitation, revokeInvitation } from './members/invitations.ts';
export { letterWriters } from './members/letters.ts';
export {
  actorOf,
  changePassword,
  memberByPassword,
  memberOfSession,
  membersOf,
  requireMember,
  signOutEverywhere,
} from './members/members.ts';
export { askForRecovery, openRecovery, recoverPassword } from './members/recovery.ts';
export {
  beginTwoFactor,
  confirmTwoFactor,
  contextOfSecondFactor,
  endTwoFactor,
  hasTwoFactor,
  passSecondFactor,
  readTwoFactor,
  requirePassword,
} from './members/second-factor/second-factor.ts';
export type { Member } from './members/store.ts';
export { changeMember, readTeam, removeMember } from './members/team.ts';
export { askForVerification, verifyEmail } from './members/verification.ts';
export { noteVisit } from './members/visits.ts';
export { accountsRoutes } from './routes.ts';
export { changeInTurn, findAccount, hasAccounts, leaveTombstone, type Queries } from './store.ts';
export { startTermsNotices } from './terms/notices.ts';
export { acceptTerms, listTermsVersions, termsOfAccount } from './terms/terms.ts';
