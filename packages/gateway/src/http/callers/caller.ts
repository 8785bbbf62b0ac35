import type { DeviceStatus, ErrorCode, MemberRole, Permission, Plan } from '@parley/contract';

/** On whose behalf somebody asks: on `/v1` the holder of an API key, in the portal the owner of the account. */
export interface Caller {
  readonly accountId: string;
  /** Null: all of them. */
  readonly permissions: ReadonlySet<Permission> | null;
  /** The one number that the key may touch; null: every number of the account. */
  readonly phone: string | null;
  /** Why the account may do nothing at the moment. */
  readonly blocked: Extract<
    ErrorCode,
    'tos_not_accepted' | 'account_suspended' | 'email_not_verified'
  > | null;
}

/** A member of the account, signed in to the portal. */
export interface Visitor extends Caller {
  readonly memberId: string;
  readonly role: MemberRole;
  /** The operator, who looks at the account in the place of a member. */
  readonly visit?: { readonly operator: string; readonly until: number };
}

export interface KeyHolder extends Caller {
  readonly keyId: string;
}

/** A number of the caller's own account. */
export interface OwnedNumber {
  readonly slotId: string;
  readonly accountId: string;
  readonly phone: string;
  readonly plan: Plan;
}

/** The same with what the account may do with it at the moment. */
export interface StandingNumber extends OwnedNumber {
  readonly status: DeviceStatus;
}

/** An answer from memory, or a promise when it must be looked up: the hot path waits for nothing. */
export type Soon<T> = T | Promise<T>;

/** Knows the keys and the numbers; the accounts room is one. */
export interface Gatekeeper {
  /** Undefined when the key is unknown, wrong, expired or revoked. */
  admit(apiKey: string): Soon<KeyHolder | undefined>;
  /** Undefined when no such number belongs to the account. */
  ownedNumber(accountId: string, phone: string): Soon<StandingNumber | undefined>;
}
