export type { WhatsAppDriverOptions } from './dependencies.ts';
export { createWhatsAppDriver } from './driver.ts';
export type { Endpoint, WhatsAppSettings } from './endpoint.ts';
export type { MediaAnswer, MediaTransport } from './media/transport.ts';
