export { createWhatsAppDriver } from './driver.ts';
export { findKeptVersion } from './link/store.ts';
