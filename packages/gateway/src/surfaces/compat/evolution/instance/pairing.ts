import { crc32, deflateSync } from 'node:zlib';
import { type Onboarding, operations } from '@parley/contract';
import { encode } from 'uqr';
import { type Clock, neverRejects, warnOf } from '#kernel';
import { notifyFormatted } from '#webhooks';
import { type EvolutionContext, type InstanceCall, SURFACE } from '../instances.ts';

/** QR code or pairing code in the format of this interface. */
interface ShownCode {
  readonly pairingCode: string | null;
  readonly code: string | null;
  readonly base64: string | null;
  readonly count: number;
}

/** How long a request for a code waits until there is one. */
const CODE_WITHIN_MS = 15_000;
/** How long new codes are sent to the webhook; longer than the network issues them. */
const FOLLOWED_FOR_MS = 180_000;
const LOOK_AGAIN_MS = 300;

export interface Pairings {
  /** Begins to link the number, and answers with the first code. */
  begin(call: PairingCall, method: 'qr' | 'code'): Promise<ShownCode>;
  stop(): Promise<void>;
}

type PairingCall = Pick<InstanceCall, 'instance' | 'invoke'>;

/** Sent to the endpoint of the instance alone: no public event contains codes. */
export interface CodeListener {
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
        await notify(call, shown(seen, count));
      }
      await pause(machineClock, LOOK_AGAIN_MS);
    }
  }

  function notify({ instance }: PairingCall, qr: ShownCode): Promise<void> {
    return notifyFormatted(webhooks, instance.number, SURFACE, {
      kind: 'connection',
      payload: { kind: 'connection', qr } satisfies CodeListener,
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
      await notify(call, first);
      const followed = follow(call, id, seen.qr ?? seen.code).catch(
        warnOf('stopped sending the codes of a pairing to the webhook'),
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

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PIXELS_PER_MODULE = 6;

/** Renders a QR code as PNG. */
function qrPicture(content: string): string {
  const { data, size } = encode(content, { border: 3 });
  const width = size * PIXELS_PER_MODULE;
  const rows: Buffer[] = [];
  for (const line of data) {
    const row = Buffer.alloc(width + 1, 0xff);
    row[0] = 0;
    for (const [at, dark] of line.entries()) {
      if (dark) row.fill(0, 1 + at * PIXELS_PER_MODULE, 1 + (at + 1) * PIXELS_PER_MODULE);
    }
    for (let copy = 0; copy < PIXELS_PER_MODULE; copy++) rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // Bit depth 8, greyscale.
  header[8] = 8;
  const png = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat([SIGNATURE, ...png]).toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
