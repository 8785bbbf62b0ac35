import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock, messageIdAt } from '#kernel';
import type { CommandModule, ReadingModule } from '#platform/store';
import {
  fillTables,
  openPlanner,
  type SeenStatement,
  statementsInThread,
  watchStatements,
} from '#platform/store/testing';
import { reachesBeyondAnAccount } from '../testing/beyond-an-account.ts';
import { databaseNames, OPERATOR_TOKEN, startGateway, type TestGateway } from '../testing/index.ts';
import { type Demo, firstRun } from './first-run.ts';
import { findModules } from './stores.ts';

/**
 * A gateway with filled tables does all of its daily work, while every statement that it sends is recorded. Then the database itself
 * explains each of them. No list of statements is kept here: a new one is checked as soon as it is used.
 */
const SCANS_ON_PURPOSE = [
  // The accounts of a page of numbers, by key: with few accounts it is all of them.
  /^select \* from "accounts" where "id" in \(.*\) and "erased_at" is null$/,
  // For the operator's lists and invoices.
  /^select \* from "devices" where "removed_at" is null order by "slot_id"$/,
  /^select .* from "sessions" left join "workers" .* order by "sessions"."slot_id"$/,
  /^select .* from "workers" left join "sessions" .* group by/,
  // How many numbers each worker hosts, for balancing.
  /^select "worker", count\(\*\) as "sessions" from "sessions" where "status" != .* group by "worker"$/,
  // Accounts whose history is trimmed, once an hour.
  /^select distinct "account_id" from "webhooks" union select distinct "account_id" from "formatted_webhooks"$/,
  // The backlog of all numbers, on the operator's page; the outbox is as short as the backlog.
  /^select count\(\*\) as "waiting".* from "outbox"$/,
  // The same for the metrics, with a limit, and the numbers in each state.
  /^select count\(\*\) .* from \(select "message_id" from "outbox" limit/,
  /^select "sessions"."status", .* from "sessions" left join "workers" .* group by/,
  // Finds the accounts of paused and inactive webhooks, on the same page.
  /from "webhooks" where \("active" = /,
  // Numbers with stored conversations, or with ones to delete: as many as have opted in.
  /^select .* from "histories" where "ended_at" is/,
  // Reads the key from its end, up to its limit.
  /^select \* from "audit_log" order by "number" desc limit/,
];

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Receives the gateway's webhooks. */
async function startReceiver(): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(String(request.headers['x-event-kind'] ?? request.url));
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Jobs that run every minute or every hour, each with its own statement. */
const PERIODIC_JOBS = [
  /^delete from "idempotency_keys"/,
  /^delete from "messages(?:_rest)?"/,
  /^delete from "network_records"/,
  /^delete from "network_journal"/,
  /^select .* from "events" where "expires_at"/,
  /^delete from "deliveries"/,
  /^select .* from "history_messages" where "expires_at"/,
  /^select .* from "history_chats" .* "oldest_at" <=/,
  /^select .* from "media" where "expires_at" </,
  /^select .* from "media_arrivals" .*"copy_until" </,
];

async function liveADay(
  gateway: TestGateway,
  { apiKey: key, sessionId }: Demo,
  statements: () => SeenStatement[],
): Promise<void> {
  const receiver = await startReceiver();
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, token = key) => {
    const headers = { 'idempotency-key': `${url} ${JSON.stringify(body)}` };
    const answer = await gateway.request({ method, url, key: token, headers, ...(body && { body }) });
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
    return JSON.parse(answer.body || '{}');
  };
  const asOperator = (method: 'GET' | 'POST', path: string, body?: object) =>
    call(method, path, body, OPERATOR_TOKEN);

  const hook = `${receiver.url}/hook`;
  const urls = { messages_url: hook, status_url: hook, connection_url: hook, events_url: hook };
  const { id: webhookId } = await call('POST', '/v1/webhooks', { session_id: sessionId, ...urls });
  const session = `/v1/sessions/${sessionId}`;
  await call('PUT', `${session}/history`, { enabled: true });
  const send = { session_id: sessionId, to: '15550002001', text: 'Hello Ada' };
  const { message_id: messageId } = await call('POST', '/v1/messages', send);
  await asOperator('POST', '/sandbox/v1/phones/15550002001/messages', { to: '15550001001', text: 'Hello' });
  const picture = { media_base64: Buffer.from('a picture').toString('base64'), mimetype: 'image/png' };
  const fromAda = { to: '15550001001', media_type: 'image', ...picture };
  const { message_id } = await asOperator('POST', '/sandbox/v1/phones/15550002001/messages', fromAda);
  // Sent, delivered, answered, with all events published.
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(4), { timeout: 20_000 });
  const get = async (url: string) => {
    const answer = await gateway.request({ method: 'GET', url, key });
    expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  };
  const { media } = await call('GET', `${session}/messages/${message_id}`);
  await get(`/v1/media/${media.id}`);
  await get(new URL(media.url).pathname + new URL(media.url).search);
  const uploaded = await call('POST', '/v1/media', { is: 'a file' });
  await get(`/v1/media/${uploaded.media_id}`);
  await call('POST', '/v1/messages', { ...send, text: undefined, media_type: 'image', media_id: media.id });

  for (const path of [
    '/v1/sessions',
    `/v1/messages/${messageId}`,
    '/v1/webhooks',
    `/v1/webhooks/${webhookId}/deliveries`,
    `/v1/webhooks/${webhookId}/deliveries?status=dead`,
    '/v1/events?limit=10',
    `/v1/sessions/${sessionId}/contacts`,
    `${session}/history`,
    `${session}/chats`,
    `${session}/chats/15550002001@s.whatsapp.net/messages`,
    `${session}/chats/15550002001@s.whatsapp.net/messages?before=zzzzzzzz-0`,
    `${session}/chats/15550002001@s.whatsapp.net/messages?after=0-0`,
    `${session}/messages/${messageId}`,
  ])
    await call('GET', path);
  for (const path of [
    'accounts',
    'devices',
    'sessions',
    'workers',
    'queues',
    'dead-letters',
    'audit',
    'invoices',
  ])
    await asOperator('GET', `/operator/v1/${path}`);
  const { body: metrics } = await gateway.request({ method: 'GET', url: '/metrics' });
  for (const line of [
    'parley_outbox_messages ',
    'parley_journal_arrivals',
    'parley_sessions{state="connected"} ',
  ])
    expect(metrics).toContain(line);
  await call('POST', `/v1/webhooks/${webhookId}/test`, {});

  for (const ms of [61_000, 61_000, 3_600_000]) gateway.clock.advance(ms);
  for (const job of PERIODIC_JOBS) {
    const isDone = () => statements().some(({ sql }) => job.test(sql));
    await vi.waitFor(() => expect(isDone(), `${job}`).toBe(true), { timeout: 20_000 });
  }
  await call('DELETE', `${session}/chats/15550002001@s.whatsapp.net/history`);
  await call('PUT', `${session}/history`, { enabled: false });
  await call('DELETE', session);
}

