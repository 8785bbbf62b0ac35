export { createRecordCache } from './cache.ts';
export { createLinkStore, type LinkStore } from './link-queries.ts';
export {
  type ArrivalDraft,
  type Change,
  dropOldRecords,
  type KeyBatch,
  LASTING_SECRET,
  type MessageSecret,
  SECRET,
  toChange,
} from './records.ts';
export { LinkLost, openVault, storeLink, type Vault, type VaultDependencies } from './vault.ts';
