export { createWhatsAppDriver } from './driver.ts';
export { findKeptVersion } from './link/store.ts';
export { ARRIVAL } from './vault/change.ts';
export { CREDS, contextOfRecord } from './vault/records.ts';
export { journalBacklog } from './vault/store.ts';
