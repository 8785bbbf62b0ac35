import type { Onboarding } from '@parley/contract';
import type { OnboardingRow } from '#store';
import type { PairingSecrets } from './sealed.ts';
import { tooLate } from './store.ts';

/** What there is to say about an attempt, before it is known who asks. */
export interface PairingView
  extends Pick<Onboarding, 'status' | 'qr' | 'code' | 'session_id' | 'error' | 'error_code'> {
  readonly passkey?: Omit<NonNullable<Onboarding['passkey']>, 'url'>;
  /** Of the owner's page. */
  readonly token?: string;
}

export function viewOf(row: OnboardingRow, secrets: PairingSecrets, now: number): PairingView {
  const { id, status, shown } = row;
  // Its worker ends it too; without one, nobody else would.
  if (row.ended_at === null && row.expires_at <= now) return tooLate(isGuarded(row));
  if (status === 'paired' && row.session_id !== null) return { status, session_id: row.session_id };
  if (status === 'error') {
    return { status, error: row.error ?? '', ...(row.error_code !== null && { error_code: row.error_code }) };
  }
  if (shown === null) return { status: 'pending' };
  if (status === 'passkey') {
    const { options, until, token } = secrets.openQuestion(id, shown);
    return { status, passkey: { options, expires_at_unix: Math.floor(until / 1_000) }, token };
  }
  const text = secrets.openText(id, shown);
  return status === 'qr' ? { status, qr: text } : { status, code: text };
}

/** It waits for its owner, or has waited. */
function isGuarded({ status, answer }: OnboardingRow): boolean {
  return status === 'passkey' || status === 'confirm' || answer !== null;
}
