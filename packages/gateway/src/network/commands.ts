export { commands } from './whatsapp/vault/commands.ts';
