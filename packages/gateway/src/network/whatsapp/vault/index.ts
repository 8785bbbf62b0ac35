export { createRecordCache } from './cache.ts';
export type { ArrivalDraft, Change, KeyBatch, PollSecret } from './change.ts';
export { dropOldRecords } from './retention.ts';
export { createLinkStore, type LinkStore } from './store.ts';
export { LinkLost, openVault, storeLink, type Vault, type VaultDependencies } from './vault.ts';
