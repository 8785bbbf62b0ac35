import { until, untilQuiet } from '../until.ts';
import { untilGivenUp } from './dead-deliveries.ts';
import type { PortalGateway } from './gateway.ts';
import { bringPhone, makeOwner, type Owner, registerNumber } from './owners.ts';
import { stripedPicture } from './picture.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** An account with data on every page. And three others: one in trouble, two about to end. */
export interface Furnished extends Disposable {
  readonly owner: Owner;
  /** Linked, with traffic, a webhook and an invoice. */
  readonly phone: string;
  /** Registered, not linked. */
  readonly spare: string;
  readonly webhookId: string;
  readonly invoiceId: string;
  /** An account with a receiver that refuses every event. */
  readonly troubled: { readonly owner: Owner; readonly webhookId: string };
  /** A new account without data. */
  readonly newcomer: Owner;
  readonly suspended: Owner;
  /** Waits until the next test send is allowed. */
  waitForTurn(): Promise<void>;
}

const PHONE = '15550004001';
const SPARE = '15550004002';
const TROUBLED = '15550004003';
/** Enough failures for the receiver to be paused. */
const REFUSALS = 12;
export const FRIENDS = [
  { phone: '15550004101', name: 'Mina Okafor' },
  { phone: '15550004102', name: 'Jonas Weber' },
] as const;
/** Low limits, so that a visible part of them is used. */
const NEGOTIATED = { per_minute: 60, per_period: 80 };
const EVERY_FAILS = 6;
const FIRST_ORDER = 4_200;
const DEAD_DELIVERIES = 2;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Days between registration and link. */
const IDLE_DAYS = 17;
/** Messages on each of the days since; the first period ends among them. */
const DAYS = [1, 2, 4, 3, 5, 2, 1, 4, 5, 3, 5, 4, 2, 3, 5, 4];
/** Messages in each of the last hours. */
const HOURS = [1, 2, 1, 3, 1, 2, 1];
const LINES = ['Your order is ready.', 'We are open until eight.', 'Thank you for your order.'];
const ANSWERS = ['Thank you!', 'See you soon.', 'Great.'];

export async function furnish(gateway: PortalGateway): Promise<Furnished> {
  const owner = await makeOwner(gateway, 'Blue Kiosk');
  await gateway.operator('PATCH', `/accounts/${owner.accountId}`, { partner_limits: NEGOTIATED });
  await gateway.operator('PATCH', '/billing', PRICES);
  await registerNumber(gateway, owner, PHONE, 'partner');
  await registerNumber(gateway, owner, SPARE, 'pro');
  for (const person of [{ phone: PHONE, name: owner.name }, ...FRIENDS])
    await bringPhone(gateway, owner, person);
  const known = { phone: PHONE, first_name: owner.name, full_name: owner.name };
  for (const { phone } of FRIENDS) await gateway.sandbox('POST', `/phones/${phone}/contacts`, known);
  const newcomer = await makeOwner(gateway, 'Corner Bakery');
  const suspended = await makeOwner(gateway, 'Red Lantern');
  await gateway.operator('PATCH', `/accounts/${suspended.accountId}`, { status: 'suspended' });
  await pass(gateway, IDLE_DAYS * DAY_SECONDS);

  const ask = askWith(gateway, await makeKeys(gateway, owner));
  const receiver = await startReceiver();
  const unresponsive = await startReceiver();
  unresponsive.answer = () => 500;
  const urls = { messages_url: receiver.url, status_url: receiver.url, events_url: receiver.url };
  const webhook = await ask<{ id: string }>('POST', '/v1/webhooks', {
    session_id: sessionOf(PHONE),
    ...urls,
  });
  await link(gateway, ask, owner);
  await ask('PUT', `/v1/sessions/${sessionOf(PHONE)}/history`, { enabled: true, days: 90 });
  for (const messages of DAYS) await talk(gateway, ask, receiver, DAY_SECONDS, messages);
  await gateway.operator('POST', '/invoices/run', {});

  await ask('PUT', `/v1/webhooks/${webhook.id}`, { connection_url: unresponsive.url });
  await writeInVain(gateway, ask, webhook.id);
  unresponsive.answer = () => 200;
  await ask('POST', `/v1/webhooks/${webhook.id}/test`, { category: 'connection' });
  becomeMoody(receiver);
  for (const messages of HOURS) await talk(gateway, ask, receiver, HOUR_SECONDS, messages);

  await sendPicture(gateway);
  const wary = await startReceiver();
  wary.answer = () => 401;

  return {
    owner,
    phone: PHONE,
    spare: SPARE,
    webhookId: webhook.id,
    invoiceId: await newestInvoice(gateway, PHONE),
    troubled: await getIntoTrouble(gateway, wary),
    newcomer,
    suspended,
    waitForTurn: () => pass(gateway, 20),
    [Symbol.dispose]() {
      receiver.close();
      unresponsive.close();
      wary.close();
    },
  };
}

/** Events for a receiver that accepts none of them. */
async function getIntoTrouble(gateway: PortalGateway, { url }: Receiver): Promise<Furnished['troubled']> {
  const owner = await makeOwner(gateway, 'Green Grocer');
  await registerNumber(gateway, owner, TROUBLED);
  const keys = `/accounts/${owner.accountId}/api-keys`;
  const { api_key } = await gateway.operator<{ api_key: string }>('POST', keys, { name: 'Till' });
  const ask = askWith(gateway, api_key);
  const wanted = { session_id: sessionOf(TROUBLED), messages_url: url, status_url: url };
  const { id: webhookId } = await ask<{ id: string }>('POST', '/v1/webhooks', wanted);
  for (let each = 0; each < REFUSALS; each++) await ask('POST', `/v1/webhooks/${webhookId}/test`, {});
  return { owner, webhookId };
}

