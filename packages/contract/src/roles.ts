/** Roles of an account's members in the portal. */

export const MEMBER_ROLES = ['owner', 'developer', 'read_only'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * Right that an operation of the portal needs. `self`: the own password, second factor and browsers, and leaving. `see`: reading
 * all data of the account. `build`: registered numbers, keys, webhooks, tests. `administer`: costs, commitments of the account,
 * and members.
 */
export type Right = 'self' | 'see' | 'build' | 'administer';

/** Rights of each role. The gateway checks them before every operation of the portal. */
export const RIGHTS_OF_ROLE: Readonly<Record<MemberRole, readonly Right[]>> = {
  owner: ['self', 'see', 'build', 'administer'],
  developer: ['self', 'see', 'build'],
  read_only: ['self', 'see'],
};
