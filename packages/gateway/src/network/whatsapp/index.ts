export type { Endpoint, WhatsAppDriverOptions, WhatsAppSettings } from './dependencies.ts';
export { createWhatsAppDriver } from './driver.ts';
export type { MediaAnswer, MediaTransport } from './media/download.ts';