/** A friend sends a picture, and the owner answers by phone. */
async function sendPicture(gateway: PortalGateway): Promise<void> {
  const [{ phone }] = FRIENDS;
  const picture = {
    media_type: 'image',
    media_base64: stripedPicture().toString('base64'),
    mimetype: 'image/png',
    caption: 'Is it this one?',
  };
  await gateway.sandbox('POST', `/phones/${phone}/messages`, { to: PHONE, ...picture });
  await gateway.sandbox('POST', `/phones/${PHONE}/messages`, { to: phone, text: 'Yes, the blue one.' });
}

const PRICES = {
  currency: 'EUR',
  tax_percent: 19,
  prices: { pro: 1_900, max: 4_900, partner: 9_900 },
  seller: { name: 'Parley Hosting', address: '2 Pier Road\nPortsmouth', tax_id: 'GB123456789' },
  number_prefix: 'R-',
  note: 'Please pay within 14 days.',
};

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

const sessionOf = (phone: string): string => `${phone}@s.whatsapp.net`;

function pass(gateway: PortalGateway, seconds: number): Promise<void> {
  return gateway.sandbox('POST', '/clock', { advance_seconds: seconds });
}

/** Three keys, one of which expires soon; returns the one with all permissions. */
async function makeKeys(gateway: PortalGateway, { accountId }: Owner): Promise<string> {
  const keys = `/accounts/${accountId}/api-keys`;
  const { now_unix } = await gateway.sandbox<{ now_unix: number }>('GET', '/clock');
  await gateway.operator('POST', keys, {
    name: 'Reports',
    phone: PHONE,
    permissions: ['contacts', 'groups'],
    expires_at: new Date((now_unix + 90 * DAY_SECONDS) * 1_000).toISOString(),
  });
  const soon = new Date((now_unix + DAY_SECONDS) * 1_000).toISOString();
  await gateway.operator('POST', keys, { name: 'Trial', permissions: ['messages'], expires_at: soon });
  const { api_key } = await gateway.operator<{ api_key: string }>('POST', keys, { name: 'Order system' });
  return api_key;
}

function askWith(gateway: PortalGateway, key: string): Ask {
  let count = 0;
  return async (method, path, body) => {
    count += 1;
    const response = await fetch(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'idempotency-key': `order-${FIRST_ORDER + count}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text || 'null');
  };
}

/** Fails now and then, so that the charts have failures. */
function becomeMoody(receiver: Receiver): void {
  receiver.answer = () => (receiver.events.length % EVERY_FAILS === 0 ? 503 : 200);
}

/** Messages whose deliveries become dead. */
async function writeInVain(gateway: PortalGateway, ask: Ask, webhookId: string): Promise<void> {
  for (let count = 1; count <= DEAD_DELIVERIES; count++)
    await ask('POST', `/v1/webhooks/${webhookId}/test`, { category: 'connection' });
  await untilGivenUp(gateway, () => ask('GET', `/v1/webhooks/${webhookId}/deliveries?kind=connection`));
}

async function link(gateway: PortalGateway, ask: Ask, { accountId }: Owner): Promise<void> {
  const { devices } = await gateway.operator<{ devices: { slot_id: string; phone: string }[] }>(
    'GET',
    `/accounts/${accountId}/devices`,
  );
  const slot_id = devices.find(({ phone }) => phone === PHONE)?.slot_id;
  const { onboard_id } = await ask<{ onboard_id: string }>('POST', '/v1/sessions/onboard', { slot_id });
  const poll = () => ask<{ qr?: string; session_id?: string }>('GET', `/v1/onboard/${onboard_id}`);
  const qr = await until(async () => (await poll()).qr);
  await gateway.sandbox('POST', `/phones/${PHONE}/scan`, { qr });
  await until(async () => (await poll()).session_id);
}

/** Advances the clock, then both sides write. */
async function talk(
  gateway: PortalGateway,
  ask: Ask,
  { events }: Receiver,
  seconds: number,
  messages: number,
): Promise<void> {
  await pass(gateway, seconds);
  const before = events.length;
  for (let count = 0; count < messages; count++) {
    const { phone } = FRIENDS[count % FRIENDS.length] ?? FRIENDS[0];
    const text = LINES[count % LINES.length];
    await ask('POST', '/v1/messages', { session_id: sessionOf(PHONE), to: phone, text });
    const answer = { to: PHONE, text: ANSWERS[count % ANSWERS.length] };
    await gateway.sandbox('POST', `/phones/${phone}/messages`, answer);
  }
  // Each was sent, delivered and answered.
  await until(() => events.length >= before + 3 * messages);
  await untilQuiet(() => events.length);
}

async function newestInvoice(gateway: PortalGateway, phone: string): Promise<string> {
  const { invoices } = await gateway.operator<{ invoices: { invoice_id: string; phone: string }[] }>(
    'GET',
    '/invoices',
  );
  return invoices.find((invoice) => invoice.phone === phone)?.invoice_id ?? '';
}
