import type {
  ActivityPage,
  DailyUsage,
  EventDetail,
  MessageLife,
  MessagePage,
  MessageRecord,
  NumberUsageList,
  Onboarding,
  PortalNumber,
} from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { expectRefusal } from './testing/browser.ts';
import { type Hook, startHook } from './testing/hook.ts';
import { newPhone, type Owner, register, signIn } from './testing/owners.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

describe('a number that is linked in the portal', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let phone: string;
  const friend = newPhone();
  let hook: Hook;
  let hookId: string;

  const sandbox = (method: 'GET' | 'POST', path: string, body?: object) =>
    ada.browser.post<{ status: number; body: unknown }>('/sandbox', { method, path, ...(body && { body }) });
  const number = () => ada.browser.get<PortalNumber>(`/numbers/${phone}`);
  const testSend = (text: string, from = phone) =>
    ada.browser.ask('POST', '/test-sends', { session_id: `${from}@s.whatsapp.net`, to: friend, text });
  const messages = async (query = '') =>
    (await ada.browser.get<{ messages: MessageRecord[] }>(`/numbers/${phone}/messages${query}`)).messages;

  beforeAll(async () => {
    gateway = await startGateway({ clock: createSystemClock() });
    await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
    ada = await signIn(gateway);
    ({ phone } = await register(ada));
    hook = await startHook();
    const urls = { messages_url: hook.url, status_url: hook.url };
    hookId = (await ada.browser.post<{ id: string }>(`/numbers/${phone}/webhook`, urls)).id;
    for (const each of [phone, friend])
      expect(await sandbox('POST', '/phones', { phone: each, name: each })).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await gateway.close();
    await hook.close();
  });

  it('is scanned by its phone, shows as connected, and cannot be linked twice', async () => {
    const { onboard_id } = await ada.browser.post<Onboarding>(`/numbers/${phone}/pairing`, { method: 'qr' });
    const poll = () => ada.browser.get<Onboarding>(`/pairings/${onboard_id}`);
    await expect.poll(async () => (await poll()).status, PATIENCE).toBe('qr');
    const { qr } = await poll();
    expect(await sandbox('POST', `/phones/${phone}/scan`, { qr })).toMatchObject({ status: 200 });
    await expect.poll(async () => (await poll()).status, PATIENCE).toBe('paired');

    await expect
      .poll(async () => (await number()).session, PATIENCE)
      .toMatchObject({ phone, status: 'connected' });
    const again = await ada.browser.ask('POST', `/numbers/${phone}/pairing`, { method: 'code' });
    expectRefusal(again, 'number_already_linked');
  });

  it('streams its events live, lists them newest first, and omits their content', async () => {
    const stream = await readStream(`${gateway.app.http.listeningOrigin}/portal/api/events/stream`, ada);
    const sent = await sandbox('POST', `/phones/${friend}/messages`, { to: phone, text: 'meet me at noon' });
    expect(sent.status).toBe(201);
    await expect.poll(() => stream.text(), PATIENCE).toContain('event: message');
    stream.close();
    expect(stream.text()).toContain('[redacted: 15 bytes]');
    expect(stream.text()).not.toContain('meet me at noon');

    const page = await ada.browser.get<ActivityPage>('/events');
    expect(page.events[0]).toMatchObject({ phone, kind: 'message', event: { text: '[redacted: 15 bytes]' } });
    const [newest, older] = page.events;
    const behind = await ada.browser.get<ActivityPage>(`/events?before=${newest?.cursor}&limit=1`);
    expect(behind.events).toEqual([older]);
    expect((await ada.browser.get<ActivityPage>('/events?kind=call')).events).toEqual([]);
    expectRefusal(await ada.browser.ask('GET', '/events?before=nonsense'), 'cursor_invalid');
  });

  it('sends a test message, at most once in ten seconds', async () => {
    const accepted = await testSend('first');
    expect(accepted.statusCode).toBe(202);
    const tooSoon = await testSend('second');
    expectRefusal(tooSoon, 'test_send_too_soon');
    expect(Number(tooSoon.headers['retry-after'])).toBeGreaterThan(5);
    expect(Number(tooSoon.headers['retry-after'])).toBeLessThanOrEqual(10);

    const { message_id } = accepted.json<{ message_id: string }>();
    await expect
      .poll(async () => (await messages())[0], PATIENCE)
      .toMatchObject({ message_id, status: 'delivered', type: 'text' });
    expect((await number()).sending).toMatchObject({ consecutive: 1, queued: 0 });
  });

  it('has searchable messages, each with its progress and the webhook deliveries about it', async () => {
    const search = (query: string) => ada.browser.get<MessagePage>(`/messages?${query}`);
    const [sent] = (await search(`search=%2B${friend}&status=delivered`)).messages;
    expect(sent).toMatchObject({
      phone,
      with: `${friend}@s.whatsapp.net`,
      type: 'text',
      status: 'delivered',
    });
    expect((await search('status=failed')).messages).toEqual([]);
    expect((await search('search=unknown')).messages).toEqual([]);
    expect((await search(`phone=${phone}&search=${sent?.message_id}`)).messages).toEqual([sent]);
    expect((await search(`to_unix=${(sent?.at_unix ?? 0) - 60}`)).messages).toEqual([]);
    expectRefusal(await ada.browser.ask('GET', '/messages?phone=15559999999'), 'device_not_found');

    const life = await ada.browser.get<MessageLife>(`/messages/${sent?.message_id}`);
    expect(life).toMatchObject({ phone, status: 'delivered', waiting: null });
    expect(life.steps.map(({ state }) => state)).toEqual(['accepted', 'sent', 'delivered']);
    expect(life.steps.every(({ at_unix }) => at_unix !== null)).toBe(true);
    expect(life.steps.at(-1)).toMatchObject({ people: 1 });
    const kinds = () => life.deliveries.map(({ kind, webhook_id }) => ({ kind, webhook_id }));
    expect(kinds()).toContainEqual({ kind: 'status', webhook_id: hookId });
    expect(kinds()).toContainEqual({ kind: 'receipt', webhook_id: hookId });
    expectRefusal(await ada.browser.ask('GET', '/messages/3EB0NONE'), 'message_not_found');

    const [received] = (await search(`direction=in&search=${friend}`)).messages;
    expect(received).toMatchObject({ phone, with: `${friend}@s.whatsapp.net`, status: null });
    expect((await search('direction=in&search=meet')).messages).toEqual([]);
    const event = await ada.browser.get<EventDetail>(`/events/${received?.cursor}`);
    expect(event).toMatchObject({ phone, kind: 'message', event: { text: '[redacted: 15 bytes]' } });
    expect(event.deliveries.map(({ event_id }) => event_id)).toEqual([event.event_id]);
    expectRefusal(await ada.browser.ask('GET', '/events/zz-zz'), 'event_not_found');
    expectRefusal(await ada.browser.ask('GET', '/events/nonsense'), 'cursor_invalid');
    const eve = await signIn(gateway);
    expectRefusal(await eve.browser.ask('GET', `/events/${received?.cursor}`), 'event_not_found');
    expectRefusal(await eve.browser.ask('GET', `/messages/${sent?.message_id}`), 'message_not_found');
    expect((await eve.browser.get<MessagePage>('/messages?direction=in')).messages).toEqual([]);
  });

  it('does not count a refused test', async () => {
    const idle = await register(ada);
    expectRefusal(await testSend('hosted by no process', idle.phone), 'session_not_hosted');
    expectRefusal(await testSend('hosted by no process', idle.phone), 'session_not_hosted');
  });

  it('lists its sends page by page, and counts them by day', async () => {
    const send = (text: string) => ({ session_id: `${phone}@s.whatsapp.net`, to: friend, text });
    const key = await ada.browser.post<{ api_key: string }>('/api-keys', { name: 'test' });
    for (const text of ['a', 'b']) {
      const answer = await gateway.request({
        method: 'POST',
        url: '/v1/messages',
        key: key.api_key,
        headers: { 'idempotency-key': text },
        body: send(text),
      });
      expect(answer.statusCode).toBe(202);
    }
    const all = await messages();
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(all.map(({ accepted_at_unix: at }) => at)).toEqual(
      all.map(({ accepted_at_unix: at }) => at).toSorted((a, b) => b - a),
    );
    const first = await messages('?limit=1');
    const second = await messages(`?limit=1&before=${first[0]?.message_id}`);
    expect([...first, ...second].map(({ message_id }) => message_id)).toEqual(
      all.slice(0, 2).map(({ message_id }) => message_id),
    );
    expect(await messages('?status=failed')).toEqual([]);

    await expect
      .poll(async () => (await ada.browser.get<DailyUsage>('/usage?days=2')).days, PATIENCE)
      .toMatchObject([
        { accepted: 0, sent: 0, delivered: 0, failed: 0, received: 0 },
        { accepted: all.length, sent: all.length, delivered: all.length, failed: 0, received: 1 },
      ]);
    const { numbers } = await ada.browser.get<NumberUsageList>('/usage/numbers?days=1');
    expect(numbers[0]).toMatchObject({ phone, accepted: all.length, received: 1 });
    const csv = await ada.browser.ask('GET', '/usage.csv?days=2');
    expect(csv.headers['content-disposition']).toContain('messages.csv');
    const [head, only, ...rest] = csv.body.split('\r\n');
    expect(head).toBe('date,phone,accepted,sent,delivered,failed,received');
    expect(only).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d,${phone},${all.length},${all.length},.*,0,1$`));
    expect(rest).toEqual(['']);
    expect((await ada.browser.get<DailyUsage>(`/usage?days=1&phone=${phone}`)).days).toHaveLength(1);
  });

  it('is unlinked on request', async () => {
    expect((await ada.browser.ask('DELETE', `/numbers/${phone}/session`)).statusCode).toBe(204);
    expect((await number()).session).toBeNull();
    gateway.clock.advance(10_000);
    expectRefusal(await testSend('too late'), 'session_not_hosted');
  });
});

/** Reads a stream of events as a browser does. */
async function readStream(url: string, { browser }: Owner) {
  const patience = new AbortController();
  const answer = await fetch(url, { headers: { cookie: browser.cookie }, signal: patience.signal });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let text = '';
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })();
  reading.catch(() => {});
  return { text: () => text, close: () => patience.abort() };
}
