export { createWhatsAppDriver } from './driver.ts';
