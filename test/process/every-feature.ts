import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import type { History } from '@parley/contract';
import { COMPAT_SURFACES, ROLES, SETTINGS } from '../../packages/gateway/src/config/settings.ts';
import type { Setting } from '../../packages/gateway/src/config/values.ts';
import { startMailServer } from '../../packages/gateway/src/platform/mail/testing/mail-server.ts';
import { createPostgresDatabase } from '../../packages/gateway/src/platform/store/testing/index.ts';
import { linkNumber, newPhone, until } from '../chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../conformance/gateway-access.ts';
import { launch } from '../conformance/launch.ts';
import { startReceiver } from '../conformance/receiver.ts';
import { startPostgres } from '../services/postgres.ts';
import { stopProcess } from '../services/processes.ts';
import { startTraceCollector } from '../services/trace-collector.ts';
import { newFolder } from './environment.ts';
import type { Cases } from './run-cases.ts';

const METRICS_TOKEN = 'token-of-the-metrics';

/** Settings that switch a feature on by a value, and that no case brings along. */
const GIVEN: Readonly<Record<string, string>> = {
  PARLEY_COMPAT: COMPAT_SURFACES.join(','),
  PARLEY_HISTORY_MB_PER_NUMBER: '10',
  PARLEY_HOST_THREADS: '1',
  PARLEY_HOST_THREAD_MB: '512',
  PARLEY_LOG_LEVEL: 'trace',
  PARLEY_MAIL_FROM: 'Parley <parley@example.com>',
  PARLEY_MASTER_KEY: randomBytes(32).toString('base64'),
  PARLEY_METRICS_TOKEN: METRICS_TOKEN,
  PARLEY_NEW_CHATS_PER_DAY: '100',
  PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
  PARLEY_ROLES: ROLES.join(','),
  PARLEY_TRUSTED_PROXIES: '127.0.0.1',
};
/** Set by each case. */
const OF_EACH_CASE = ['PARLEY_DATA_DIR', 'PARLEY_DATABASE_URL', 'PARLEY_PORT', 'PARLEY_MAIL_URL'];
/** Switches no feature on, or needs a service that this machine lacks; tested elsewhere. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  PARLEY_MODE: 'production refuses receivers on this machine',
  PARLEY_HOST: 'an address',
  PARLEY_PUBLIC_URL: 'an address',
  PARLEY_MAX_BODIES_MB: 'a limit',
  PARLEY_COMPAT_BASE64_MAX_MB: 'a limit',
  PARLEY_MEDIA_URL: 'another place for files; media/blobs/s3.test.ts',
  PARLEY_BUS_URL: 'several processes; test/cluster',
  PARLEY_BUS_SUBJECT: 'with PARLEY_BUS_URL',
  PARLEY_BUS_CREDENTIALS: 'with PARLEY_BUS_URL',
  PARLEY_BUS_CA: 'with PARLEY_BUS_URL',
  PARLEY_BUS_CERT: 'with PARLEY_BUS_URL',
  PARLEY_BUS_KEY: 'with PARLEY_BUS_URL',
  PARLEY_NETWORK: 'the real network is not for tests',
  PARLEY_SANDBOX_URL: 'another place for the sandbox; test/process/sandbox.ts',
  PARLEY_WHATSAPP_VERSION: 'the built-in one; the network is asked for nothing else',
  PARLEY_WHATSAPP_DEVICE_NAME: 'a name',
  PARLEY_FFMPEG: 'a program that this machine may lack; packages/codecs/src/describe.test.ts',
  PARLEY_WHATSAPP_HISTORY: 'on by default',
  PARLEY_WHATSAPP_PROXY: 'another way to the network; network/whatsapp/link/proxy.test.ts',
  PARLEY_WHATSAPP_PROXIES: 'another way to the network; network/whatsapp/link/proxy.test.ts',
};

const switchedOn = (setting: Setting): string | undefined =>
  ['on', 'open'].find((word) => setting.parse(word) === word && setting.parse('neither') === undefined);

/** Every feature that can be switched on. A new switch is included automatically; any other new setting has to be named above. */
function everyFeature(): Record<string, string> {
  const known = [...Object.keys(GIVEN), ...OF_EACH_CASE, ...Object.keys(LEFT_OUT)];
  const settings: readonly Setting[] = Object.values(SETTINGS);
  const unnamed = settings.filter((each) => !known.includes(each.name) && switchedOn(each) === undefined);
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
    'say in test/process/every-feature.ts how these are switched on, or why not',
  );
  const switches = settings
    .filter(({ name }) => !known.includes(name))
    .map((each) => [each.name, switchedOn(each) ?? '']);
  assert.ok(switches.some(([name]) => name === 'PARLEY_TRACES'));
  return { ...Object.fromEntries(switches), ...GIVEN };
}

