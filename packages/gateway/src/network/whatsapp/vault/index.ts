export { createLinkStore, type LinkStore } from './store.ts';
export {
  ARRIVAL,
  type ArrivalDraft,
  type Change,
  type KeyBatch,
  LinkLost,
  openVault,
  type PollSecret,
  storeLink,
  type Vault,
  type VaultDependencies,
  type VaultOwner,
} from './vault.ts';
