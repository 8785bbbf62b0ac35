import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicEvent } from '@parley/contract';
import { createAccount, registerDevice } from '../../../packages/gateway/src/accounts/index.ts';
import { createEventLog } from '../../../packages/gateway/src/events/index.ts';
import {
  createIds,
  createSealedBox,
  createSystemClock,
  systemRandom,
} from '../../../packages/gateway/src/kernel/index.ts';
import { createLocalBus } from '../../../packages/gateway/src/platform/bus/index.ts';
import { createEgress } from '../../../packages/gateway/src/platform/egress/index.ts';
import { migrations, openStore } from '../../../packages/gateway/src/platform/store/index.ts';
import { registerWebhook } from '../../../packages/gateway/src/webhooks/endpoints/configuration.ts';
import { signedHeaders } from '../../../packages/gateway/src/webhooks/endpoints/signing.ts';
import { deliveriesOfStatus } from '../../../packages/gateway/src/webhooks/history/delivery-queries.ts';
import { createDeliveries, type Deliveries } from '../../../packages/gateway/src/webhooks/index.ts';
import { offer } from '../remote.ts';

/** Events and webhooks of a gateway in a process of their own, with the gateway's HTTP client; the data are in the given folder. */
const [folder = ''] = process.argv.slice(2);
/** The same in every process that opens this folder. */
const MASTER_KEY = Buffer.alloc(32, 7);

const source = '../../../packages/gateway/src';
const clock = createSystemClock();
const random = systemRandom;
const ids = createIds({ clock, random });
const store = await openStore({
  url: `sqlite:${join(folder, 'parley.db')}`,
  commandModules: ['events', 'webhooks'].map(
    (room) => new URL(`${source}/${room}/write-commands.ts`, import.meta.url),
  ),
  readingModules: [new URL(`${source}/events/readings.ts`, import.meta.url)],
  masterKeys: [MASTER_KEY],
  migrations,
  clock,
});
const bus = createLocalBus({ clock });
const sealedBox = createSealedBox({ masterKeys: [MASTER_KEY], random });
const egress = createEgress({ clock, publicOnly: false });
const log = createEventLog({ store, bus, sealedBox, clock });
const complaints = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error };
const numbers: { accountId: string; slotId: string }[] = [];
const LOOK_MS = 5;
const TEXT = 'x'.repeat(160);
let made = 0;
let deliveries: Deliveries | undefined;

function textEvent(text: string): PublicEvent {
  return {
    kind: 'message',
    message_id: ids.message(),
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: '15550002001@s.whatsapp.net',
    sender_phone: '15550002001@s.whatsapp.net',
    sender_name: 'Ada',
    chat_jid: '15550002001@s.whatsapp.net',
    is_group: false,
    type: 'text',
    text,
    timestamp_unix: 1_784_365_200,
    broadcast: false,
  };
}

async function emit(count: number, text: string): Promise<void> {
  const batch = Array.from({ length: count }, () => {
    const number = numbers[made % numbers.length];
    if (!number) throw new Error('there are no numbers');
    return { ...number, key: `${ids.event()} ${made++}`, event: textEvent(text) };
  });
  await log.emit(batch);
}

const pending = async (): Promise<number> => {
  const { count } = await deliveriesOfStatus(store.read, 'pending')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** An exact count, repeated, would keep the machine from delivering. */
const moreArePendingThan = async (left: number): Promise<boolean> => {
  const next = deliveriesOfStatus(store.read, 'pending').select('seq').limit(1).offset(left);
  return (await next.execute()).length > 0;
};

const calls = {
  /** A number with a webhook per URL, each in an account of its own. */
  async register(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      const context = { store, clock, ids, random };
      const email = `${ids.account()}@example.com`;
      const { account_id } = await createAccount(context, 'operator', { name: 'Bench', email });
      const phone = `1555${String(random.below(10_000_000)).padStart(7, '0')}`;
      const device = await registerDevice(context, 'operator', account_id, { phone, plan: 'max' });
      const number = { accountId: account_id, slotId: device.slot_id, phone, plan: 'max' as const };
      const webhooks = {
        ...context,
        bus,
        sealedBox,
        planOf: async () => 'max' as const,
        urlRules: { httpsOnly: false, publicOnly: false },
      };
      await registerWebhook(webhooks, number, { messages_url: url });
      numbers.push(number);
    }
  },

  /** Queues events without delivering any. */
  async fill(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 500) await emit(Math.min(left, 500), TEXT);
  },

  /** The floor: signs and posts the same bodies with the same HTTP client, without storage. Returns posts per second. */
  async postPlainly(urls: readonly string[], count: number, atOnce: number): Promise<number> {
    const begun = clock.monotonic();
    let started = 0;
    const post = async (): Promise<void> => {
      while (started < count) {
        const url = urls[started++ % urls.length] ?? '';
        const body = JSON.stringify(textEvent(TEXT));
        const signing = {
          webhookId: 'wh_bench',
          eventId: `e${started}`,
          secrets: ['whsec_bench'],
          now: clock.now(),
        };
        await egress.post(url, { headers: signedHeaders(signing, body), body, timeoutMs: 10_000 });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, post));
    return count / ((clock.monotonic() - begun) / 1_000);
  },

  startDelivering(): void {
    deliveries = createDeliveries({
      store,
      bus,
      clock,
      random,
      sealedBox,
      egress,
      log: complaints,
      planOf: async () => 'max',
    });
    deliveries.start();
  },

  async stopDelivering(): Promise<void> {
    await deliveries?.stop();
  },

  /** Delivers until so few are left; returns settled deliveries per second. */
  async drainTo(left: number): Promise<number> {
    const before = await pending();
    const begun = clock.monotonic();
    while (await moreArePendingThan(left)) await sleep(LOOK_MS);
    const took = clock.monotonic() - begun;
    return (before - (await pending())) / (took / 1_000);
  },

  pending,

  /** Publishes at a steady pace; each event contains its own time. */
  async emitSteadily(perSecond: number, seconds: number): Promise<void> {
    const begun = clock.monotonic();
    for (let each = 0; each < perSecond * seconds; each++) {
      const due = begun + (each / perSecond) * 1_000;
      const early = due - clock.monotonic();
      if (early > 1) await sleep(early);
      await emit(1, `sent ${clock.now()}`);
    }
  },

  memoryMb(): number {
    globalThis.gc?.();
    return process.memoryUsage.rss() / 1024 ** 2;
  },
};
export type DelivererCalls = typeof calls;
offer(calls);
