import type { Onboarding, PasskeyCredential } from '@parley/contract';
import { actorBehind } from '#accounts';
import type { Caller } from '#http';
import { type Clock, Fault, fault, type Ids } from '#kernel';
import type { OnboardingRow } from '#store';
import { isOnline, standingOf } from '../status.ts';
import { findSession } from '../store.ts';
import { type AnswerContext, answerPasskey, cancelPairing, confirmCode } from './answer.ts';
import { ownerPage } from './owner-page.ts';
import { ONBOARDINGS_TOPIC, shownTopic } from './pairing-service.ts';
import { findDevice, findOnboarding, findOpenOnboarding, openOnboarding } from './store.ts';
import { viewOf } from './view.ts';

export interface OnboardContext extends AnswerContext {
  readonly machineClock: Clock;
  readonly ids: Pick<Ids, 'onboarding' | 'link'>;
}

/** Who asks, and under which origin the gateway is known to them. */
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
  if (!device) throw fault('device_not_found');
  if (asker.phone !== null && asker.phone !== device.phone) throw fault('key_restricted');
  if (device.status !== 'active') throw fault('device_not_active');

  const id = ids.onboarding();
  const { account_id: accountId, phone, plan } = device;
  const number = { slotId, accountId, phone, plan };
  const by = actorBehind(asker);
  await openOnboarding(store, { id, linkId: ids.link(), number, method, at: clock.now(), by }, async (db) => {
    const session = await findSession(db, slotId);
    const moment = { now: clock.now(), machineNow: machineClock.now() };
    if (session && isOnline(standingOf(session, moment))) throw fault('number_already_linked');
  });
  bus.publish(ONBOARDINGS_TOPIC, null);
  return { onboard_id: id, status: 'pending' };
}

/** A QR whose time is up is about to be renewed: whoever polls right then waits for the fresh one instead of getting the old. */
const FRESH_QR_WITHIN_MS = 10_000;

export async function pollOnboarding(context: OnboardContext, asker: Asker, id: string): Promise<Onboarding> {
  const row = await readOnboarding(context, asker, id);
  const isFresh = (each: OnboardingRow) => !isStale(each, context.clock.now());
  if (isFresh(row)) return answer(context, asker, row);
  return answer(context, asker, await onceShown(context, asker, id, isFresh));
}

/** The account's own words for what its number's owner has done; that the number is the account's own is the permission. */
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

/** Gives up whatever attempt is open for the number; one whose phone has agreed has a session to end instead. */
export async function cancelOpenOnboarding(context: OnboardContext, slotId: string): Promise<void> {
  const open = await findOpenOnboarding(context.store.read, slotId);
  if (!open) return;
  await cancelPairing(context, open).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  });
}

async function readOnboarding(
  { store }: OnboardContext,
  asker: Pick<Asker, 'accountId' | 'phone'>,
  id: string,
): Promise<OnboardingRow> {
  const row = await findOnboarding(store.read, asker.accountId, id);
  if (!row) throw fault('onboarding_not_found');
  if (asker.phone !== null && asker.phone !== row.phone) throw fault('key_restricted');
  return row;
}

function isStale({ shown_until: until }: OnboardingRow, now: number): boolean {
  return until !== null && until <= now;
}

/** The attempt as it is when it has become so, or when patience is over. */
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
