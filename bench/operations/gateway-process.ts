import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  type ApiKeyCreated,
  type Device,
  type Onboarding,
  operations,
  type Session,
} from '@parley/contract';
import { createWorld, userJid } from '@parley/sandbox/world';
import Fastify from 'fastify';
import { createApp } from '../../packages/gateway/src/app/create-app.ts';
import { loadConfig } from '../../packages/gateway/src/config/config.ts';
import { createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import type { NetworkSession } from '../../packages/gateway/src/network/index.ts';
import { createFakeDriver } from '../../packages/gateway/src/network/testing/fake/index.ts';
import { inParallel } from '../lib/in-parallel.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** A whole gateway in a process of its own, over a driver that answers at once, so that the cost of the gateway remains. */
const OPERATOR_TOKEN = 'operator-of-the-benchmark';
const FIRST_PHONE = 15_553_000_000;
const MEMBERS = 20;
const POLL_MS = 10;
const LINKS_AT_ONCE = 16;

const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-operations-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const clock = createSystemClock();
const world = createWorld({ file: ':memory:', clock, random: systemRandom });
const fake = createFakeDriver({ world, clock, random: systemRandom });
const opened: NetworkSession[] = [];
const config = loadConfig({
  PARLEY_DATA_DIR: dataDir,
  PARLEY_PORT: '0',
  PARLEY_NETWORK: 'whatsapp',
  PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
  PARLEY_LOG_LEVEL: 'warn',
});
const app = await createApp(config, {
  driver: {
    ...fake,
    open(request) {
      const session = fake.open(request);
      opened.push(session);
      return session;
    },
  },
});

/** A linked number with a group of its own. */
export interface BenchNumber {
  readonly sessionId: string;
  readonly group: string;
}

export interface Started {
  readonly url: string;
  readonly key: string;
  readonly numbers: readonly BenchNumber[];
  /** The floor: a bare Fastify that answers like a group's detail, from memory. */
  readonly bareUrl: string;
  /** The address of a contact on the network. */
  readonly friend: string;
}

async function ask<T>(method: 'GET' | 'POST', url: string, token: string, body?: object): Promise<T> {
  const answer = await app.http.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { body }),
  });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(POLL_MS);
  }
}

async function link(account: string, key: string, phone: string): Promise<BenchNumber> {
  world.phones.create(phone, { name: phone });
  const device = await ask<Device>('POST', `${account}/devices`, OPERATOR_TOKEN, { phone, plan: 'max' });
  const onboarding = await ask<Onboarding>('POST', '/v1/sessions/onboard', key, { slot_id: device.slot_id });
  const poll = (): Promise<Onboarding> => ask('GET', `/v1/onboard/${onboarding.onboard_id}`, key);
  await fake.pairing.scan(phone, await until(async () => (await poll()).qr));
  const sessionId = await until(async () => (await poll()).session_id);
  await until(async () => {
    const { status } = await ask<Session>('GET', `/v1/sessions/${sessionId}`, key);
    return status === 'connected' ? true : undefined;
  });
  const participants = members.map(userJid);
  const { group } = world.groups.create({ phone, device: 0 }, { name: 'Launch team', participants });
  return { sessionId, group: group.jid };
}

function detailOf({ sessionId, group }: BenchNumber = { sessionId: '', group: '' }): string {
  return `/v1/sessions/${encodeURIComponent(sessionId)}/groups/${encodeURIComponent(group)}`;
}

function startBare(answer: object): Promise<string> {
  const bare = Fastify();
  const schema = { response: { 200: operations.getGroup.answers[200] } };
  bare.get('/v1/sessions/:id/groups/:group_id', { schema }, async () => answer);
  return bare.listen({ host: '127.0.0.1', port: 0 });
}

const members = Array.from({ length: MEMBERS }, (_, n) => String(FIRST_PHONE - 1 - n));

const calls = {
  async start(numbers: number): Promise<Started> {
    for (const member of members) world.phones.create(member, { name: member });
    const { account_id } = await ask<Account>('POST', '/operator/v1/accounts', OPERATOR_TOKEN, {
      name: 'bench',
      email: 'bench@example.com',
    });
    const account = `/operator/v1/accounts/${account_id}`;
    const { api_key: key } = await ask<ApiKeyCreated>('POST', `${account}/api-keys`, OPERATOR_TOKEN, {
      name: 'bench',
    });
    const phones = Array.from({ length: numbers }, (_, n) => String(FIRST_PHONE + n));
    const linked: BenchNumber[] = [];
    await inParallel(
      phones,
      LINKS_AT_ONCE,
      async (phone) => void linked.push(await link(account, key, phone)),
    );
    return {
      url: await app.http.listen({ host: '127.0.0.1', port: 0 }),
      key,
      numbers: linked,
      bareUrl: await startBare(await ask('GET', detailOf(linked[0]), key)),
      friend: userJid(members[0] ?? ''),
    };
  },
  cpuSeconds,
  /** The cost of the driver alone: the same query without a gateway around it. */
  async askDriver(times: number, group: string): Promise<number> {
    const [session] = opened;
    const before = cpuSeconds();
    for (let n = 0; n < times; n++) await session?.groups.detail(group);
    return (cpuSeconds() - before) / times;
  },
};

export type GatewayCalls = typeof calls;

offer(calls);
