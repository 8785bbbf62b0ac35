import type { Onboarding } from '@parley/contract';
import type { Bus } from '#bus';
import type { Caller } from '#http';
import { type Clock, fault, type Ids, type SealedBox } from '#kernel';
import type { OnboardingRow, Store } from '#store';
import { isOnline, standingOf } from '../status.ts';
import { findSession } from '../store.ts';
import { ONBOARDINGS_TOPIC, shownTopic } from './pairing-service.ts';
import { findDevice, findOnboarding, openOnboarding, sealContext, TOO_LATE } from './store.ts';

export interface OnboardContext {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly ids: Pick<Ids, 'onboarding' | 'link'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
}

type Asker = Pick<Caller, 'accountId' | 'phone'>;

/** Opens a pairing attempt for a registered number; a worker takes it up at once. */
export async function startOnboarding(
  context: OnboardContext,
  asker: Asker,
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
  await openOnboarding(store, { id, linkId: ids.link(), number, method, at: clock.now() }, async (db) => {
    const session = await findSession(db, slotId);
    const moment = { now: clock.now(), machineNow: machineClock.now() };
    if (session && isOnline(standingOf(session, moment))) throw fault('number_already_linked');
  });
  bus.publish(ONBOARDINGS_TOPIC, null);
  return { onboard_id: id, status: 'pending' };
}

/** A QR whose time is up is about to be renewed: whoever polls right then waits for the fresh one instead of getting the old. */
const FRESH_QR_WITHIN_MS = 3_000;

export async function pollOnboarding(context: OnboardContext, asker: Asker, id: string): Promise<Onboarding> {
  const row = await readOnboarding(context, asker, id);
  if (!isStale(row, context.clock.now())) return answer(context, row);
  await freshlyShown(context, id);
  return answer(context, await readOnboarding(context, asker, id));
}

async function readOnboarding({ store }: OnboardContext, asker: Asker, id: string): Promise<OnboardingRow> {
  const row = await findOnboarding(store.read, asker.accountId, id);
  if (!row) throw fault('onboarding_not_found');
  if (asker.phone !== null && asker.phone !== row.phone) throw fault('key_restricted');
  return row;
}

function isStale({ shown_until: until }: OnboardingRow, now: number): boolean {
  return until !== null && until <= now;
}

async function freshlyShown({ bus, machineClock }: OnboardContext, id: string): Promise<void> {
  const shown = Promise.withResolvers<void>();
  const listening = bus.subscribe(shownTopic(id), () => shown.resolve());
  const patience = machineClock.after(FRESH_QR_WITHIN_MS, () => shown.resolve());
  await shown.promise;
  patience.cancel();
  listening.stop();
}

function answer({ clock, sealedBox }: OnboardContext, row: OnboardingRow): Onboarding {
  const { id, status, shown } = row;
  // Its worker ends it too; without one, nobody else would.
  if (row.ended_at === null && row.expires_at <= clock.now()) {
    return { onboard_id: id, status: 'error', error: TOO_LATE };
  }
  if (status === 'paired' && row.session_id !== null) {
    return { onboard_id: id, status, session_id: row.session_id };
  }
  if (status === 'error') return { onboard_id: id, status, error: row.error ?? '' };
  if (shown === null) return { onboard_id: id, status: 'pending' };
  const text = Buffer.from(sealedBox.open(shown, sealContext(id))).toString();
  return status === 'code'
    ? { onboard_id: id, status, code: text }
    : { onboard_id: id, status: 'qr', qr: text };
}
