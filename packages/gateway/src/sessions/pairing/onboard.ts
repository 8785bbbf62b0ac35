import type { Onboarding, PasskeyCredential, PasskeyOptions } from '@parley/contract';
import { actorBehind } from '#accounts';
import { ApiError, apiError, type Clock, type Ids } from '#kernel';
import { type Caller, requireReach } from '#platform/http';
import type { OnboardingRow } from '#platform/store';
import { findSession } from '../session-queries.ts';
import { isOnline, observedStatusOf } from '../status.ts';
import { type AnswerContext, answerPasskey, cancelPairing, confirmCode, viewOf } from './answer.ts';
import { findDevice, findOnboarding, findOpenOnboarding, openOnboarding } from './onboarding-queries.ts';
import { ONBOARDINGS_TOPIC, shownTopic } from './pairing-service.ts';

export interface OnboardContext extends AnswerContext {
  readonly machineClock: Clock;
  readonly ids: Pick<Ids, 'onboarding' | 'link'>;
}

/** The caller, and the origin under which it reaches the gateway. */
export interface Asker extends Pick<Caller, 'accountId' | 'phone'> {
  readonly origin: string;
}

/** Opens a pairing attempt for a registered number; a worker takes it up at once. */
export async function startOnboarding(
  context: OnboardContext,
  asker: Pick<Asker, 'accountId' | 'phone'>,
  slotId: string,
  method: OnboardingRow['method'],
): Promise<{ onboard_id: string; status: 'pending' }> {
  const { store, bus, clock, machineClock, ids } = context;
  const device = await findDevice(store.read, asker.accountId, slotId);
  if (!device) throw apiError('device_not_found');
  requireReach(asker, device.phone);
  if (device.status !== 'active') throw apiError('device_not_active');

  const id = ids.onboarding();
  const { account_id: accountId, phone, plan } = device;
  const number = { slotId, accountId, phone, plan };
  const by = actorBehind(asker);
  await openOnboarding(store, { id, linkId: ids.link(), number, method, at: clock.now(), by }, async (db) => {
    const session = await findSession(db, slotId);
    const moment = { now: clock.now(), machineNow: machineClock.now() };
    if (session && isOnline(observedStatusOf(session, moment))) throw apiError('number_already_linked');
  });
  bus.publish(ONBOARDINGS_TOPIC, null);
  return { onboard_id: id, status: 'pending' };
}

/** A QR this close to its end is about to be renewed: the poll waits for the fresh one. */
const FRESH_QR_WITHIN_MS = 10_000;

export async function pollOnboarding(context: OnboardContext, asker: Asker, id: string): Promise<Onboarding> {
  const row = await readOnboarding(context, asker, id);
  const isFresh = (each: OnboardingRow) => !isStale(each, context.clock.now());
  if (isFresh(row)) return answer(context, asker, row);
  return answer(context, asker, await onceShown(context, asker, id, isFresh));
}

/** Takes the owner's answer from the account. Owning the number is the permission. */
export async function answerOnboarding(
  context: OnboardContext,
  asker: Asker,
  id: string,
  credential: PasskeyCredential,
): Promise<Onboarding> {
  await answerPasskey(context, await readOnboarding(context, asker, id), credential);
  return pollOnboarding(context, asker, id);
}

export async function confirmOnboarding(
  context: OnboardContext,
  asker: Asker,
  id: string,
): Promise<Onboarding> {
  await confirmCode(context, await readOnboarding(context, asker, id));
  return pollOnboarding(context, asker, id);
}

export async function cancelOnboarding(context: OnboardContext, asker: Asker, id: string): Promise<void> {
  await cancelPairing(context, await readOnboarding(context, asker, id), actorBehind(asker));
}

/** Cancels the open attempt of the number; a phone that has agreed has a session to end instead. */
export async function cancelOpenOnboarding(context: OnboardContext, slotId: string): Promise<void> {
  const open = await findOpenOnboarding(context.store.read, slotId);
  if (!open) return;
  await cancelPairing(context, open).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}

async function readOnboarding(
  { store }: OnboardContext,
  asker: Pick<Asker, 'accountId' | 'phone'>,
  id: string,
): Promise<OnboardingRow> {
  const row = await findOnboarding(store.read, asker.accountId, id);
  if (!row) throw apiError('onboarding_not_found');
  requireReach(asker, row.phone);
  return row;
}

function isStale({ shown_until: until }: OnboardingRow, now: number): boolean {
  return until !== null && until <= now;
}

/** Resolves to the attempt as soon as it has changed, or when the wait is over. */
async function onceShown(
  context: OnboardContext,
  asker: Asker,
  id: string,
  isSo: (row: OnboardingRow) => boolean,
): Promise<OnboardingRow> {
  const { bus, machineClock } = context;
  let news = Promise.withResolvers<void>();
  let isPatient = true;
  const listening = bus.subscribe(shownTopic(id), () => news.resolve());
  const patience = machineClock.after(FRESH_QR_WITHIN_MS, () => {
    isPatient = false;
    news.resolve();
  });
  try {
    for (;;) {
      const row = await readOnboarding(context, asker, id);
      if (isSo(row) || !isPatient) return row;
      await news.promise;
      news = Promise.withResolvers();
    }
  } finally {
    patience.cancel();
    listening.stop();
  }
}

function answer({ clock, secrets }: OnboardContext, { origin }: Asker, row: OnboardingRow): Onboarding {
  const { token, session_id: sessionId, passkey, ...view } = viewOf(row, secrets, clock.now());
  return {
    onboard_id: row.id,
    ...view,
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(passkey && token && { passkey: { ...passkey, url: ownerPage(origin, token, passkey.options) } }),
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/**
 * Address of the page for the number's owner. Browsers sign for names, not for addresses: when the passkeys belong to
 * `localhost`, as in the sandbox, the page uses that name too.
 */
export function ownerPage(origin: string, token: string, { rpId }: Pick<PasskeyOptions, 'rpId'>): string {
  const url = new URL(`/link/${token}`, origin);
  if (rpId === 'localhost' && LOOPBACK.has(url.hostname)) url.hostname = rpId;
  return url.href;
}
