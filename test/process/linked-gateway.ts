import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { newFolder } from './environment.ts';
import { clock, type Parley, startParley } from './parley.ts';
import { startSandbox } from './sandbox.ts';

const TOKEN = 'token-of-the-operator';
const NUMBER = '15550007001';
const ADA = '15550007002';
const PATIENCE_MS = 60_000;

interface Sent {
  readonly id: string;
  readonly text: string;
}

/** A gateway with a linked number, on a sandbox that outlives it. */
interface LinkedGateway extends Numbered {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  readonly apiKey: string;
  /** Another phone, and its messages. */
  readonly ada: {
    readonly phone: string;
    writes(): Promise<string>;
    hasExactlyOnce(texts: readonly string[]): Promise<void>;
  };
  /** The same installation again, with another environment. */
  restart(env: Record<string, string>): Promise<Numbered>;
}

interface Numbered {
  readonly gateway: Parley;
  /** Sends so many messages, and returns the accepted ones. */
  send(count: number): Promise<Sent[]>;
  /** The final status of the message. */
  status(): Promise<string>;
  messageOf(id: string): Promise<{ message_id: string; status: string }>;
  /** Waits until all of them came in as events. */
  hasReceived(texts: readonly string[]): Promise<void>;
}

let texts = 0;

export async function openLinkedGateway(further: Record<string, string> = {}): Promise<LinkedGateway> {
  const sandbox = await startSandbox(newFolder());
  const dataDir = newFolder();
  const env = {
    PARLEY_SANDBOX_URL: sandbox.url,
    PARLEY_OPERATOR_TOKEN: TOKEN,
    PARLEY_MASTER_KEY: randomBytes(32).toString('base64'),
    ...further,
  };
  const gateway = await startParley({ dataDir, env });
  await gateway.ready();
  const apiKey = await linkNumber(gateway.url);
  return {
    ...numbered(gateway, apiKey),
    dataDir,
    env,
    apiKey,
    ada: {
      phone: ADA,
      async writes() {
        const text = `message ${++texts}`;
        await ask(sandbox.url, `/sandbox/v1/phones/${ADA}/messages`, { body: { to: NUMBER, text } });
        return text;
      },
      hasExactlyOnce: (expected) =>
        eventually(async () => {
          const path = `/sandbox/v1/phones/${ADA}/messages`;
          const { messages } = await ask<{ messages: { text: string }[] }>(sandbox.url, path);
          const counts = expected.map((text) => messages.filter((message) => message.text === text).length);
          assert.ok(!counts.some((count) => count > 1), 'a message came twice');
          return counts.every((count) => count === 1);
        }),
    },
    async restart(surroundings) {
      const again = await startParley({ dataDir, env: { ...env, ...surroundings } });
      await again.ready();
      return numbered(again, apiKey);
    },
  };
}

function numbered(gateway: Parley, apiKey: string): Numbered {
  const call = <T>(path: string, body?: object) => ask<T>(gateway.url, path, { token: apiKey, body });
  const sessionOf = async (): Promise<string | undefined> =>
    (await call<{ sessions: { status: string }[] }>('/v1/sessions')).sessions[0]?.status;
  return {
    gateway,
    send: (count) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const text = `message ${++texts}`;
          const body = { session_id: `${NUMBER}@s.whatsapp.net`, to: ADA, text };
          const { message_id: id } = await call<{ message_id: string }>('/v1/messages', body);
          return { id, text };
        }),
      ),
    async status() {
      let status: string | undefined;
      await eventually(async () => {
        status = await sessionOf();
        return status !== 'reconnecting';
      });
      return status ?? 'none';
    },
    messageOf: (id) => call(`/v1/messages/${id}`),
    hasReceived: (expected) =>
      eventually(async () => {
        const { events } = await call<{ events: unknown[] }>('/v1/events?kind=message&limit=100');
        const eventText = JSON.stringify(events);
        return expected.every((text) => eventText.includes(`"${text}"`));
      }),
  };
}

/** As an operator and the number's owner do it. */
async function linkNumber(url: string): Promise<string> {
  const operator = <T>(path: string, body: object, method?: string) =>
    ask<T>(url, `/operator/v1${path}`, { body, method });
  for (const phone of [NUMBER, ADA]) await ask(url, '/sandbox/v1/phones', { body: { phone, name: phone } });
  const { account_id } = await operator<{ account_id: string }>('/accounts', {
    name: 'Harbour Books',
    email: 'ada@example.com',
  });
  const generous = { per_minute: 5_000, per_period: 1_000_000 };
  await operator(`/accounts/${account_id}`, { partner_limits: generous }, 'PATCH');
  const { slot_id } = await operator<{ slot_id: string }>(`/accounts/${account_id}/devices`, {
    phone: NUMBER,
    plan: 'partner',
  });
  const { api_key } = await operator<{ api_key: string }>(`/accounts/${account_id}/api-keys`, {
    name: 'all',
  });
  const { onboard_id } = await ask<{ onboard_id: string }>(url, '/v1/sessions/onboard', {
    token: api_key,
    body: { slot_id },
  });
  let scanned = false;
  await eventually(async () => {
    const { qr, session_id } = await ask<{ qr?: string; session_id?: string }>(
      url,
      `/v1/onboard/${onboard_id}`,
      {
        token: api_key,
      },
    );
    if (qr !== undefined && !scanned) {
      scanned = true;
      await ask(url, `/sandbox/v1/phones/${NUMBER}/scan`, { body: { qr } });
    }
    return session_id !== undefined;
  });
  return api_key;
}

async function ask<T>(
  url: string,
  path: string,
  {
    token = TOKEN,
    body,
    method = 'POST',
  }: { token?: string; body?: object | undefined; method?: string | undefined } = {},
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomBytes(8).toString('hex'),
    },
    ...(body && { method, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${path}: ${text}`);
  return text === '' ? (undefined as T) : JSON.parse(text);
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(clock.monotonic() < giveUpAt, 'it never happened');
    await clock.sleep(50);
  }
}
