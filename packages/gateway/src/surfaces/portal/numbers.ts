import {
  type Device,
  type MessageAccepted,
  type NumberStanding,
  type Plan,
  PORTAL_TEST_SEND_INTERVAL_SECONDS,
  type PortalNumber,
  type PresencePolicy,
  type SendRequest,
} from '@parley/contract';
import {
  actorOf,
  changeDevice,
  getAccount,
  getDevice,
  listDevices,
  registerDevice,
  sendsPerMinuteOf,
} from '#accounts';
import { numberHealths } from '#health';
import { apiError, type Page, type PageChoice } from '#kernel';
import { acceptSend, sendingStatesOf } from '#messages';
import { refuseUnlessOwners, removeNumber as removeForGood } from '#offboarding';
import type { Caller, OwnedNumber, Visitor } from '#platform/http';
import { reasonView, type SessionState } from '#sessions';
import type { PortalContext } from './context.ts';

type NumbersContext = Pick<PortalContext, 'store' | 'clock' | 'accounts' | 'states' | 'linking' | 'health'>;

export async function listNumbers(
  context: NumbersContext,
  { accountId }: Caller,
  page: PageChoice,
): Promise<Page<PortalNumber>> {
  const [{ items: devices, nextCursor }, health] = await Promise.all([
    listDevices(context.accounts, accountId, page),
    numberHealths(context.health, accountId),
  ]);
  const described = await describeAll(context, accountId, devices);
  return { items: described.map((number) => ({ ...number, ...healthOf(number, health) })), nextCursor };
}

export async function registerNumber(
  context: NumbersContext,
  { accountId, memberId }: Visitor,
  given: { phone: string; plan: Plan },
): Promise<PortalNumber> {
  const device = await registerDevice(context.accounts, actorOf({ id: memberId }), accountId, given);
  return describe(context, accountId, device);
}

export async function getNumber(context: NumbersContext, number: OwnedNumber): Promise<PortalNumber> {
  const { accountId, slotId } = number;
  const described = await describe(context, accountId, await getDevice(context.accounts, slotId));
  const presence_policy = await context.linking.presencePolicy(number);
  const { session } = described;
  return { ...described, session: session && { ...session, ...(presence_policy && { presence_policy }) } };
}

export async function choosePresence(
  context: NumbersContext,
  number: OwnedNumber,
  policy: PresencePolicy,
): Promise<PortalNumber> {
  await context.linking.choosePresence(number, policy);
  return getNumber(context, number);
}

/** Limits negotiated with the operator cannot be changed by the owner. */
export async function changePlan(
  context: NumbersContext,
  { accountId, slotId }: OwnedNumber,
  { plan, memberId }: { plan: Plan; memberId: string },
): Promise<PortalNumber> {
  const before = await getDevice(context.accounts, slotId);
  if (before.plan === 'partner') throw apiError('plan_by_operator');
  const changes = { plan, ...(before.canceled_at !== null && { status: 'active' as const }) };
  const device = await changeDevice(context.accounts, actorOf({ id: memberId }), slotId, changes);
  return describe(context, accountId, device);
}

/** Ends the plan. The number's data stays, for a later plan. */
export async function cancelPlan(
  context: NumbersContext,
  number: OwnedNumber,
  memberId: string,
): Promise<PortalNumber> {
  const { accounts, linking } = context;
  const before = await getDevice(accounts, number.slotId);
  if (before.plan === 'partner') throw apiError('plan_by_operator');
  if (before.status !== 'active') throw apiError('device_not_active');
  const change = { status: 'inactive' } as const;
  const actor = actorOf({ id: memberId });
  const device = await changeDevice(accounts, actor, number.slotId, change);
  await linking.end(number, actor);
  return describe(context, number.accountId, device);
}

export async function removeNumber(
  { accounts, life }: Pick<PortalContext, 'accounts' | 'life'>,
  { slotId }: OwnedNumber,
  memberId: string,
): Promise<void> {
  refuseUnlessOwners(await getDevice(accounts, slotId));
  await removeForGood(life, actorOf({ id: memberId }), slotId);
}

export async function nameNumber(
  context: NumbersContext,
  number: OwnedNumber,
  { nickname, memberId }: { nickname: string; memberId: string },
): Promise<PortalNumber> {
  await changeDevice(context.accounts, actorOf({ id: memberId }), number.slotId, { nickname });
  return getNumber(context, number);
}

function healthOf({ slot_id }: Device, standingOf: ReadonlyMap<string, NumberStanding>) {
  const health = standingOf.get(slot_id);
  return health && { health };
}

async function describe(context: NumbersContext, accountId: string, device: Device): Promise<PortalNumber> {
  const [number] = await describeAll(context, accountId, [device]);
  if (!number) throw apiError('device_not_found');
  return number;
}

/** Devices with session and sending state. The number of queries does not depend on the number of devices. */
async function describeAll(
  { store, clock, accounts, states }: NumbersContext,
  accountId: string,
  devices: readonly Device[],
): Promise<PortalNumber[]> {
  const { partner_limits: negotiated } = await getAccount(accounts, accountId);
  const numbers = devices.map(({ slot_id: slotId, plan }) => ({
    slotId,
    sendsPerMinute: sendsPerMinuteOf(plan, negotiated?.per_minute ?? null),
  }));
  const [found, sendings] = await Promise.all([
    states.findAll(numbers.map(({ slotId }) => slotId)),
    sendingStatesOf(store, accountId, numbers, clock.now()),
  ]);
  return devices.flatMap((device) => {
    const sending = sendings.get(device.slot_id);
    const session = sessionOf(device, found.get(device.slot_id));
    return sending ? [{ ...device, session, sending }] : [];
  });
}

function sessionOf({ phone }: Device, state: SessionState | undefined): PortalNumber['session'] {
  if (!state) return null;
  return {
    session_id: state.sessionId,
    phone,
    status: state.status,
    since_unix: Math.floor(state.since / 1_000),
    ...reasonView(state.why),
  };
}

const ONE_AT_A_TIME = { intervalMs: PORTAL_TEST_SEND_INTERVAL_SECONDS * 1_000, burst: 1 };

/** Sends a test message. It counts against the number's send limit, and has a stricter limit of its own; a refused send does not count. */
export async function testSend(
  { sends, sendLimiter }: Pick<PortalContext, 'sends' | 'sendLimiter'>,
  number: OwnedNumber,
  send: SendRequest,
  idempotencyKey: string | undefined,
): Promise<MessageAccepted> {
  const draws = [{ name: `test send ${number.slotId}`, limit: ONE_AT_A_TIME }];
  const waitMs = await sendLimiter.take(draws);
  if (waitMs > 0) throw apiError('test_send_too_soon', { retryAfterSeconds: waitMs / 1_000 });
  try {
    return await acceptSend(sends, number, send, idempotencyKey ?? `portal-${sends.ids.message()}`, () => {});
  } catch (error) {
    await sendLimiter.giveBack(draws);
    throw error;
  }
}
