import type { PresencePolicy } from '@parley/contract';
import type { Bus } from '#bus';
import { LISTENERS_TOPIC } from '#event-log';
import { fault } from '#kernel';
import type { Store } from '#store';
import { findSession, setPresencePolicy } from './store.ts';

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

/** Whoever hosts the number follows at once. */
export async function choosePresence(
  { store, bus }: PresenceContext,
  slotId: string,
  policy: PresencePolicy,
): Promise<{ session_id: string; presence_policy: PresencePolicy }> {
  const sessionId = await setPresencePolicy(store, slotId, policy);
  if (sessionId === undefined) throw fault('session_not_found');
  bus.publish(LISTENERS_TOPIC, slotId);
  return { session_id: sessionId, presence_policy: policy };
}
