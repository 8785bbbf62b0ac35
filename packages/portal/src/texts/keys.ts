/** In days, or `never`. */
export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

export const accessChoices = [
  { value: 'full', label: 'Full access', hint: 'Everything that the API can do, for the numbers above.' },
  { value: 'restricted', label: 'Restricted', hint: 'Only what you choose.' },
] as const;

/** In hours. */
export const overlapChoices = [
  { value: '24', label: 'A day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'A week' },
  { value: '1', label: 'An hour' },
  { value: '0', label: 'Not at all: end it now' },
] as const;

export const keysTexts = {
  lead: 'A key acts for your account. Give each system its own, with only the permissions that it needs.',
  create: 'Create a key',
  emptyTitle: 'No keys yet',
  emptyText: 'Your systems need a key to call the API. It is shown once, so have a place ready for it.',
  name: 'Name',
  nameHint: 'Which system will use it.',
  number: 'Number',
  numberHint: 'A key for one number cannot touch the others.',
  permissions: 'May do',
  access: 'Access',
  accessMissing: 'Choose whether the key may do everything.',
  permissionsMissing: 'Choose at least one thing that the key may do.',
  created: 'Created',
  ended: 'Ended',
  endedKeys: 'Expired and revoked keys',
  endedText: 'They no longer work. They stay listed so that you can identify keys in logs.',
  expiredOn: (day: string) => `Expired ${day}`,
  revokedOn: (day: string) => `Revoked ${day}`,
  roll: 'Roll',
  rollTitle: (name: string) => `Roll “${name}”`,
  rollText:
    'You get a new key with the same permissions. The old one keeps working for a while, so that you can switch your systems without a gap.',
  overlap: 'The old key keeps working for',
  rolled: 'The old key expires automatically.',
  revokedAtOnce: 'The old key has ended.',
  everything: 'Everything',
  expires: 'Expires',
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
} as const;
