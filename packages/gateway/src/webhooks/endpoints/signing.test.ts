import { expect, test } from 'vitest';
import { signedHeaders } from './signing.ts';

test('headers carry ids, time and signature of the raw body', () => {
  const signing = { webhookId: 'wh_1', eventId: 'A1', secrets: ['whsec_test'], now: 1_784_365_200_999 };
  expect(signedHeaders(signing, '{"text":"é"}')).toEqual({
    'Content-Type': 'application/json',
    'X-Webhook-ID': 'wh_1',
    'X-Message-ID': 'A1',
    'X-Timestamp': '1784365200',
    // printf '1784365200.{"text":"é"}' | openssl dgst -sha256 -hmac whsec_test
    'X-Webhook-Signature': 't=1784365200,v1=1f563c099f1e75c36125041fec624319638412abd35a31a706113b1ce6ac5b79',
  });
});

test('with two secrets there are two signatures, the newest first', () => {
  const sign = (...secrets: string[]) =>
    signedHeaders({ webhookId: 'wh_1', eventId: 'A1', secrets, now: 0 }, '{}')['X-Webhook-Signature'] ?? '';
  const [, newer] = sign('new').split(',');
  const [, older] = sign('old').split(',');
  expect(sign('new', 'old')).toBe(`t=0,${newer},${older}`);
});

test('an id that a header cannot hold is written as in a URL', () => {
  const of = (eventId: string) =>
    signedHeaders({ webhookId: 'wh_1', eventId, secrets: ['s'], now: 0 }, '{}')['X-Message-ID'];
  for (const id of ['漢字', 'line\r\nbreak', 'half \ud800', '\u0000']) {
    expect(() => new Headers({ id: of(id) ?? '' })).not.toThrow();
    expect(of(id)).toMatch(/^[\x21-\x7e]+$/);
  }
  expect(of('message/15550002001@s.whatsapp.net/3EB0')).toBe('message/15550002001@s.whatsapp.net/3EB0');
});
