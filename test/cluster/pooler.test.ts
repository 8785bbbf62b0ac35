import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requirePostgres } from '../../packages/gateway/src/platform/store/testing/index.ts';
import { type LinkedNumber, linkedNumber, type Someone, someone } from '../conformance/numbers.ts';
import { type Receiver, startReceiver } from '../conformance/receiver.ts';
import { type Pooler, startPgBouncer } from '../services/pgbouncer.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** A lease ends ten seconds after its worker did. */
const TAKEN_OVER = { timeout: 60_000, interval: 100 };
let pooler: Pooler;
let cluster: Cluster;
let receiver: Receiver;
let number: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  pooler = await startPgBouncer(requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL));
  cluster = await startCluster({
    size: 2,
    way: async (server, url) => (server === 'database' ? pooler.before(url) : url),
  });
  receiver = await startReceiver();
  number = await linkedNumber(cluster);
  ada = await someone(cluster);
  const webhook = { session_id: number.sessionId, messages_url: receiver.url, status_url: receiver.url };
  expect((await number.call('POST', '/webhooks', webhook)).status).toBe(201);
});
afterAll(async () => {
  receiver?.close();
  await cluster?.stop();
  await pooler?.stop();
});

async function talkBothWays(text: string): Promise<void> {
  const message = { session_id: number.sessionId, to: ada.phone, text };
  const { status, body } = await number.call<{ message_id: string }>('POST', '/messages', message, {
    'Idempotency-Key': text,
  });
  expect(status).toBe(202);
  await receiver.next('status', (event) => event.message_id === body.message_id && event.status === 'sent');
  await cluster.sandbox('POST', `/phones/${ada.phone}/messages`, { to: number.phone, text: `Re: ${text}` });
  await receiver.next('message', (event) => event.text === `Re: ${text}`);
}

test('two gateways behind PgBouncer send and receive, and one continues when the other is killed', async () => {
  for (const asked of cluster.members) {
    for (const member of cluster.members) member.isAsked = member === asked;
    await talkBothWays(`asked at ${asked.pid}`);
  }
  const { sessions } = await cluster.operator<{ sessions: { worker: string }[] }>('GET', '/sessions');
  const hosts = await Promise.all(
    cluster.members.map(async ({ url }) =>
      (await (await fetch(`${url}/metrics`)).text()).includes(sessions[0]?.worker ?? '-'),
    ),
  );
  for (const [index, member] of cluster.members.entries()) {
    member.isAsked = !hosts[index];
    if (hosts[index]) await member.end('SIGKILL');
  }
  await vi.waitFor(async () => expect((await number.on('GET', '/groups')).status).toBe(200), TAKEN_OVER);
  await talkBothWays('after the kill');
});
