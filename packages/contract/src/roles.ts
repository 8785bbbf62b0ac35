/** What the members of an account may do in the portal. */

export const MEMBER_ROLES = ['owner', 'developer', 'read_only'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * What an operation of the portal takes.
 * `self`: one's own password, second factor and browsers, and leaving. `see`: all that the account has. `build`: numbers that are registered, keys,
 * webhooks, tests. `administer`: what costs money, binds the account, or lets others in.
 */
export type Right = 'self' | 'see' | 'build' | 'administer';

/** The one table of who may do what; the gateway asks it before every operation of the portal. */
export const RIGHTS_OF_ROLE: Readonly<Record<MemberRole, readonly Right[]>> = {
  owner: ['self', 'see', 'build', 'administer'],
  developer: ['self', 'see', 'build'],
  read_only: ['self', 'see'],
};