async function statementsInThreads(): Promise<SeenStatement[]> {
  const urls = [...findModules('write-commands'), ...findModules('readings')];
  const modules: Partial<CommandModule & ReadingModule>[] = await Promise.all(
    urls.map(({ href }) => import(href)),
  );
  return modules.flatMap(({ commands = [], readings = [] }) =>
    [...commands, ...readings].flatMap(statementsInThread),
  );
}

const readsOrWrites = ({ sql }: SeenStatement): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(sql);

describe.each(databaseNames)('on %s with full tables', (name) => {
  it('no statement reads a whole table, or data of other accounts', async () => {
    const clock = createSystemClock();
    const gateway = await startGateway({ database: name, clock });
    undo.push(() => gateway.close());
    const demo = await firstRun(gateway.app, loadConfig({}));
    if (!demo) throw new Error('a new gateway makes its demo');
    const large = await fillTables(gateway.databaseUrl, {
      now: clock.now(),
      messageId: messageIdAt(clock.now()),
    });

    const { dialect } = gateway.app.store;
    const watch = watchStatements(dialect);
    undo.push(async () => watch.stop());
    await liveADay(gateway, demo, watch.seen);
    const seen = watch.seen().filter(readsOrWrites);
    if (dialect === 'sqlite') seen.push(...(await statementsInThreads()));

    const planner = await openPlanner(gateway.databaseUrl);
    undo.push(() => planner.close());
    const scans: string[] = [];
    for (const statement of seen) {
      if (SCANS_ON_PURPOSE.some((pattern) => pattern.test(statement.sql))) continue;
      const scanned = (await planner.scans(statement)).filter((table) => large.has(table));
      scans.push(...scanned.map((table) => `${table}: ${statement.sql}`));
    }
    expect(scans).toEqual([]);
    expect(seen.map(({ sql }) => sql).filter(reachesBeyondAnAccount)).toEqual([]);
    expect(seen.length).toBeGreaterThan(60);
  });
});
