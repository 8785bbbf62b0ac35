import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import { findOrInstall } from '../../../../test/services/processes.ts';
import { counting } from '../platform/observe/metrics/backlog.ts';
import {
  alertNames,
  changed,
  judgeAlerts,
  parseScrape,
  type Scrape,
  type Story,
} from '../testing/alert-rules.ts';
import { OPERATOR_TOKEN, startGateway } from '../testing/index.ts';
import { firstRun } from './first-run.ts';

const ADA = '15550002001';
const MINUTE = 60_000;
/** These depend on the machine alone, so they are not checked before they are provoked. */
const ABOUT_THE_MACHINE = [
  'ParleyBusy',
  'ParleySlowToAccept',
  'ParleySlowDatabase',
  'ParleySlowToSend',
  'ParleyDiskFull',
];

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** One whole gateway with faults injected one after the other; its own metrics make Prometheus fire the matching alert. */
it('fires every alert on its fault, and none before', async () => {
  const clock = createSystemClock();
  const machineClock = createSystemClock();
  // Caching by the machine's clock would require moving it by more than a lease, which moves numbers between hosts.
  const { everyMs } = counting;
  counting.everyMs = 0;
  undo.push(() => {
    counting.everyMs = everyMs;
  });
  const gateway = await startGateway({ clock, machineClock });
  undo.push(() => gateway.close());
  const demo = await firstRun(gateway.app, loadConfig({}));
  if (!demo) throw new Error('a new gateway makes its demo');
  const { store } = gateway.app;
  const { sessionId, apiKey } = demo;
  const demoPhone = sessionId.split(':')[0] ?? '';

  let deliveries = 0;
  let status = 200;
  const receiver = createServer((request, response) => {
    deliveries++;
    request.resume().on('end', () => response.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  undo.push(() => receiver.close());

  let keys = 0;
  const ask = (method: 'GET' | 'POST', url: string, body?: object, key = apiKey) =>
    gateway.request({
      method,
      url,
      key,
      headers: { 'idempotency-key': `k${keys++}` },
      ...(body && { body }),
    });
  const must = async (...given: Parameters<typeof ask>) => {
    const answer = await ask(...given);
    expect(answer.statusCode, `${given[1]}: ${answer.body}`).toBeLessThan(300);
    return JSON.parse(answer.body || '{}');
  };
  const onPhone = (path: string, body: object) => must('POST', `/sandbox/v1${path}`, body, OPERATOR_TOKEN);
  const send = (text = 'Hello') => ask('POST', '/v1/messages', { session_id: sessionId, to: ADA, text });
  const scrape = async (): Promise<Scrape> =>
    parseScrape((await gateway.request({ method: 'GET', url: '/metrics' })).body);
  const value = async (series: string) => (await scrape()).series.get(series) ?? 0;
  const grows = async (series: string, work: () => Promise<unknown>) => {
    const before = await value(series);
    await work();
    await vi.waitFor(async () => expect(await value(series)).toBeGreaterThan(before));
  };
  const stories: Story[] = [];
  const expectAlerts = async (
    fires: string[],
    work: () => Promise<unknown>,
    look = scrape,
  ): Promise<void> => {
    // A message in progress would time out when the clock jumps, and be sent again within the next story.
    await vi.waitFor(async () => expect(await value('parley_outbox_messages')).toBe(0));
    // No send may be delayed by rate limits.
    clock.advance(MINUTE);
    const before = await scrape();
    await work();
    const after = await look();
    stories.push({
      name: fires.join(' ') || 'nothing',
      before,
      after,
      fires,
      ignores: ABOUT_THE_MACHINE,
    });
  };

  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await must('POST', '/v1/webhooks', { session_id: sessionId, messages_url: hook, status_url: hook });
  const traffic = async () => {
    const before = deliveries;
    await grows('parley_sends_total{outcome="sent",reason=""}', async () =>
      expect((await send()).statusCode).toBe(202),
    );
    await onPhone(`/phones/${ADA}/messages`, { to: demoPhone, text: 'Hello' });
    await vi.waitFor(() => expect(deliveries).toBeGreaterThanOrEqual(before + 2));
  };
  await traffic();
  await expectAlerts([], traffic);

  await expectAlerts(['ParleySlowToAccept', 'ParleySlowDatabase'], () =>
    store
      .transaction(async () => {
        const sends = Promise.all([send(), send(), send()]);
        void sends.catch(() => {});
        // A slow database; on a busy machine even slower, which also fires.
        await machineClock.sleep(900);
      })
      .then(traffic),
  );

  const beLate = async (): Promise<Scrape> => {
    const until = performance.now() + 400;
    while (performance.now() < until);
    // Long enough for the delay monitor, which samples every 20 ms; the value covers the time since the last scrape.
    await machineClock.sleep(60);
    const seen = await scrape();
    expect(seen.series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0.1);
    return seen;
  };
  await expectAlerts(
    ['ParleyBusy'],
    async () => {},
    () => vi.waitFor(beLate),
  );

  await expectAlerts(['ParleySendsFail'], async () => {
    await onPhone('/faults', { session_id: sessionId, fault: 'send_permanent', count: 1 });
    await grows('parley_sends_total{outcome="failed",reason="SEND_FAILED"}', () => send());
  });

  const inDatabase = (statement: string) =>
    store.transaction((trx) => sql.raw(statement).execute(trx as never));
  const refusing = async (table: string, work: () => Promise<unknown>) => {
    await inDatabase(`create trigger refuse before insert on ${table} begin select raise(abort, 'no'); end`);
    await work();
    await inDatabase('drop trigger refuse');
  };
  await expectAlerts(['ParleyWritesFail', 'ParleyFailing'], () =>
    refusing('messages', async () => {
      for (const answer of await Promise.all([send(), send()])) expect(answer.statusCode).toBe(500);
    }),
  );
  await expectAlerts(['ParleyQuarantined'], () =>
    refusing('events', () =>
      grows('parley_quarantined_events_total{kind="call"}', () =>
        onPhone(`/phones/${ADA}/calls`, { to: demoPhone, video: false }),
      ),
    ),
  );

  await expectAlerts(['ParleyNumbersRestricted'], async () => {
    await onPhone(`/phones/${demoPhone}/restrict`, { type: 'RATE_LIMITED_REACHOUT', for_s: 86_400 });
    await vi.waitFor(async () => expect(await value('parley_numbers{health="restricted"}')).toBe(1));
  });
  const restricted = await scrape();

  await expectAlerts(['ParleyPairingsFail'], async () => {
    const account = await must(
      'POST',
      '/operator/v1/accounts',
      { name: 'B', email: 'b@example.com' },
      OPERATOR_TOKEN,
    );
    const path = `/operator/v1/accounts/${account.account_id}`;
    const { slot_id } = await must('POST', `${path}/devices`, { phone: ADA, plan: 'max' }, OPERATOR_TOKEN);
    const { api_key } = await must('POST', `${path}/api-keys`, { name: 'test' }, OPERATOR_TOKEN);
    for (let tries = 0; tries < 3; tries++) {
      const { onboard_id } = await must('POST', '/v1/sessions/onboard', { slot_id }, api_key);
      const now = () => must('GET', `/v1/onboard/${onboard_id}`, undefined, api_key);
      await vi.waitFor(async () => expect((await now()).status).toBe('qr'));
      clock.advance(6 * MINUTE);
      await vi.waitFor(async () => expect((await now()).status).toBe('error'));
    }
  });

  status = 500;
  await expectAlerts(['ParleyReceiversPaused', 'ParleyDeliveriesLate'], async () => {
    for (let count = 0; count < 12; count++)
      await onPhone(`/phones/${ADA}/messages`, { to: demoPhone, text: `${count}` });
    await vi.waitFor(async () => expect(await value('parley_endpoints_paused')).toBe(1));
    clock.advance(40 * MINUTE);
  });

  await expectAlerts(['ParleyDisconnected', 'ParleyNumbersOffline', 'ParleyOutboxStuck'], async () => {
    const connected = [...restricted.series.keys()].find((name) =>
      name.startsWith('parley_sessions_connected{'),
    );
    await onPhone('/faults', { session_id: sessionId, fault: 'disconnect', ms: 86_400_000 });
    await vi.waitFor(async () => expect(await value(connected ?? '')).toBe(0));
    expect((await send()).statusCode).toBe(202);
    clock.advance(11 * MINUTE);
    await Promise.all(Array.from({ length: 12 }, () => send()));
    const hosted = connected?.replace('connected', 'hosted') ?? '';
    await vi.waitFor(async () => expect([await value(hosted), await value(connected ?? '')]).toEqual([1, 0]));
  });

  const whole = await scrape();
  const named = (start: string) => [...whole.series.keys()].find((name) => name.startsWith(start)) ?? start;
  const madeUp = (fires: string, values: Record<string, number>) =>
    stories.push({
      name: `${fires}, by another figure`,
      before: whole,
      after: changed(whole, values),
      fires: [fires],
    });
  madeUp('ParleyDown', { up: 0 });
  madeUp('ParleyOutOfFiles', { process_open_fds: 1e9 });
  madeUp('ParleyDiskFull', {
    'parley_disk_free_bytes{place="data"}':
      0.09 * (whole.series.get('parley_disk_size_bytes{place="data"}') ?? 0),
  });
  madeUp('ParleyNoWorker', { [named('parley_worker_leased{')]: 0 });
  madeUp('ParleyDeliveriesDead', { 'parley_deliveries_ended_total{outcome="dead"}': 1 });
  madeUp('ParleyArrivalsWait', { parley_journal_arrivals: 101 });
  madeUp('ParleySlowToSend', {
    'parley_send_seconds_bucket{le="300"}':
      (whole.series.get('parley_send_seconds_bucket{le="300"}') ?? 0) + 9,
    'parley_send_seconds_bucket{le="+Inf"}':
      (whole.series.get('parley_send_seconds_bucket{le="+Inf"}') ?? 0) + 9,
  });
  const versioned = {
    ...whole,
    series: new Map([...whole.series, ['parley_client_version_age_seconds', 0]]),
  };
  stories.push({
    name: 'ParleyVersionOld, by another figure',
    before: versioned,
    after: changed(versioned, { parley_client_version_age_seconds: 4 * 86_400 }),
    fires: ['ParleyVersionOld'],
  });

  const expiring = {
    ...whole,
    series: new Map([...whole.series, ['parley_client_version_expires_seconds', 30 * 86_400]]),
  };
  stories.push({
    name: 'ParleyVersionExpires, by another figure',
    before: expiring,
    after: changed(expiring, { parley_client_version_expires_seconds: 5 * 86_400 }),
    fires: ['ParleyVersionExpires'],
  });

  await gateway.loseDatabase();
  const lost = await scrape();
  expect([...lost.series.keys()].filter((name) => name.startsWith('parley_outbox'))).toEqual([]);
  stories.push({
    name: 'ParleyBlind',
    before: whole,
    after: lost,
    fires: ['ParleyBlind'],
  });

  await judgeAlerts(await findOrInstall('promtool', 'prometheus'), stories);
  expect([...new Set(stories.flatMap(({ fires }) => fires))].sort()).toEqual(alertNames().sort());
}, 240_000);
