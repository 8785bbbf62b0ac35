export { createAccount } from './accounts.ts';
export type { Actor } from './audit.ts';
export type { AccountsContext } from './context.ts';
export { registerDevice } from './devices.ts';
export { createDirectory, type Directory } from './directory.ts';
export { createApiKey } from './keys.ts';
export { recordKeyUses } from './record-key-uses.ts';
export { accountsRoutes } from './routes.ts';
export { currentPeriod, type SendingTerms } from './sending-terms.ts';
