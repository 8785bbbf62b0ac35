import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { userJid } from '@parley/sandbox/world';
import Fastify from 'fastify';
import { Agent, request } from 'undici';
import { openSandbox } from '../../packages/gateway/src/app/sandbox/index.ts';
import { createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import { createEgress } from '../../packages/gateway/src/platform/egress/index.ts';
import { createLog } from '../../packages/gateway/src/platform/observe/index.ts';
import { startSandbox } from '../../packages/sandbox/src/index.ts';
import type { Address } from '../lib/network/contender.ts';
import { offer } from '../lib/remote.ts';
import type { Endpoint, EventFields, Kind, SendBody } from './endpoint.ts';

/** Everything around a contender, which is not counted: the network with its phones, the senders, and the receivers of webhooks. */
const clock = createSystemClock();
const machineClock = createSystemClock();
const FILE = randomBytes(1024 * 1024);
/** Longer than the memory of the rate limits: each round begins with fresh limits. */
const BETWEEN_ROUNDS_MS = 61_000;
const PATIENCE_MS = 60_000;
const TOO_MANY = 429;
const HURRIED_MS = 100;

const sandbox = await startSandbox({
  file: ':memory:',
  clock,
  random: systemRandom,
  // The only address that the bare library has of recipients.
  addressing: 'pn',
  strictAddressing: false,
});
const { world, pairing, url, rootPublicKey, mediaCaPem, mediaHost } = sandbox;
const http = Fastify();
openSandbox(sandbox, {
  config: { dataDir: '', operatorToken: undefined },
  egress: createEgress({ clock: machineClock, publicOnly: false }),
  log: createLog('silent'),
  random: systemRandom,
  clock,
  machineClock,
}).mount(http);
const sandboxUrl = await http.listen({ host: '127.0.0.1', port: 0 });

const awaited = new Map<string, () => void>();
const server = createServer(async (asked, answer) => {
  if (asked.method === 'GET') return void answer.end(FILE);
  const webhook: EventFields = JSON.parse(await readText(asked));
  answer.end();
  const key =
    webhook.kind === 'status' ? webhook.request_id : webhook.kind === 'message' ? webhook.text : undefined;
  if (key !== undefined) awaited.get(key)?.();
}).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
const hookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const agent = new Agent({ pipelining: 1 });
let named = 0;

/** Resolves with the milliseconds from `begin` until the event in a webhook. */
async function timeUntilWebhook(key: string, begin: () => Promise<void>): Promise<number> {
  const webhook = Promise.withResolvers<void>();
  awaited.set(key, webhook.resolve);
  const tooLate = setTimeout(() => webhook.reject(new Error(`no webhook for ${key}`)), PATIENCE_MS);
  const begun = clock.monotonic();
  await begin();
  await webhook.promise;
  clearTimeout(tooLate);
  awaited.delete(key);
  return clock.monotonic() - begun;
}

async function post(endpoint: Endpoint, key: string, body: SendBody): Promise<void> {
  const { url, token } = endpoint;
  const answer = await request(`${url}/v1/messages`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  // A fast number is limited by its rate.
  if (answer.statusCode === TOO_MANY) {
    await answer.body.dump();
    await sleep(HURRIED_MS);
    return post(endpoint, key, body);
  }
  if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
  await answer.body.dump();
}

const groups = new Map<string, string>();

function newGroup({ phone }: Endpoint, members: readonly string[]): string {
  const participants = members.map(userJid);
  const order = { name: `Launch team ${++named}`, participants };
  const { group } = world.groups.create({ phone, device: 0 }, order);
  groups.set(phone, group.jid);
  return group.jid;
}

/** One message from end to end, with a wait for the answer to the previous one. */
function pass(kind: Kind, endpoint: Endpoint, members: readonly string[]): Promise<number> {
  const key = `bench ${process.pid} ${++named}`;
  const { sessionId: session_id, phone, friend } = endpoint;
  const send = (body: Omit<SendBody, 'session_id'>): Promise<number> =>
    timeUntilWebhook(key, () => post(endpoint, key, { session_id, ...body }));
  switch (kind) {
    case 'inbound':
      return timeUntilWebhook(key, async () => {
        const content = { type: 'text', text: key } as const;
        world.messages.send(
          { phone: friend, device: 0 },
          { id: world.messages.newId(), to: userJid(phone), content },
        );
      });
    case 'group':
      return send({ to: groups.get(phone) ?? newGroup(endpoint, members), text: key });
    case 'fan-out':
      return send({ to: newGroup(endpoint, members), text: key });
    case 'media':
      return send({ to: userJid(friend), media_type: 'document', media_url: `${hookUrl}/${named}.bin` });
    case 'send':
      return send({ to: userJid(friend), text: key });
  }
}

const calls = {
  start: (): { sandboxUrl: string; hookUrl: string; address: Address } => ({
    sandboxUrl,
    hookUrl,
    address: { url, rootPublicKey, mediaCaPem, mediaHost },
  }),
  addPhones(phones: readonly string[]): void {
    for (const phone of phones) world.phones.create(phone, { name: phone });
  },
  async scan(phone: string, qr: string): Promise<void> {
    await pairing.scan(phone, qr);
  },
  /** Every number passes so many messages, one after the other, all numbers in parallel. Returns the milliseconds of each. */
  async round(
    kind: Kind,
    doors: readonly Endpoint[],
    each: number,
    members: readonly string[],
  ): Promise<number[]> {
    const took: number[] = [];
    await Promise.all(
      doors.map(async (endpoint) => {
        for (let n = 0; n < each; n++) took.push(await pass(kind, endpoint, members));
      }),
    );
    return took;
  },
  async letTimePass(): Promise<void> {
    await request(`${sandboxUrl}/sandbox/v1/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: BETWEEN_ROUNDS_MS / 1_000 }),
    }).then(({ body }) => body.dump());
  },
};

export type OutsideCalls = typeof calls;

offer(calls);
