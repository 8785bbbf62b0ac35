import { describe, expect, test } from 'vitest';
import { createParley } from './client.ts';
import { MessageFailedError } from './messages.ts';
import { type Answer, json, stage } from './testing/gateway.fixture.ts';

function clientOn(...answers: (() => Answer)[]) {
  const staged = stage(...answers);
  return { ...staged, parley: createParley({ apiKey: 'pk_1_secret' }, staged.platform) };
}

const message =
  (status: string, more = {}) =>
  () =>
    json({ message_id: 'M1', status, ...more });

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('waiting for a status', () => {
  test('asks until the message has come that far or further', async () => {
    const { parley, seen } = clientOn(message('accepted'), message('sent'), message('read'));
    expect(await parley.messages.waitForStatus('M1')).toMatchObject({ status: 'read' });
    expect(seen).toHaveLength(3);
  });

  test('ends when the message fails', async () => {
    const { parley } = clientOn(message('failed', { reason: 'INVALID_RECIPIENT' }));
    const waiting = parley.messages.waitForStatus('M1');
    await expect(waiting).rejects.toBeInstanceOf(MessageFailedError);
    await expect(waiting).rejects.toMatchObject({ record: { reason: 'INVALID_RECIPIENT' } });
  });

  test('ends when it takes too long', async () => {
    const { parley, slept } = clientOn(message('sent'));
    await expect(parley.messages.waitForStatus('M1', { withinMs: 5_000 })).rejects.toMatchObject({
      code: 'timed_out',
      message: 'message M1 was sent, not delivered, after 5000 ms',
    });
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(5_000);
  });
});

describe('following a pairing', () => {
  const state = (fields: object) => () => json({ onboard_id: 'onb_1', ...fields });

  test('shows each state and each fresh QR once, and ends when it is paired', async () => {
    const { parley, slept } = clientOn(
      state({ status: 'pending' }),
      state({ status: 'qr', qr: 'first' }),
      state({ status: 'qr', qr: 'first' }),
      state({ status: 'qr', qr: 'second' }),
      state({ status: 'paired', session_id: '1@s' }),
    );
    const states = await collected(parley.pairing.follow('onb_1'));
    expect(states.map(({ status, qr }) => qr ?? status)).toEqual(['pending', 'first', 'second', 'paired']);
    expect(slept).toEqual([2_000, 2_000, 2_000, 2_000]);
  });

  test('ends with an error as well', async () => {
    const { parley } = clientOn(state({ status: 'error', error: 'expired' }));
    expect(await collected(parley.pairing.follow('onb_1'))).toMatchObject([{ error: 'expired' }]);
  });
});

describe('pages', () => {
  const deliveries = (from: number, count: number) => () =>
    json({ deliveries: Array.from({ length: count }, (_, at) => ({ delivery_id: `dl_${from - at}` })) });
  const events = (from: number, count: number) => () =>
    json({
      events: Array.from({ length: count }, (_, at) => ({ cursor: `c${from + at}` })),
      next_cursor: `c${from + count - 1}`,
    });

  test('of deliveries follow each other until one is not full', async () => {
    const { parley, seen } = clientOn(deliveries(300, 100), deliveries(200, 3));
    const all = await collected(parley.webhooks.deliveries('wh_1', { status: 'dead' }));
    expect(all).toHaveLength(103);
    expect(seen.map(({ url }) => url.search)).toEqual([
      '?status=dead&limit=100',
      '?status=dead&before=dl_201&limit=100',
    ]);
  });

  test('of events follow each other, and only those that are read are asked for', async () => {
    const { parley, seen } = clientOn(events(1, 500), events(501, 1));
    for await (const _ of parley.events.history()) break;
    expect(seen).toHaveLength(1);
    const staged = clientOn(events(1, 500), events(501, 1));
    expect(await collected(staged.parley.events.history({ kind: 'message' }))).toHaveLength(501);
    expect(staged.seen[1]?.url.search).toBe('?kind=message&after=c500&limit=500');
  });
});
