import type { Permission } from '@parley/contract';

export const permissionNames: Readonly<Record<Permission, string>> = {
  messages: 'Send messages',
  sessions: 'Pair and manage sessions',
  groups: 'Groups',
  contacts: 'Contacts and profile',
  channels: 'Channels',
  webhooks: 'Webhooks and events',
};

/** In days; `never` is said by its own word. */
export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

export const keysTexts = {
  title: 'API keys',
  lead: 'A key speaks for your account. Give each system its own, with no more than it needs.',
  create: 'Create a key',
  emptyTitle: 'No keys yet',
  emptyText: 'Your systems need a key to call the API. It is shown once, so have a place ready for it.',
  name: 'Name',
  nameHint: 'Which system will use it.',
  number: 'Number',
  numberHint: 'A key for one number cannot touch the others.',
  allNumbers: 'All numbers',
  permissions: 'May do',
  permissionsHint: 'With nothing chosen it may do everything.',
  everything: 'Everything',
  expires: 'Expires',
  expired: 'Expired',
  lastUsed: 'Last used',
  actions: 'Actions',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: 'Systems that use it are refused from now on. This cannot be undone.',
  revoked: 'The key is revoked.',
  createdTitle: 'Your new key',
  keyLabel: 'API key',
  curlSend: 'Send a message with it, from the number to itself',
  curlSessions: 'List your sessions with it',
  greeting: 'Hello from Parley',
  done: 'I have copied it',
} as const;
