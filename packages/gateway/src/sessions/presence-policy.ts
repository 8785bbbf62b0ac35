import type { PresencePolicy } from '@parley/contract';
import { LISTENERS_TOPIC } from '#events';
import { apiError } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { findSession, setPresencePolicy } from './session-queries.ts';

export interface PresenceContext {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
}

/** Undefined when the number is not linked. */
export async function presencePolicyOf(
  { store }: Pick<PresenceContext, 'store'>,
  slotId: string,
): Promise<PresencePolicy | undefined> {
  return (await findSession(store.read, slotId))?.presence_policy;
}

/** The host of the number follows at once. */
export async function choosePresence(
  { store, bus }: PresenceContext,
  slotId: string,
  policy: PresencePolicy,
): Promise<{ session_id: string; presence_policy: PresencePolicy }> {
  const sessionId = await setPresencePolicy(store, slotId, policy);
  if (sessionId === undefined) throw apiError('session_not_found');
  bus.publish(LISTENERS_TOPIC, slotId);
  return { session_id: sessionId, presence_policy: policy };
}
