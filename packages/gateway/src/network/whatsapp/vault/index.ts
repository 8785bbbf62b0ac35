export { createRecordCache } from './cache.ts';
export { createLinkStore, type LinkStore } from './link-queries.ts';
export { type ArrivalDraft, type Change, dropOldRecords, type KeyBatch, type PollSecret } from './records.ts';
export { LinkLost, openVault, storeLink, type Vault, type VaultDependencies } from './vault.ts';
