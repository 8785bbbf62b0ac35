import { signal } from '@preact/signals';
import { type Answer, call, unlessProblem } from '../api/index.ts';

type Receivers = Answer<'listFailingReceivers'>['receivers'];

/** Failing receivers at the last check; shared by the banner and the webhook pages. */
export const failing = signal<Receivers>([]);

/** Keeps the previous state when the gateway does not answer; the open page shows why. */
export async function loadFailing(): Promise<void> {
  const answer = await call('listFailingReceivers').catch(unlessProblem);
  if (answer) failing.value = answer.receivers;
}
