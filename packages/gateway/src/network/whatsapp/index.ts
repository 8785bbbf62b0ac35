export { createWhatsAppDriver } from './driver.ts';
export { findKeptVersion } from './link/store.ts';
export { journalBacklog } from './vault/store.ts';