interface LogLine {
  readonly level: string;
  readonly msg?: unknown;
}

async function workWithEverything(databaseUrl: string): Promise<string> {
  const [mail, traces, receiver] = [
    await startMailServer(),
    await startTraceCollector(),
    await startReceiver(),
  ];
  const lines: LogLine[] = [];
  const settings = {
    ...everyFeature(),
    PARLEY_DATA_DIR: newFolder(),
    PARLEY_PORT: '0',
    PARLEY_DATABASE_URL: databaseUrl,
    PARLEY_MAIL_URL: mail.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  };
  const { child, url } = await launch('start', settings, (line) => lines.push(JSON.parse(line)));
  try {
    const gateway = gatewayAt([url]);
    const ada = await newPhone(gateway);
    const me = await linkNumber(gateway);
    const session = `/sessions/${encodeURIComponent(me.sessionId)}`;
    const kept = await me.call<History>('PUT', `${session}/history`, { enabled: true });
    assert.equal(kept.status, 200, JSON.stringify(kept.body));
    const hooks = { messages_url: `${receiver.url}/messages`, status_url: `${receiver.url}/status` };
    const webhook = await me.call('POST', '/webhooks', { session_id: me.sessionId, ...hooks });
    assert.equal(webhook.status, 201, JSON.stringify(webhook.body));

    const message = { session_id: me.sessionId, to: ada, text: 'with everything on' };
    const sent = await me.call<{ message_id: string }>('POST', '/messages', message, 'every-feature');
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    const untilDelivered = (...words: string[]): Promise<unknown> =>
      until(
        words.join(' '),
        () => receiver.deliveries.some(({ body }) => words.every((word) => body.includes(word))),
        (isDelivered) => isDelivered,
      );
    await untilDelivered('"status"', sent.body.message_id, '"sent"');
    await untilDelivered('"receipt"', sent.body.message_id, '"delivered"');
    await gateway.sandbox('POST', `/phones/${ada}/messages`, { to: me.phone, text: 'and back' });
    await untilDelivered('"message"', '"and back"');

    await workInTheCompatibleInterfaces(url, me, ada);
    await signUpAndIn(url);
    await until(
      'the mail',
      () => mail.mails.length,
      (count) => count > 0,
    );
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    assert.match(await metrics.text(), /parley_sends_total\{outcome="sent",reason=""\} [1-9]/);
    await until(
      'a trace',
      () => traces.spans.length,
      (count) => count > 0,
    );
  } finally {
    await stopProcess(child, 'SIGTERM');
    await mail.close();
    traces.close();
    receiver.close();
  }
  assert.equal(child.exitCode, 0);
  const bad = lines.filter(
    ({ level, msg }) => ['error', 'fatal'].includes(level) || typeof msg !== 'string' || msg === '',
  );
  assert.deepEqual(bad, [], 'log lines with a failure, or without a message');
  assert.ok(lines.some(({ msg }) => msg === 'stopped'));
  return `${lines.length} lines of the log`;
}

async function workInTheCompatibleInterfaces(
  url: string,
  me: { readonly apiKey: string; readonly phone: string },
  ada: string,
): Promise<void> {
  const ask = async (path: string, headers: Record<string, string>, body: object): Promise<void> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
  };
  const evolution = { apikey: me.apiKey };
  await ask('/evolution/instance/create', evolution, { instanceName: 'shop' });
  await ask('/evolution/message/sendText/shop', evolution, { number: ada, text: 'by Evolution' });
  const cloud = { authorization: `Bearer ${me.apiKey}` };
  const text = { messaging_product: 'whatsapp', to: ada, type: 'text', text: { body: 'by the Cloud API' } };
  await ask(`/cloud/v23.0/${me.phone}/messages`, cloud, text);
}

async function signUpAndIn(url: string): Promise<void> {
  const owner = { email: 'owner@example.com', password: 'correct horse battery' };
  const ask = (path: string, body: object): Promise<Response> =>
    fetch(`${url}/portal/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-parley-portal': '1',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify(body),
    });
  const up = await ask('/sign-up', { name: 'Harbour Books', ...owner });
  assert.equal(up.status, 201, await up.text());
  const within = await ask('/sign-in', owner);
  assert.equal(within.status, 200, await within.text());
}

export const everyFeatureCases: Cases = {
  async 'with every feature on, the embedded database: sends, receives, delivers, signs in, and logs no error'() {
    return workWithEverything(`sqlite:${newFolder()}/parley.db`);
  },

  async 'with every feature on, PostgreSQL: sends, receives, delivers, signs in, and logs no error'() {
    const postgres = await startPostgres();
    const database = await createPostgresDatabase(postgres.url);
    try {
      return await workWithEverything(database.url);
    } finally {
      await database.drop();
      await postgres.stop();
    }
  },
};
