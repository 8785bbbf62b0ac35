import { expect, test } from 'vitest';
import { createSoftAuthenticator } from '../../authenticator.ts';
import { ada, unregistered } from '../../world/fixture.ts';
import { createTestControl } from '../fixture.ts';

const GUS = '15550003001';

test('a guarded phone is created, and a browser creates its passkey', async () => {
  const { world, get, post } = createTestControl();
  const made = await post('/phones', { phone: GUS, name: 'Gus', requires_passkey: true });
  expect(made.body).toMatchObject({ requires_passkey: true, passkey_rp_id: 'localhost', passkeys: 0 });
  expect((await get(`/phones/${ada}`)).body).toMatchObject({ requires_passkey: false });

  const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
  const asked = await get(`/phones/${GUS}/passkey`);
  expect(asked.body).toMatchObject({ rp: { id: 'localhost' }, user: { name: GUS }, attestation: 'none' });
  const credential = {
    ...browser.create(asked.body),
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
  };
  expect(await post(`/phones/${GUS}/passkey`, credential)).toEqual({
    status: 201,
    body: { credential_id: credential.id },
  });
  expect((await get(`/phones/${GUS}`)).body.passkeys).toBe(1);

  const question = world.passkeys.request(GUS);
  if (!question) throw new Error('no question');
  expect(await world.passkeys.verify(GUS, question.challenge, browser.get(question))).toBe(true);
});

test('an invalid passkey is refused in one sentence', async () => {
  const { get, post } = createTestControl();
  await post('/phones', { phone: GUS, name: 'Gus', requires_passkey: true, passkey_rp_id: 'whatsapp.com' });
  const elsewhere = createSoftAuthenticator({ origin: 'http://localhost:8080' });
  const unasked = elsewhere.create({
    challenge: 'AAAA',
    rp: { id: 'localhost', name: '' },
    user: { id: 'AA', name: '', displayName: '' },
  });
  expect(await post(`/phones/${GUS}/passkey`, unasked)).toEqual({
    status: 409,
    body: { error: 'no creation of a passkey was requested for this phone' },
  });
  const asked = await get(`/phones/${GUS}/passkey`);
  expect(await post(`/phones/${GUS}/passkey`, elsewhere.create(asked.body))).toEqual({
    status: 400,
    body: { error: 'this is not a passkey for this phone' },
  });
  expect((await post(`/phones/${GUS}/passkey`, {})).status).toBe(400);
  expect((await get(`/phones/${unregistered}/passkey`)).status).toBe(404);
  const odd = await post('/phones', { phone: '15550003002', name: 'X', passkey_rp_id: 'https://x' });
  expect(odd.status).toBe(400);
});

test('a phone that is not being linked shows nothing', async () => {
  const { get } = createTestControl();
  expect((await get(`/phones/${ada}/linking`)).body).toEqual({ stage: 'none', code: '' });
});

test('faults of the ceremony are armed by number', async () => {
  const { world, post } = createTestControl();
  expect(await post('/faults', { phone: ada, fault: 'passkey_refused', count: 2 })).toEqual({
    status: 201,
    body: { phone: ada, fault: 'passkey_refused', count: 2 },
  });
  expect(world.passkeys.consumeFault(ada, 'passkey_refused')).toBe(true);
  expect(await post('/faults', { fault: 'passkey_refused' })).toEqual({
    status: 400,
    body: { error: 'phone is required for passkey_refused' },
  });
  expect((await post('/faults', { phone: unregistered, fault: 'passkey_refused' })).status).toBe(404);
  expect(await post('/faults', { phone: ada, fault: 'slow' })).toEqual({
    status: 400,
    body: { error: 'session_id is required' },
  });
});
