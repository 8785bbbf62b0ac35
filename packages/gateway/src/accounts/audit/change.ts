import type { Caller, KeyHolder, Visitor } from '#platform/http';

/** Who changed something: the operator, a member of the account in the portal, one of its keys, or the gateway itself. */
export type Actor = 'operator' | 'system' | `member:${string}` | `key:${string}`;

type Asking = Pick<Caller, 'accountId'> & Partial<Pick<Visitor, 'memberId'> & Pick<KeyHolder, 'keyId'>>;

/** Undefined for work of the gateway itself, whose cause is audited instead. */
export function actorBehind({ memberId, keyId }: Asking): Actor | undefined {
  if (memberId !== undefined) return `member:${memberId}`;
  return keyId === undefined ? undefined : `key:${keyId}`;
}

export interface Change {
  readonly actor: Actor;
  /** Null: concerns every account. */
  readonly accountId: string | null;
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail?: object;
}

type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'account.export_asked'
  | 'account.export_downloaded'
  | 'account.deletion_asked'
  | 'account.deletion_canceled'
  | 'account.deletion_begun'
  | 'account.erased'
  | 'account.visited'
  | 'password.changed'
  | 'password.link_made'
  | 'password.recovered'
  | 'email.verified'
  | 'member.invited'
  | 'member.joined'
  | 'member.changed'
  | 'member.removed'
  | 'member.left'
  | 'invitation.revoked'
  | 'two_factor.enabled'
  | 'two_factor.disabled'
  | 'two_factor.reset'
  | 'two_factor.recovery_code_used'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'api_key.rolled'
  | 'device.registered'
  | 'device.changed'
  | 'device.removed'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.removed'
  | 'webhook.secret_rotated'
  | 'pairing.started'
  | 'pairing.canceled'
  | 'session.linked'
  | 'session.ended'
  | 'history.chosen'
  | 'pacing.chosen'
  | 'quarantine.dropped'
  | 'quarantine.retried'
  | 'quarantine.stored'
  | 'tos.published'
  | 'tos.accepted'
  | 'billing.changed'
  | 'invoice.issued'
  | 'invoice.paid'
  | 'invoice.reopened';
