export { createWhatsAppDriver } from './driver.ts';
export {
  adoptLink,
  FOREIGN_KEY_KINDS,
  type ForeignKey,
  type ForeignLink,
  forgetLink,
  readForeignKey,
  readForeignLink,
} from './link/adopt.ts';
export { versionOnPage } from './link/client-version.ts';
export { findKeptVersion } from './link/store.ts';
export { fetchVersionPage } from './link/version-page.ts';
export { ARRIVAL } from './vault/change.ts';
export { CREDS, contextOfRecord } from './vault/records.ts';
