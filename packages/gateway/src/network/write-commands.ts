export { commands } from './whatsapp/vault/write-commands.ts';
