import type { Outcome } from './outcome.ts';
import type { QueuedMessage } from './store.ts';

/** How soon it is noticed that a number may send again. */
export const LOOK_WHILE_SUSPENDED_MS = 1_000;
const KEPT_MS = 24 * 60 * 60 * 1_000;

/**
 * Whether a message must wait because its account or number may not send: it goes on when that is over. After a day it fails, because what
 * was to be said then is old news. Undefined: it may leave.
 */
export function suspensionOf(
  { account_status, device_status, accepted_at }: QueuedMessage,
  now: number,
): 'waits' | Extract<Outcome, { kind: 'failed' }> | undefined {
  if (account_status === 'active' && device_status === 'active') return undefined;
  if (now - accepted_at < KEPT_MS) return 'waits';
  const why =
    account_status === 'active' ? `the number is ${device_status}` : `the account is ${account_status}`;
  return {
    kind: 'failed',
    reason: 'SEND_FAILED',
    detail: `It could not leave within 24 hours: ${why}.`,
  };
}
