import type { PasskeyCredential } from '@parley/contract';
import type { Actor } from '#accounts';
import type { Bus } from '#bus';
import { type Clock, fault } from '#kernel';
import type { OnboardingRow, Store } from '#store';
import { answersChallenge } from './challenge.ts';
import { ONBOARDINGS_TOPIC, shownTopic } from './pairing-service.ts';
import type { OwnersAnswer, PairingSecrets } from './sealed.ts';
import { answerOnboarding, cancelOnboarding } from './store.ts';

/**
 * What the owner of a number says to a pairing attempt, through whichever door and process. It is committed before anybody is told that it was
 * taken; the worker that conducts the attempt is told by the bus, and finds it by itself if that word is lost.
 */
export interface AnswerContext {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly secrets: PairingSecrets;
}

export async function answerPasskey(
  context: AnswerContext,
  row: OnboardingRow,
  credential: PasskeyCredential,
): Promise<void> {
  const { clock, secrets } = context;
  if (row.status !== 'passkey' || row.shown === null) throw fault('passkey_not_asked');
  const { options, until } = secrets.openQuestion(row.id, row.shown);
  if (until <= clock.now()) throw fault('passkey_not_asked');
  if (!answersChallenge(credential, options)) throw fault('passkey_of_another_challenge');
  const isTaken = await keep(context, row, { kind: 'passkey', credential });
  if (!isTaken) throw fault('passkey_not_asked');
}

export async function confirmCode(context: AnswerContext, row: OnboardingRow): Promise<void> {
  if (row.status !== 'confirm' || row.shown === null) throw fault('confirmation_not_asked');
  const code = context.secrets.openText(row.id, row.shown);
  const isTaken = await keep(context, row, { kind: 'same code', code });
  if (!isTaken) throw fault('confirmation_not_asked');
}

async function keep(context: AnswerContext, row: OnboardingRow, answer: OwnersAnswer): Promise<boolean> {
  const { id, shown } = row;
  if (shown === null) return false;
  const sealed = context.secrets.sealAnswer(id, answer);
  const isTaken = await answerOnboarding(context.store, id, {
    shown,
    answer: sealed,
    now: context.clock.now(),
  });
  tell(context, id);
  return isTaken;
}

export async function cancelPairing(context: AnswerContext, row: OnboardingRow, by?: Actor): Promise<void> {
  const isGivenUp = await cancelOnboarding(context.store, row, { at: context.clock.now(), by });
  if (!isGivenUp) throw fault('number_already_linked');
  tell(context, row.id);
}

function tell({ bus }: AnswerContext, id: string): void {
  bus.publish(ONBOARDINGS_TOPIC, null);
  bus.publish(shownTopic(id), null);
}
