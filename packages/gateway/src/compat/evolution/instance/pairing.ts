import { type Onboarding, operations } from '@parley/contract';
import type { Clock } from '#kernel';
import { neverRejects, warnOf } from '#kernel';
import { tellFormatted } from '#webhooks';
import { type EvolutionContext, type InstanceCall, SURFACE } from '../instances.ts';
import { qrPicture } from './png.ts';

/** What there is to scan or to type, as this interface answers it. */
interface ShownCode {
  readonly pairingCode: string | null;
  readonly code: string | null;
  readonly base64: string | null;
  readonly count: number;
}

/** How long whoever asks for a code waits until there is one. */
const CODE_WITHIN_MS = 15_000;
/** How long new codes are told to the webhook; longer than the network goes on showing them. */
const FOLLOWED_FOR_MS = 180_000;
const LOOK_AGAIN_MS = 300;

export interface Pairings {
  /** Begins to link the number, and answers with the first code. */
  begin(call: PairingCall, method: 'qr' | 'code'): Promise<ShownCode>;
  stop(): Promise<void>;
}

type PairingCall = Pick<InstanceCall, 'instance' | 'invoke'>;

/** Told to the endpoint of an instance alone: no public event has codes in it. */
export interface CodeTold {
  readonly kind: 'connection';
  readonly qr: ShownCode;
}

export function createPairings(context: EvolutionContext): Pairings {
  const { machineClock, webhooks, instances } = context;
  let stopped = false;
  const following = new Set<Promise<void>>();

  function read(call: PairingCall, id: string): Promise<Onboarding> {
    return call.invoke(operations.getOnboarding, { params: { id } });
  }

  async function follow(call: PairingCall, id: string, first: string | undefined): Promise<void> {
    const until = machineClock.now() + FOLLOWED_FOR_MS;
    let last = first;
    let count = 1;
    while (!stopped && machineClock.now() < until) {
      const seen = await read(call, id);
      if (seen.status === 'paired' || seen.status === 'error') return;
      const code = seen.qr ?? seen.code;
      if (code !== undefined && code !== last) {
        last = code;
        count++;
        await tell(call, shown(seen, count));
      }
      await pause(machineClock, LOOK_AGAIN_MS);
    }
  }

  function tell({ instance }: PairingCall, qr: ShownCode): Promise<void> {
    return tellFormatted(webhooks, instance.number, SURFACE, {
      kind: 'connection',
      payload: { kind: 'connection', qr } satisfies CodeTold,
    });
  }

  return {
    async begin(call, method) {
      const operation = method === 'qr' ? operations.startQrPairing : operations.startCodePairing;
      const { onboard_id: id } = await call.invoke(operation, {
        body: { slot_id: call.instance.number.slotId },
      });
      await instances.remember(call.instance, { ...call.instance.remembered, onboarding: id });
      const until = machineClock.now() + CODE_WITHIN_MS;
      let seen = await read(call, id);
      while (seen.status === 'pending' && machineClock.now() < until) {
        await pause(machineClock, LOOK_AGAIN_MS);
        seen = await read(call, id);
      }
      const first = shown(seen, 1);
      await tell(call, first);
      const followed = follow(call, id, seen.qr ?? seen.code).catch(
        warnOf('codes of a pairing are told no longer'),
      );
      following.add(followed);
      neverRejects(followed.then(() => following.delete(followed)));
      return first;
    },
    async stop() {
      stopped = true;
      await Promise.all(following);
    },
  };
}

export function pause(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(ms, () => resolve());
  return promise;
}

function shown({ qr, code }: Onboarding, count: number): ShownCode {
  return {
    pairingCode: code?.replaceAll('-', '') ?? null,
    code: qr ?? null,
    base64: qr === undefined ? null : qrPicture(qr),
    count,
  };
}
