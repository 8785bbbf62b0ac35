import type { Onboarding } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';
import { link, linkedNumber, type RegisteredNumber, register, someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();

type Method = 'onboard' | 'paircode';

/** A registered number whose phone is on the network, not linked yet. */
async function unlinked(): Promise<RegisteredNumber> {
  const { phone } = await someone(gateway);
  return register(gateway, 'max', phone);
}

async function start({ call, slotId }: RegisteredNumber, method: Method = 'onboard'): Promise<string> {
  const { status, body } = await call<Onboarding>('POST', `/sessions/${method}`, { slot_id: slotId });
  expect(status).toBe(200);
  expect(body).toEqual({ onboard_id: expect.stringMatching(/./), status: 'pending' });
  return body.onboard_id;
}

const poll = async ({ call }: RegisteredNumber, id: string): Promise<Onboarding> => {
  const { status, body } = await call<Onboarding>('GET', `/onboard/${id}`);
  expect(status).toBe(200);
  return body;
};

const pollUntil = (number: RegisteredNumber, id: string, status: Onboarding['status']): Promise<Onboarding> =>
  vi.waitFor(async () => {
    const seen = await poll(number, id);
    expect(seen.status).toBe(status);
    return seen;
  }, WATCHING);

const phoneDoes = (phone: string, deed: 'scan' | 'enter-code', body: object): Promise<unknown> =>
  gateway.sandbox('POST', `/phones/${phone}/${deed}`, body);

describe.concurrent('pairing by QR', () => {
  test('goes from pending over qr to paired, with the session JID of the number', async () => {
    const number = await unlinked();
    const id = await start(number);
    const shown = await pollUntil(number, id, 'qr');
    expect(shown).toEqual({ onboard_id: id, status: 'qr', qr: expect.stringMatching(/./) });
    await phoneDoes(number.phone, 'scan', { qr: shown.qr });
    expect(await pollUntil(number, id, 'paired')).toEqual({
      onboard_id: id,
      status: 'paired',
      session_id: expect.stringMatching(new RegExp(`^${number.phone}:\\d+@s\\.whatsapp\\.net$`)),
    });
  });

  test('ends in error, with a reason, when another number scans', { tags: 'anywhere' }, async () => {
    const [number, other] = await Promise.all([unlinked(), someone(gateway)]);
    const id = await start(number);
    const { qr } = await pollUntil(number, id, 'qr');
    await phoneDoes(other.phone, 'scan', { qr });
    const failed = await pollUntil(number, id, 'error');
    expect(failed).toEqual({ onboard_id: id, status: 'error', error: expect.stringMatching(/number/) });
    const phone = await gateway.sandbox<{ linked_devices: [] }>('GET', `/phones/${other.phone}`);
    expect(phone.linked_devices).toEqual([]);
  });

  test('is replaced by a newer attempt: the older one ends in error and its QR is void', async () => {
    const number = await unlinked();
    const first = await start(number);
    const { qr } = await pollUntil(number, first, 'qr');
    const second = await start(number);
    expect(await poll(number, first)).toMatchObject({ status: 'error', error: expect.any(String) });
    await vi.waitFor(
      () => expect(phoneDoes(number.phone, 'scan', { qr })).rejects.toThrow(/: (404|410) /),
      WATCHING,
    );
    const fresh = await pollUntil(number, second, 'qr');
    await phoneDoes(number.phone, 'scan', { qr: fresh.qr });
    await pollUntil(number, second, 'paired');
  });
});

describe.concurrent('pairing by code', () => {
  test('shows two groups of four and is paired after the phone has entered them', async () => {
    const number = await unlinked();
    const id = await start(number, 'paircode');
    const shown = await pollUntil(number, id, 'code');
    expect(shown).toEqual({
      onboard_id: id,
      status: 'code',
      code: expect.stringMatching(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/),
    });
    await phoneDoes(number.phone, 'enter-code', { code: shown.code });
    expect(await pollUntil(number, id, 'paired')).toMatchObject({
      session_id: expect.stringContaining(number.phone),
    });
  });
});

describe('pairing again', () => {
  test('is refused while the number is linked and online', async () => {
    const number = await linkedNumber(gateway);
    for (const method of ['onboard', 'paircode']) {
      expect(await number.call('POST', `/sessions/${method}`, { slot_id: number.slotId })).toMatchObject({
        status: 409,
        body: { error: 'number is already linked; delete the session first' },
      });
    }
  });

  test('works after the phone has unlinked the number, and gives a new session', async () => {
    const number = await linkedNumber(gateway);
    await gateway.sandbox('POST', `/phones/${number.phone}/unlink`, { session_id: number.sessionId });
    await vi.waitFor(
      async () => expect(await number.on('GET', '')).toMatchObject({ body: { status: 'logged_out' } }),
      WATCHING,
    );
    const again = await link(number);
    expect(again.sessionId).not.toBe(number.sessionId);
  });
});

describe('a pairing request', { tags: 'anywhere' }, () => {
  let number: RegisteredNumber;
  let other: RegisteredNumber;
  let onboarding: string;
  beforeAll(async () => {
    [number, other] = await Promise.all([unlinked(), unlinked()]);
    onboarding = await start(other);
  });

  const refused = (status: number, error: string) => ({ status, body: { error } });

  test.each(['onboard', 'paircode'])('by %s is refused for a foreign slot', async (method) => {
    const ask = (slotId: string) => number.call('POST', `/sessions/${method}`, { slot_id: slotId });
    const notFound = refused(404, 'device not found');
    expect(await ask('slot_does_not_exist')).toMatchObject(notFound);
    expect(await ask(other.slotId)).toMatchObject(notFound);
  });

  test('is refused for a device that is not active', async () => {
    const { slotId, call } = await unlinked();
    for (const status of ['inactive', 'suspended']) {
      await gateway.operator('PATCH', `/devices/${slotId}`, { status });
      expect(await call('POST', '/sessions/onboard', { slot_id: slotId })).toMatchObject(
        refused(403, 'device is not active'),
      );
    }
  });

  test('is refused without its slot, or with an unknown field', async () => {
    expect(await number.call('POST', '/sessions/onboard', {})).toMatchObject(
      refused(400, 'slot_id is required'),
    );
    const typo = { slot_id: number.slotId, slotid: 'x' };
    expect((await number.call('POST', '/sessions/onboard', typo)).status).toBe(400);
  });

  test('is refused to a key without the permission, or of another number', async () => {
    const blind = await number.makeKey({ permissions: ['messages'] });
    const elsewhere = await number.makeKey({ phone: '15550009999' });
    const path = '/v1/sessions/onboard';
    const body = { slot_id: number.slotId };
    expect(await ask(gateway.url, { method: 'POST', path, body, token: blind })).toMatchObject(
      refused(403, 'api key lacks permission sessions'),
    );
    expect(await ask(gateway.url, { method: 'POST', path, body, token: elsewhere })).toMatchObject(
      refused(403, 'api key is restricted to another number'),
    );
    expect(await ask(gateway.url, { method: 'POST', path, body })).toMatchObject(
      refused(401, 'api key missing or invalid'),
    );
  });

  test('finds no unknown or foreign attempt', async () => {
    const notFound = refused(404, 'onboarding not found');
    expect(await number.call('GET', '/onboard/onb_does_not_exist')).toMatchObject(notFound);
    expect(await number.call('GET', `/onboard/${onboarding}`)).toMatchObject(notFound);
  });
});
