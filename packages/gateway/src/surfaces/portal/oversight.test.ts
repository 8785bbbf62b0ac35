import type {
  AuditLog,
  DeadLetter,
  PortalNumber,
  QuarantineEntry,
  Queues,
  RegisteredNumber,
} from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { type Browser, expectRefusal, openBrowser } from './testing/browser.ts';
import { type Owner, register, signIn } from './testing/owners.ts';

describe('the operator in the portal', () => {
  let gateway: TestGateway;
  let operator: Browser;
  let ada: Owner;
  let number: PortalNumber;

  beforeAll(async () => {
    gateway = await startGateway();
    operator = openBrowser(gateway);
    await operator.post('/operator/sign-in', { token: OPERATOR_TOKEN });
    ada = await signIn(gateway);
    number = await register(ada, 'pro');
  });
  afterAll(() => gateway.close());

  it('sees the numbers of all accounts', async () => {
    const { devices } = await operator.get<{ devices: RegisteredNumber[] }>('/operator/v1/devices');
    expect(devices).toEqual([
      expect.objectContaining({ account_id: ada.accountId, slot_id: number.slot_id, quota: 10_000 }),
    ]);
  });

  it('reads the audit log page by page', async () => {
    const read = (query = '') => operator.get<AuditLog>(`/operator/v1/audit${query}`);
    const { entries } = await read();
    expect(entries[0]).toMatchObject({
      action: 'device.registered',
      actor: expect.stringMatching(/^member:mem_/),
    });
    expect(entries[1]).toMatchObject({ action: 'account.created', actor: 'operator', detail: {} });
    expect((await read('?limit=1')).entries).toEqual(entries.slice(0, 1));
    expect((await read(`?limit=1&before=${entries[0]?.entry_id}`)).entries).toEqual(entries.slice(1, 2));
    expect((await read('?account_id=acc_unknown')).entries).toEqual([]);
    expect((await read('?before=nonsense')).entries).toEqual([]);
  });

  it('publishes terms and sees all their versions, the one in force first', async () => {
    for (const version of ['v1', 'v2'])
      await operator.post('/operator/v1/tos', {
        version,
        url: `https://parley.example/${version}`,
        now: true,
      });
    expect(await operator.get('/operator/v1/tos')).toMatchObject({
      versions: [{ version: 'v2' }, { version: 'v1' }],
    });
    await ada.browser.post('/terms/accept', { version: 'v2' });
  });

  it('sees and deletes events that could not be stored', async () => {
    const row = { account_id: ada.accountId, slot_id: number.slot_id, kind: 'message', reason: 'too deep' };
    const sealed = Buffer.from('sealed');
    await gateway.app.store.transaction((trx) =>
      trx
        .insertInto('quarantine')
        .values(['qua_1', 'qua_2'].map((id, at) => ({ ...row, id, at, size: 6, sealed })))
        .execute(),
    );
    const listed = async () =>
      (await operator.get<{ entries: QuarantineEntry[] }>('/operator/v1/quarantine')).entries;
    expect(await listed()).toMatchObject([
      { quarantine_id: 'qua_2', account_id: ada.accountId, phone: number.phone, reason: 'too deep', size: 6 },
      { quarantine_id: 'qua_1' },
    ]);
    const drop = () => operator.ask('DELETE', '/operator/v1/quarantine/qua_2');
    expect((await drop()).statusCode).toBe(204);
    expectRefusal(await drop(), 'quarantined_not_found');
    expect(await listed()).toMatchObject([{ quarantine_id: 'qua_1' }]);
    const { entries } = await operator.get<AuditLog>('/operator/v1/audit?limit=1');
    expect(entries).toMatchObject([
      { action: 'quarantine.dropped', subject: 'qua_2', account_id: ada.accountId },
    ]);
    expect((await ada.browser.ask('DELETE', '/operator/v1/quarantine/qua_1')).statusCode).toBe(401);
  });

  it('sees and replays dead letters', async () => {
    const { browser } = ada;
    const url = 'https://app.invalid/hook';
    const hook = await browser.post<{ id: string }>(`/numbers/${number.phone}/webhook`, {
      messages_url: url,
    });
    await browser.ask('PUT', `/webhooks/${hook.id}`, { active: false });
    await browser.post(`/webhooks/${hook.id}/test`, {});
    expect((await operator.get<Queues>('/operator/v1/queues')).deliveries).toMatchObject({
      paused: 1,
      dead: 0,
    });
    // Deliveries without an address are dead.
    await browser.ask('PUT', `/webhooks/${hook.id}`, { messages_url: '' });
    const queues = await operator.get<Queues>('/operator/v1/queues');
    expect(queues).toEqual({
      outbox: { waiting: 0, oldest_at: null },
      deliveries: { pending: 0, paused: 0, dead: 1, oldest_at: null },
    });

    const listDead = () => operator.get<{ dead_letters: DeadLetter[] }>('/operator/v1/dead-letters');
    const [dead] = (await listDead()).dead_letters;
    expect(dead).toMatchObject({
      account_id: ada.accountId,
      webhook_id: hook.id,
      phone: number.phone,
      status: 'dead',
      kind: 'message',
      url,
    });
    const again = () => operator.ask('POST', `/operator/v1/dead-letters/${dead?.delivery_id}/redeliver`);
    expectRefusal(await again(), 'webhook_has_no_url');
    await browser.ask('PUT', `/webhooks/${hook.id}`, { messages_url: url });
    expect((await again()).statusCode).toBe(202);
    expect((await listDead()).dead_letters).toEqual([]);
    expectRefusal(await again(), 'delivery_not_dead');
    const unknown = await operator.ask('POST', '/operator/v1/dead-letters/dl_zzz/redeliver');
    expectRefusal(unknown, 'delivery_not_found');
  });

  it('sees sessions and workers', async () => {
    expect(await operator.get('/operator/v1/sessions')).toEqual({ sessions: [], next_cursor: null });
    const { workers } = await operator.get<{ workers: object[] }>('/operator/v1/workers');
    expect(workers).toMatchObject([{ sessions: 0 }]);
  });

  it('gets the gateway’s time with every answer, and measures the uptime of workers by it', async () => {
    gateway.clock.advance(40 * 86_400_000);
    const answer = await operator.ask('GET', '/operator/v1/workers');
    const now = gateway.clock.now();
    expect(answer.headers.date).toBe(new Date(now).toUTCString());
    const [worker] = answer.json<{ workers: { last_seen: string }[] }>().workers;
    expect(Math.abs(Date.parse(worker?.last_seen ?? '') - now)).toBeLessThan(60_000);
  });
});
