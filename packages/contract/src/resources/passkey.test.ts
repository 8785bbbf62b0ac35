import { expect, test } from 'vitest';
import { challengeOf, parsePasskeyCredential } from './passkey.ts';

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const clientDataJSON = base64url({
  type: 'webauthn.get',
  challenge: 'q0vX',
  origin: 'https://web.whatsapp.com',
});
const response = { clientDataJSON, authenticatorData: 'AAAA', signature: 'BBBB' };
const credential = { id: 'aWQ', rawId: 'aWQ', type: 'public-key', response };

test('accepts an assertion from a browser, without fields that only the browser needs', () => {
  const given = {
    ...credential,
    authenticatorAttachment: 'platform',
    clientExtensionResults: { uvm: [] },
    response: { ...response, userHandle: null, attestationObject: 'AA' },
  };
  expect(parsePasskeyCredential(given)).toEqual({
    ok: true,
    value: { ...credential, response: { ...response, userHandle: null } },
  });
});

test('treats an empty user handle as absent', () => {
  const given = { ...credential, response: { ...response, userHandle: '' } };
  expect(parsePasskeyCredential(given)).toEqual({ ok: true, value: credential });
});

test.each([
  ['nothing', undefined, 'body must be a JSON object'],
  ['a list', [], 'body must be a JSON object'],
  ['no id', { ...credential, id: undefined }, 'id is required'],
  ['no response', { ...credential, response: undefined }, 'response is required'],
  ['another type', { ...credential, type: 'password' }, 'type must be one of public-key'],
  [
    'padding',
    { ...credential, response: { ...response, signature: 'BBB=' } },
    /^response\.signature must be base64url/,
  ],
  [
    'too much',
    { ...credential, response: { ...response, signature: 'B'.repeat(16_385) } },
    /^response\.signature /,
  ],
  ['two ids', { ...credential, rawId: 'b3RoZXI' }, 'rawId must be the same as id'],
  [
    'an attestation',
    {
      ...credential,
      response: { ...response, clientDataJSON: base64url({ type: 'webauthn.create', challenge: 'q0vX' }) },
    },
    /^response\.clientDataJSON must be the client data of an assertion/,
  ],
  [
    'noise',
    { ...credential, response: { ...response, clientDataJSON: 'AAAA' } },
    /^response\.clientDataJSON must be/,
  ],
])('refuses %s in a sentence', (_what, given, text) => {
  const parsed = parsePasskeyCredential(given);
  expect(parsed).toEqual({
    ok: false,
    field: expect.any(String),
    text: typeof text === 'string' ? text : expect.stringMatching(text),
  });
});

test('reads the challenge of an assertion', () => {
  expect(challengeOf(response)).toBe('q0vX');
});
