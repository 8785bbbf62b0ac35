import type { Onboarding, PasskeyCredential } from '@parley/contract';
import type { Actor } from '#accounts';
import { apiError, type Clock } from '#kernel';
import type { Bus } from '#platform/bus';
import type { OnboardingRow, Store } from '#platform/store';
import { answerOnboarding, cancelOnboarding, tooLate } from './onboarding-queries.ts';
import { ONBOARDINGS_TOPIC, shownTopic } from './pairing-service.ts';
import { answersChallenge, type OwnersAnswer, type PairingSecrets } from './sealed.ts';

/**
 * Answers of a number's owner to a pairing attempt, through any surface and process. The answer is committed before
 * it is acknowledged; the bus notifies the worker that conducts the attempt, which also finds it in the database if
 * that message is lost.
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
  if (row.status !== 'passkey' || row.shown === null) throw apiError('passkey_not_asked');
  const { options, until } = secrets.openQuestion(row.id, row.shown);
  if (until <= clock.now()) throw apiError('passkey_not_asked');
  if (!answersChallenge(credential, options)) throw apiError('passkey_of_another_challenge');
  const isTaken = await keep(context, row, { kind: 'passkey', credential });
  if (!isTaken) throw apiError('passkey_not_asked');
}

export async function confirmCode(context: AnswerContext, row: OnboardingRow): Promise<void> {
  if (row.status !== 'confirm' || row.shown === null) throw apiError('confirmation_not_asked');
  const code = context.secrets.openText(row.id, row.shown);
  const isTaken = await keep(context, row, { kind: 'same code', code });
  if (!isTaken) throw apiError('confirmation_not_asked');
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
  notifyAttempt(context, id);
  return isTaken;
}

export async function cancelPairing(context: AnswerContext, row: OnboardingRow, by?: Actor): Promise<void> {
  const isGivenUp = await cancelOnboarding(context.store, row, { at: context.clock.now(), by });
  if (!isGivenUp) throw apiError('number_already_linked');
  notifyAttempt(context, row.id);
}

function notifyAttempt({ bus }: AnswerContext, id: string): void {
  bus.publish(ONBOARDINGS_TOPIC, null);
  bus.publish(shownTopic(id), null);
}

/** View of an attempt that does not depend on the caller. */
interface PairingView
  extends Pick<Onboarding, 'status' | 'qr' | 'code' | 'session_id' | 'error' | 'error_code'> {
  readonly passkey?: Omit<NonNullable<Onboarding['passkey']>, 'url'>;
  /** Token of the owner's page. */
  readonly token?: string;
}

export function viewOf(row: OnboardingRow, secrets: PairingSecrets, now: number): PairingView {
  const { id, status, shown } = row;
  // Its worker ends it too; without a worker this is the only place.
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

/** Whether it waits for its owner, or has waited. */
function isGuarded({ status, answer }: OnboardingRow): boolean {
  return status === 'passkey' || status === 'confirm' || answer !== null;
}
