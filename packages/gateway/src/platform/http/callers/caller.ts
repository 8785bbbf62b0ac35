import type { DeviceStatus, ErrorCode, MemberRole, Permission, Plan } from '@parley/contract';
import { apiError } from '#kernel';

/** Authenticated party of a request: on `/v1` the holder of an API key, in the portal a member of the account. */
export interface Caller {
  readonly accountId: string;
  /** Null: all of them. */
  readonly permissions: ReadonlySet<Permission> | null;
  /** The only number that the key may use; null: every number of the account. */
  readonly phone: string | null;
  /** Why the account is blocked at the moment. */
  readonly blocked: Extract<
    ErrorCode,
    'tos_not_accepted' | 'account_suspended' | 'email_not_verified'
  > | null;
}

/** Refuses a key that is restricted to another number than the target's. */
export function requireReach({ phone }: Pick<Caller, 'phone'>, target: string | null | undefined): void {
  if (phone !== null && phone !== target) throw apiError('key_restricted');
}

/** A member of the account, signed in to the portal. */
export interface Visitor extends Caller {
  readonly memberId: string;
  readonly role: MemberRole;
  /** The operator, who views the account in place of a member. */
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

/** The same with its current status. */
export interface NumberWithStatus extends OwnedNumber {
  readonly status: DeviceStatus;
}

/** A cached answer, or a promise when it must be looked up: the hot path awaits nothing. */
export type MaybePromise<T> = T | Promise<T>;

/** Knows keys and numbers; implemented by the accounts room. */
export interface Gatekeeper {
  /** Undefined when the key is unknown, wrong, expired or revoked. */
  admit(apiKey: string): MaybePromise<KeyHolder | undefined>;
  /** Undefined when no such number belongs to the account. */
  ownedNumber(accountId: string, phone: string): MaybePromise<NumberWithStatus | undefined>;
}
