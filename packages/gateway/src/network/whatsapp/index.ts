export { createWhatsAppDriver } from './driver.ts';
export type { Endpoint, WhatsAppSettings } from './endpoint.ts';
export type { WhatsAppDriverOptions } from './surroundings.ts';
