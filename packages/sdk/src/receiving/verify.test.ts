import { describe, expect, test } from 'vitest';
import { message, SECRET, signed } from '../testing/signed.fixture.ts';
import { openDelivery, verifyWebhook, WebhookVerificationError } from './verify.ts';

describe('a delivery of the gateway', () => {
  test('yields its event from text and bytes, with any form of headers', async () => {
    const { body, headers } = signed(message);
    expect(await verifyWebhook(body, headers, SECRET)).toEqual(message);
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers), SECRET)).toEqual(message);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verifyWebhook(body, shouted, SECRET)).toEqual(message);
  });

  test('has its ids and its time', async () => {
    const { body, headers } = signed(message, { at: 1_784_365_200 });
    expect(await openDelivery(body, headers, SECRET, 1_784_365_260)).toEqual({
      event: message,
      id: 'M1',
      webhookId: 'wh_1',
      timestampUnix: 1_784_365_200,
    });
  });

  test('is accepted during a rotation of secrets on either side', async () => {
    const { body, headers } = signed(message, { secrets: ['new', SECRET] });
    expect(await verifyWebhook(body, headers, SECRET)).toEqual(message);
    expect(await verifyWebhook(body, headers, 'new')).toEqual(message);
    const old = signed(message);
    expect(await verifyWebhook(old.body, old.headers, ['new', SECRET])).toEqual(message);
  });

  test('without a kind, from an early version, is a message', async () => {
    const { body, headers } = signed({ message_id: 'M1' });
    expect(await verifyWebhook(body, headers, SECRET)).toEqual({ kind: 'message', message_id: 'M1' });
  });
});

describe('refused', () => {
  const { body, headers } = signed(message);
  const signature = headers['x-webhook-signature'];

  test.each([
    ['another body', `${body} `, signature],
    ['another time', body, signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1_000) - 1}`)],
    ['another signature', body, signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['no signature', body, ''],
    ['no time', body, signature.replace(/t=\d+,/, '')],
    ['a signature of another length', body, signature.slice(0, -2)],
  ])('%s', async (_what, rawBody, header) => {
    const checked = verifyWebhook(rawBody, { ...headers, 'x-webhook-signature': header }, SECRET);
    await expect(checked).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  test('another secret', async () => {
    await expect(verifyWebhook(body, headers, ['other', 'another'])).rejects.toThrow('does not match');
  });

  test.each([
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])('a signature %i seconds away from now passes: %s', async (seconds, passes) => {
    const now = 1_784_365_200;
    const delivery = signed(message, { at: now + seconds });
    const opened = openDelivery(delivery.body, delivery.headers, SECRET, now);
    if (passes) expect((await opened).event).toEqual(message);
    else await expect(opened).rejects.toThrow('compare the clocks');
  });

  test.each([undefined, '', [], ['']])('a missing secret: %j', async (secret) => {
    await expect(verifyWebhook(body, headers, secret)).rejects.toThrow('secret is required');
  });
});
