import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, ApiKeyCreated, Device, MessageAccepted, Onboarding, Session } from '@parley/contract';
import { createWorld } from '@parley/sandbox/world';
import { type App, createApp } from '../../packages/gateway/src/app/create-app.ts';
import { loadConfig } from '../../packages/gateway/src/config/config.ts';
import { createSealedBox, createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import type { NetworkDriver } from '../../packages/gateway/src/network/index.ts';
import { createFakeDriver } from '../../packages/gateway/src/network/testing/fake/index.ts';
import { createWhatsAppDriver } from '../../packages/gateway/src/network/whatsapp/index.ts';
import { createProxyRoutes } from '../../packages/gateway/src/platform/egress/index.ts';
import { migrations, openStore } from '../../packages/gateway/src/platform/store/index.ts';
import type { Address } from '../lib/network/contender.ts';
import { offer } from '../lib/remote.ts';
import { watchAcks } from './acks.ts';
import { emptyQueue, fillQueue } from './queue.ts';

/** A whole gateway in a process of its own that measures its sends from the 202 to the network's acknowledgement. */
const OPERATOR_TOKEN = 'operator-of-the-benchmark';
const MASTER_KEY = Buffer.alloc(32, 1);
const POLL_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-latency-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const clock = createSystemClock();
const sealedBox = createSealedBox({ masterKeys: [MASTER_KEY], random: systemRandom });
const acks = watchAcks(clock);

interface BenchNumber {
  readonly key: string;
  readonly slotId: string;
  readonly onboardId: string;
  sessionId: string;
}

const numbers = new Map<string, BenchNumber>();
let gateway: App | undefined;
let scanHere: ((phone: string, qr: string) => Promise<unknown>) | undefined;

/** The real driver on a network in another process, with a store of its own for its keys. */
async function wireDriver({ url, rootPublicKey, mediaCaPem, mediaHost }: Address): Promise<NetworkDriver> {
  const store = await openStore({
    url: `sqlite:${join(folder, 'driver.db')}`,
    commandModules: [new URL('../../packages/gateway/src/network/write-commands.ts', import.meta.url)],
    migrations,
    clock,
  });
  const log = { debug() {}, warn() {} };
  const routes = createProxyRoutes({ clock, authority: mediaCaPem, mediaHost });
  const endpoint = { url, rootPublicKey };
  return createWhatsAppDriver({
    store,
    sealedBox,
    clock,
    machineClock: clock,
    random: systemRandom,
    log,
    endpoint,
    mediaFor: routes.to,
  });
}

/** A driver that answers at once, so that the time of the gateway remains. */
function fakeDriver(phones: readonly string[]): NetworkDriver {
  const world = createWorld({ file: ':memory:', clock, random: systemRandom });
  for (const phone of phones) world.phones.create(phone, { name: phone });
  const driver = createFakeDriver({ world, clock, random: systemRandom });
  scanHere = (phone, qr) => driver.pairing.scan(phone, qr);
  return driver;
}

async function ask<T>(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  token: string,
  body?: object,
  key?: string,
) {
  if (!gateway) throw new Error('the gateway has not been started');
  const headers = {
    authorization: `Bearer ${token}`,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const answer = await gateway.http.inject({ method, url, headers, ...(body && { body }) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.json<T>();
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(POLL_MS);
  }
}

function numberOf(phone: string): BenchNumber {
  const number = numbers.get(phone);
  if (!number) throw new Error(`${phone} is not registered`);
  return number;
}

const onboarding = ({ key, onboardId }: BenchNumber): Promise<Onboarding> =>
  ask('GET', `/v1/onboard/${onboardId}`, key);

let sent = 0;

const calls = {
  async start(phones: readonly string[], address?: Address): Promise<void> {
    const config = loadConfig({
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: '0',
      PARLEY_NETWORK: 'whatsapp',
      PARLEY_MASTER_KEY: MASTER_KEY.toString('base64'),
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_LOG_LEVEL: 'warn',
    });
    const driver = address ? await wireDriver(address) : fakeDriver(phones);
    gateway = await createApp(config, { driver: acks.listeningTo(driver) });
  },

  /** Registers the number under an account of its own and returns the QR for its phone. */
  async showQr(phone: string): Promise<string> {
    const owner = { name: phone, email: `${phone}@example.com` };
    const { account_id } = await ask<Account>('POST', '/operator/v1/accounts', OPERATOR_TOKEN, owner);
    const account = `/operator/v1/accounts/${account_id}`;
    const limits = { partner_limits: { per_minute: 6_000, per_period: 1_000_000 } };
    await ask('PATCH', account, OPERATOR_TOKEN, limits);
    const device = { phone, plan: 'partner' };
    const { slot_id: slotId } = await ask<Device>('POST', `${account}/devices`, OPERATOR_TOKEN, device);
    const { api_key: key } = await ask<ApiKeyCreated>('POST', `${account}/api-keys`, OPERATOR_TOKEN, {
      name: 'bench',
    });
    const { onboard_id: onboardId } = await ask<Onboarding>('POST', '/v1/sessions/onboard', key, {
      slot_id: slotId,
    });
    const number = { key, slotId, onboardId, sessionId: '' };
    numbers.set(phone, number);
    const qr = await until(async () => (await onboarding(number)).qr);
    await scanHere?.(phone, qr);
    return qr;
  },

  async connected(phone: string): Promise<void> {
    const number = numberOf(phone);
    number.sessionId = await until(async () => (await onboarding(number)).session_id);
    await until(async () => {
      const session = await ask<Session>('GET', `/v1/sessions/${number.sessionId}`, number.key);
      return session.status === 'connected' ? session : undefined;
    });
  },

  /** Sends once from each of the numbers, one after the other, and returns the milliseconds from 202 to acknowledgement. */
  async sendEach(phones: readonly string[], to: string): Promise<number[]> {
    const latencies: number[] = [];
    for (const phone of phones) {
      const { key, sessionId } = numberOf(phone);
      const body = { session_id: sessionId, to, text: 'How long does it take?' };
      const answer = await ask<MessageAccepted>('POST', '/v1/messages', key, body, `bench-${++sent}`);
      const answeredAt = clock.monotonic();
      latencies.push(Math.max((await acks.of(answer.message_id ?? '')) - answeredAt, 0));
    }
    return latencies;
  },

  /** Gives the number a long queue, on a slow network. */
  async fillQueue(phone: string, to: string, messages: number): Promise<void> {
    const { slotId, sessionId } = numberOf(phone);
    acks.slowDown(phone);
    fillQueue(join(folder, 'parley.db'), { slotId, sessionId, to, messages, sealedBox, now: clock.now() });
  },

  async emptyQueue(phone: string): Promise<void> {
    emptyQueue(join(folder, 'parley.db'), numberOf(phone).slotId);
  },
};

export type GatewayCalls = typeof calls;

offer(calls);
