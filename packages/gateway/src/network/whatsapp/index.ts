export { createWhatsAppDriver } from './driver.ts';
export { findKeptVersion } from './gateway-queries.ts';
export {
  adoptLink,
  FOREIGN_KEY_KINDS,
  type ForeignKey,
  type ForeignLink,
  forgetLink,
  readForeignKey,
  readForeignLink,
} from './link/adopt.ts';
export { fetchVersionPage, versionOnPage } from './link/client-version.ts';
export { ARRIVAL, CREDS, contextOfRecord } from './vault/records.ts';
