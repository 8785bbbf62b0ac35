import { signal } from '@preact/signals';
import { type Answer, call, unlessProblem } from '../api/index.ts';

type Receivers = Answer<'listFailingReceivers'>['receivers'];

/** Receivers that do nothing but fail, as last heard. The banner and the pages of webhooks look at the same. */
export const failing = signal<Receivers>([]);

/** What is not known stays as it was: the page that is open says why the gateway does not answer. */
export async function lookForFailing(): Promise<void> {
  const answer = await call('listFailingReceivers').catch(unlessProblem);
  if (answer) failing.value = answer.receivers;
}
