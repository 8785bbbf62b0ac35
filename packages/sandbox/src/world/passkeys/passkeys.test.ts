import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSoftAuthenticator, type SoftAuthenticator } from '../../authenticator.ts';
import { ada, ben, createTestWorld, type TestWorld } from '../fixture.ts';
import type { PasskeyAssertion } from './types.ts';

const HERE = 'http://localhost:8080';

async function guarded(world: TestWorld, phone = ada, origin = HERE): Promise<SoftAuthenticator> {
  const browser = createSoftAuthenticator({ origin });
  await world.passkeys.keep(phone, browser.create(world.passkeys.creation(phone)));
  return browser;
}

const questionTo = (world: TestWorld, phone = ada) => {
  const asked = world.passkeys.request(phone);
  if (!asked) throw new Error('no passkey');
  return asked;
};

test("a challenge has the network's form, and needs a phone that has a passkey", async () => {
  const world = createTestWorld();
  expect(world.passkeys.request(ada)).toBeUndefined();
  await guarded(world);
  expect(questionTo(world)).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 600_000,
    rpId: 'localhost',
    allowCredentials: [],
    userVerification: 'required',
    extensions: { uvm: true },
  });
  expect(questionTo(world).challenge).not.toBe(questionTo(world).challenge);
});

test('the passkey of the phone answers its challenge, and each challenge once', async () => {
  const world = createTestWorld();
  const browser = await guarded(world);
  const asked = questionTo(world);
  const answer = browser.get(asked);
  expect(await world.passkeys.verify(ada, asked.challenge, answer)).toBe(true);
  expect(await world.passkeys.verify(ada, asked.challenge, answer)).toBe(false);
});

test.each<[string, (answer: PasskeyAssertion) => PasskeyAssertion]>([
  ['another question', ({ response, ...answer }) => ({ ...answer, response: signedFor(response, 'QUJD') })],
  [
    'another signature',
    ({ response, ...answer }) => ({ ...answer, response: { ...response, signature: 'MEUCIQ' } }),
  ],
  ['an unknown passkey', (answer) => ({ ...answer, id: 'AAAA', rawId: 'AAAA' })],
  ['nonsense', (answer) => ({ ...answer, response: { ...answer.response, clientDataJSON: '!' } })],
])('an answer with %s is none', async (_, spoil) => {
  const world = createTestWorld();
  const browser = await guarded(world);
  const asked = questionTo(world);
  expect(await world.passkeys.verify(ada, asked.challenge, spoil(browser.get(asked)))).toBe(false);
  expect(await world.passkeys.verify(ada, asked.challenge, browser.get(asked))).toBe(true);
});

function signedFor(response: PasskeyAssertion['response'], challenge: string): PasskeyAssertion['response'] {
  const client = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
  const clientDataJSON = Buffer.from(JSON.stringify({ ...client, challenge })).toString('base64url');
  return { ...response, clientDataJSON };
}

test('a passkey of another phone is refused', async () => {
  const world = createTestWorld();
  await guarded(world);
  const other = await guarded(world, ben);
  const asked = questionTo(world);
  expect(await world.passkeys.verify(ada, asked.challenge, other.get(asked))).toBe(false);
});

test('a passkey is accepted at its host or below it, and nowhere else', async () => {
  const world = createTestWorld();
  world.phones.update({ phone: ada, device: 0 }, { passkeyRpId: 'whatsapp.com' });
  const browser = await guarded(world, ada, 'https://web.whatsapp.com');
  const asked = questionTo(world);
  expect(asked.rpId).toBe('whatsapp.com');
  expect(await world.passkeys.verify(ada, asked.challenge, browser.get(asked))).toBe(true);
  for (const origin of ['https://notwhatsapp.com', 'https://whatsapp.com.example', HERE]) {
    await expect(guarded(world, ada, origin)).rejects.toMatchObject({ code: 'bad_request' });
  }
});

test('a passkey that was not requested is not kept, nor one for an older challenge', async () => {
  const world = createTestWorld();
  const browser = createSoftAuthenticator({ origin: HERE });
  const first = browser.create(world.passkeys.creation(ada));
  world.passkeys.creation(ada);
  await expect(world.passkeys.keep(ada, first)).rejects.toMatchObject({ code: 'bad_request' });
  await expect(world.passkeys.keep(ben, first)).rejects.toMatchObject({ code: 'conflict' });
  expect(world.passkeys.of(ada)).toEqual([]);
});

test('passkeys and armed faults survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-passkeys-'));
  const file = join(folder, 'world.db');
  const first = createTestWorld({ file });
  first.phones.update({ phone: ada, device: 0 }, { requiresPasskey: true });
  const browser = await guarded(first);
  first.passkeys.arm(ada, 'passkey_refused', 2);
  first.close();

  const world = createTestWorld({ file });
  expect(world.phones.get(ada).requiresPasskey).toBe(true);
  const asked = questionTo(world);
  expect(await world.passkeys.verify(ada, asked.challenge, browser.get(asked))).toBe(true);
  const met = [1, 2, 3].map(() => world.passkeys.consumeFault(ada, 'passkey_refused'));
  expect(met).toEqual([true, true, false]);
  expect(world.passkeys.consumeFault(ada, 'passkey_no_continuation')).toBe(false);
  world.close();
  rmSync(folder, { recursive: true });
});
