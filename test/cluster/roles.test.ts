import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from '../conformance/numbers.ts';
import { type Receiver, startReceiver } from '../conformance/receiver.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** Each role has a process of its own. */
const ROLES = ['api', 'worker', 'webhooks', 'portal'];
let cluster: Cluster;
let receiver: Receiver;
let number: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  cluster = await startCluster({ size: ROLES.length, roles: ROLES });
  for (const member of cluster.members.slice(1)) member.isAsked = false;
  receiver = await startReceiver();
  number = await linkedNumber(cluster);
  ada = await someone(cluster);
});
afterAll(async () => {
  receiver?.close();
  await cluster?.stop();
});

const statusAt = async (role: string, path: string): Promise<number> => {
  const url = cluster.members[ROLES.indexOf(role)]?.url;
  return (await fetch(url + path, { headers: { accept: 'application/json' } })).status;
};

test.each(ROLES)('a process with the role %s alone is ready, and serves its metrics', async (role) => {
  expect(await statusAt(role, '/healthz')).toBe(200);
  expect(await statusAt(role, '/readyz')).toBe(200);
  expect(await statusAt(role, '/metrics')).toBe(200);
});

test('each serves the routes of its role', async () => {
  const served = async (path: string) => {
    const statuses = await Promise.all(ROLES.map((role) => statusAt(role, path)));
    return ROLES.filter((_, index) => statuses[index] !== 404);
  };
  expect(await served('/v1/sessions')).toEqual(['api']);
  expect(await served('/docs')).toEqual(['api']);
  expect(await served('/operator/v1/workers')).toEqual(['api', 'portal']);
  expect(await served('/portal/api/me')).toEqual(['portal']);
});

test('a process without sessions answers all of /v1 for sessions of others', async () => {
  const webhook = { session_id: number.sessionId, messages_url: receiver.url, status_url: receiver.url };
  expect((await number.call('POST', '/webhooks', webhook)).status).toBe(201);
  expect((await number.on('GET', '/groups')).body).toEqual({ groups: [] });
  expect((await number.on('POST', '/typing', { to: ada.jid })).status).toBe(204);
  expect((await number.on('POST', '/presence/subscribe', { contact_jid: ada.jid })).status).toBe(204);
  expect((await number.on('POST', '/calls/auto-reject', { enabled: true })).body).toMatchObject({
    auto_reject: true,
  });
  const message = { session_id: number.sessionId, to: ada.phone, text: 'Hello' };
  const sent = await number.call('POST', '/messages', message, { 'Idempotency-Key': 'first' });
  expect(sent.status).toBe(202);
  await receiver.next('status', ({ status }) => status === 'sent');
  await cluster.sandbox('POST', `/phones/${ada.phone}/messages`, { to: number.phone, text: 'Hi' });
  await receiver.next('message', ({ text }) => text === 'Hi');
  expect((await number.on('DELETE', '')).status).toBe(204);
  await vi.waitFor(async () => {
    const phone = await cluster.sandbox<{ linked_devices: [] }>('GET', `/phones/${number.phone}`);
    expect(phone.linked_devices).toEqual([]);
  }, WATCHING);
});
