/** What the members of an account may do in the portal. */

export const MEMBER_ROLES = ['owner', 'developer', 'read_only'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** What an operation of the portal takes. */
export const RIGHTS = ['self', 'see', 'build', 'administer'] as const;
export type Right = (typeof RIGHTS)[number];

/** What each right opens, in words. */
export const RIGHT_MEANINGS: Readonly<Record<Right, string>> = {
  self: 'their own password, second factor and browsers; leaving the account',
  see: 'numbers, webhooks, deliveries, messages, events, kept conversations, usage, invoices, keys without their secret, who else is a member',
  build:
    'linking numbers, test sends, webhooks, API keys, pacing, what is kept of conversations, the sandbox',
  administer: 'registering numbers, plans, terms of service, members and invitations',
};

/** The one table of who may do what; the gateway asks it before every operation of the portal. */
export const RIGHTS_OF_ROLE: Readonly<Record<MemberRole, readonly Right[]>> = {
  owner: ['self', 'see', 'build', 'administer'],
  developer: ['self', 'see', 'build'],
  read_only: ['self', 'see'],
};
