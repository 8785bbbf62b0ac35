import { userJid } from '@parley/sandbox/world';
import { afterEach, expect, vi } from 'vitest';
import type { NetworkEvent } from '../../events.ts';
import type { ConnectionState, NetworkSession, NumberHealthChange, PairingProgress } from '../../port.ts';
import { startWireHarness, type WireHarness, type WireHarnessOptions } from './fixture.ts';

/** For tests over the wire: a number to link, a friend's phone, and their common actions. */
export const ME = '15550001001';
export const ADA = '15550002001';
export const WAIT = { timeout: 15_000, interval: 10 };

export interface Opened {
  readonly session: NetworkSession;
  readonly states: readonly ConnectionState[];
  readonly standing: readonly NumberHealthChange[];
  readonly events: readonly NetworkEvent[];
}

/** Sets up a harness with both phones, and removes it after the test. */
export function useWire(): (options?: WireHarnessOptions) => Promise<WireHarness> {
  const harnesses: WireHarness[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.dispose();
  });
  return async (options) => {
    const harness = await startWireHarness(options);
    harnesses.push(harness);
    harness.world.phones.create(ME, { name: 'Parley' });
    harness.world.phones.create(ADA, { name: 'Ada' });
    return harness;
  };
}

export function pair({ driver }: WireHarness, linkId = 'link', phone = ME): PairingProgress[] {
  const progress: PairingProgress[] = [];
  driver.pair({ linkId, phone, method: 'qr', onProgress: (step) => progress.push(step) });
  return progress;
}

export async function shownQr(progress: readonly PairingProgress[]): Promise<string> {
  return vi.waitFor(() => {
    const step = progress.at(-1);
    if (step?.kind !== 'qr') throw new Error('no QR yet');
    return step.qr;
  }, WAIT);
}

export async function link(harness: WireHarness): Promise<void> {
  const progress = pair(harness);
  await harness.wire.pairing.scan(ME, await shownQr(progress));
  await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
}

export function open({ driver }: WireHarness, fence: number, linkId = 'link'): Opened {
  const states: ConnectionState[] = [];
  const standing: NumberHealthChange[] = [];
  const events: NetworkEvent[] = [];
  const session = driver.open({
    linkId,
    fence,
    onState: (state) => states.push(state),
    onStanding: (news) => standing.push(news),
    onEvents: async (taken) => void events.push(...taken),
  });
  return { session, states, standing, events };
}

/** Another number, linked by the same driver. */
export async function linkedBy(harness: WireHarness, phone: string): Promise<Opened> {
  const progress = pair(harness, phone, phone);
  await harness.wire.pairing.scan(phone, await shownQr(progress));
  await vi.waitFor(() => expect(progress.at(-1)?.kind).toBe('paired'), WAIT);
  const opened = open(harness, 1, phone);
  await vi.waitFor(() => expect(opened.session.state.kind).toBe('connected'), WAIT);
  return opened;
}

export async function connected(harness: WireHarness, fence = 1): Promise<Opened> {
  const opened = open(harness, fence);
  await vi.waitFor(() => expect(opened.session.state.kind).toBe('connected'), WAIT);
  return opened;
}

export async function online(harness: WireHarness): Promise<Opened> {
  await link(harness);
  return connected(harness);
}

/** Ada writes to the linked number. */
export function adaWrites({ world }: WireHarness, id: string, text = 'Hello'): void {
  world.messages.send({ phone: ADA, device: 0 }, { id, to: userJid(ME), content: { type: 'text', text } });
}

export function textToAda(messageId: string) {
  return { messageId, to: userJid(ADA), content: { kind: 'text', text: 'Hello' } } as const;
}

/** Messages on Ada's phone under this id; a second copy would be a second bubble. */
export function bubblesOfAda({ world }: WireHarness, messageId: string): number {
  return world.messages.seenBy(ADA).filter(({ id }) => id === messageId).length;
}

export const messageIds = ({ events }: Opened): string[] =>
  events.flatMap((event) => (event.kind === 'message' ? event.messageId : []));
