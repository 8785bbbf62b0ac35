export {
  auditedTransaction,
  findAccount,
  hasAccounts,
  leaveTombstone,
  type Queries,
} from './account-queries.ts';
export { changeAccount, createAccount, getAccount, openOwnAccount } from './accounts.ts';
export { deleteSomeEntries, readAuditLog, record } from './audit/audit-queries.ts';
export { type Actor, actorBehind } from './audit/change.ts';
export type { AccountsContext, MembersContext } from './context.ts';
export { contextOfDataKey, createDataKeys, type DataKeys } from './data-keys.ts';
export { revokeKeysBelongingTo } from './derived-keys.ts';
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
} from './devices/device-queries.ts';
export {
  changeDevice,
  getDevice,
  listDevices,
  listNumbersOfAll,
  registerDevice,
  removeDevice,
} from './devices/devices.ts';
export {
  carriedInto,
  currentPeriod,
  findPeriods,
  periodAt,
  quotaOf,
  type SendingTerms,
  sendsPerMinuteOf,
  storeSilentPeriods,
} from './devices/periods.ts';
export { createDirectory, type Directory, recordKeyUses } from './directory/directory.ts';
export { addApiKey, createApiKey, listApiKeyUses, revokeApiKey, rollApiKey } from './keys.ts';
export {
  askForRecovery,
  askForVerification,
  openRecovery,
  recoverPassword,
  verifyEmail,
} from './members/links.ts';
export { createMailTemplates } from './members/mail-templates.ts';
export {
  browserSessionsOf,
  deleteBrowserSession,
  deleteOldBrowserSessions,
  findBrowserSession,
  insertBrowserSession,
  type Member,
  markSeen,
} from './members/member-queries.ts';
export {
  actorOf,
  changePassword,
  memberByPassword,
  memberOfSession,
  membersOf,
  requireMember,
  signOutEverywhere,
} from './members/members.ts';
export {
  beginTwoFactor,
  confirmTwoFactor,
  contextOfSecondFactor,
  endTwoFactor,
  hasTwoFactor,
  passSecondFactor,
  readTwoFactor,
  requirePassword,
} from './members/second-factor.ts';
export {
  acceptInvitation,
  changeMember,
  inviteMember,
  openInvitation,
  readTeam,
  removeMember,
  revokeInvitation,
} from './members/team.ts';
export { noteVisit } from './members/visits.ts';
export { accountsRoutes } from './routes.ts';
export { acceptTerms, listTermsVersions, startTermsNotices, termsOfAccount } from './terms/terms.ts';
