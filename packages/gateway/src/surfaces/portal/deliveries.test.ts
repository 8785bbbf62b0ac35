import type {
  DeliveryQueued,
  DeliveryReplay,
  FailingReceiver,
  PortalDelivery,
  PortalDeliveryDetail,
  Webhook,
  WebhookWithSecret,
} from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { expectRefusal } from './testing/browser.ts';
import { type Hook, startHook } from './testing/hook.ts';
import { type Owner, register, signIn } from './testing/owners.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };

describe('the deliveries of a webhook in the portal', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let hook: Hook;
  let webhook: string;
  const path = () => `/webhooks/${webhook}`;

  beforeAll(async () => {
    gateway = await startGateway({ clock: createSystemClock() });
    hook = await startHook();
    ada = await signIn(gateway);
    const { phone } = await register(ada);
    const made = await ada.browser.post<WebhookWithSecret>(`/numbers/${phone}/webhook`, {
      messages_url: hook.url,
      events_url: hook.url,
    });
    webhook = made.id;
  });
  afterAll(async () => {
    await gateway.close();
    await hook.close();
  });

  const search = async (query = '') =>
    (await ada.browser.get<{ deliveries: PortalDelivery[] }>(`${path()}/deliveries?${query}`)).deliveries;
  const detail = (id: string) => ada.browser.get<PortalDeliveryDetail>(`${path()}/deliveries/${id}`);
  const failing = async () =>
    (await ada.browser.get<{ receivers: FailingReceiver[] }>('/failing-receivers')).receivers;
  const test = (kind?: string) => ada.browser.post<DeliveryQueued>(`${path()}/test`, { kind });
  const ended = (id: string) =>
    expect
      .poll(() => detail(id), PATIENCE)
      .toMatchObject({ status: expect.stringMatching(/^(delivered|dead)$/) });

  it('shows a sample of any kind with its request, its answer and the beginning of the body', async () => {
    hook.answer = (response) =>
      response.writeHead(200, { 'x-served-by': 'till 3' }).end(`thanks ${'x'.repeat(6_000)}`);
    const { delivery_id } = await test('poll_vote');
    await ended(delivery_id);
    const found = await detail(delivery_id);
    expect(found).toMatchObject({
      webhook_id: webhook,
      kind: 'poll_vote',
      test: true,
      repeatable: false,
      counterparty: expect.stringContaining('@'),
      attempts: [
        {
          status_code: 200,
          cause: null,
          answer: { cut: true, body: expect.stringMatching(/^thanks x+$/) },
        },
      ],
    });
    expect(found.attempts[0]?.answer?.body).toHaveLength(4 * 1024);
    expect(found.attempts[0]?.answer?.headers).toContainEqual({ name: 'x-served-by', value: 'till 3' });
    expect(found.request.headers).toContainEqual({ name: 'X-Message-ID', value: found.event_id });
    expectRefusal(
      await ada.browser.ask('POST', `${path()}/deliveries/${delivery_id}/redeliver`),
      'delivery_content_gone',
    );
    expectRefusal(
      await ada.browser.ask('POST', `${path()}/deliveries/${delivery_id}/hurry`),
      'delivery_not_waiting',
    );
    expectRefusal(await ada.browser.ask('GET', `${path()}/deliveries/dl_zzzz`), 'delivery_not_found');
    expectRefusal(await ada.browser.ask('POST', `${path()}/test`, { kind: 'status' }), 'webhook_has_no_url');
  });

  it('stores answers sealed, and shows them only to their owner', async () => {
    const [row] = await gateway.app.store.read.selectFrom('deliveries').selectAll().execute();
    expect(Buffer.from(row?.answers ?? []).includes('thanks')).toBe(false);
    const eve = await signIn(gateway);
    const [newest] = await search();
    for (const address of ['', `/${newest?.delivery_id}`])
      expectRefusal(await eve.browser.ask('GET', `${path()}/deliveries${address}`), 'webhook_not_found');
    expect((await eve.browser.get<{ receivers: unknown[] }>('/failing-receivers')).receivers).toEqual([]);
  });

  it('finds them by id, counterparty, status, words of the error and time', async () => {
    hook.answer = (response) => response.writeHead(401).end('who are you?');
    const { delivery_id } = await test('message');
    await expect.poll(async () => (await detail(delivery_id)).attempts.length, PATIENCE).toBe(1);
    const found = await detail(delivery_id);
    expect(found.attempts[0]).toMatchObject({ cause: 'unauthorized', answer: { body: 'who are you?' } });
    const ids = async (text: string, more = '') =>
      (await search(`search=${encodeURIComponent(text)}${more}`)).map((each) => each.delivery_id);
    const counterparty = found.counterparty ?? '';
    const digits = counterparty.replace(/@.*/, '');
    for (const text of [
      found.event_id.toUpperCase(),
      String(found.event.message_id),
      '401',
      `+${digits.slice(0, 1)} ${digits.slice(1)}`,
    ])
      expect(await ids(text)).toContain(delivery_id);
    expect(await ids('503')).toEqual([]);
    expect(await ids('100% of nothing_')).toEqual([]);
    expect(await ids('401', `&to_unix=${found.queued_at_unix - 60}`)).toEqual([]);
    expect(await ids('401', `&from_unix=${found.queued_at_unix}`)).toEqual([delivery_id]);
  });

  it('reports a failing receiver, retries on request, and reports its recovery', async () => {
    const waiting = (await search('status=pending'))[0]?.delivery_id ?? '';
    for (let again = 0; again < 2; again++) {
      const before = (await detail(waiting)).attempts.length;
      await ada.browser.post(`${path()}/deliveries/${waiting}/hurry`);
      await expect.poll(async () => (await detail(waiting)).attempts.length, PATIENCE).toBe(before + 1);
    }
    await expect
      .poll(failing, PATIENCE)
      .toMatchObject([
        { url: hook.url, cause: 'unauthorized', status_code: 401, waiting: 1, left_alone: false },
      ]);
    expectRefusal(
      await ada.browser.ask('POST', `${path()}/deliveries/${waiting}/redeliver`),
      'delivery_waiting',
    );
    await ada.browser.ask('PUT', path(), { paused: true });
    expect(await failing()).toEqual([]);
    await ada.browser.ask('PUT', path(), { paused: false });
    hook.answer = (response) => response.end();
    expect((await ada.browser.ask('POST', `${path()}/hurry`)).statusCode).toBe(204);
    await ended(waiting);
    await expect.poll(failing, PATIENCE).toEqual([]);
    expect((await detail(waiting)).attempts.map(({ answer }) => answer?.body)).toEqual([
      'who are you?',
      'who are you?',
      'who are you?',
      '',
    ]);
  });

  it('replays all dead letters, or those of a period, and reports progress', async () => {
    expectRefusal(await ada.browser.ask('POST', `${path()}/replays`, { what: 'dead' }), 'nothing_to_replay');
    const { store } = gateway.app;
    const before = await gateway.app.store.read
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhook)
      .executeTakeFirstOrThrow();
    const event = JSON.stringify({ kind: 'message', message_id: 'M1' });
    await store.transaction((trx) =>
      trx
        .insertInto('deliveries')
        .values(
          Array.from({ length: 20 }, (_, each) => ({
            account_id: before.account_id,
            webhook_id: webhook,
            event_seq: null,
            event_id: `replayed_${each}`,
            kind: 'message' as const,
            category: 'messages' as const,
            url: 'http://127.0.0.1:1/gone',
            size: event.length,
            status: each < 12 ? ('dead' as const) : ('delivered' as const),
            queued_at: Date.now() - 60_000,
            due_at: Date.now() - 60_000,
            event,
          })),
        )
        .execute(),
    );
    const countBefore = hook.bodies.length;
    const dead = await ada.browser.post<DeliveryReplay>(`${path()}/replays`, { what: 'dead' });
    expect(dead.total).toBe(12);
    const progress =
      ({ replay_id }: DeliveryReplay) =>
      () =>
        ada.browser.get<DeliveryReplay>(`${path()}/replays/${replay_id}`);
    await expect.poll(progress(dead), PATIENCE).toMatchObject({ total: 12, delivered: 12, waiting: 0 });
    expect(hook.bodies.length - countBefore).toBe(12);

    const to_unix = Math.floor(Date.now() / 1_000) - 30;
    const all = await ada.browser.post<DeliveryReplay>(`${path()}/replays`, {
      what: 'all',
      from_unix: to_unix - 3_600,
      to_unix,
    });
    expect(all.total).toBe(8);
    await expect.poll(progress(all), PATIENCE).toMatchObject({ delivered: 8 });
  });

  it('keeps events while the webhook is paused', async () => {
    const update = async (body: object) =>
      (await ada.browser.ask('PUT', path(), body)).json() as unknown as Webhook;
    expect(await update({ paused: true })).toMatchObject({ active: true, paused: true });
    const countBefore = hook.bodies.length;
    const { delivery_id } = await test();
    expect(await detail(delivery_id)).toMatchObject({ status: 'pending', attempts: [] });
    expect(await update({ paused: false })).not.toHaveProperty('paused');
    await ended(delivery_id);
    expect(hook.bodies.length).toBe(countBefore + 1);
  });
});
