/** The account that an operator's command is about. */
export const account = { name: 'account', help: 'id of the account (acc_…)' } as const;
export const from = {
  help: 'the number to act as, or its session id; not needed when the key sees only one',
  takes: 'number',
} as const;
export const webhook = { help: 'id of the webhook; not needed when there is only one', takes: 'id' } as const;
