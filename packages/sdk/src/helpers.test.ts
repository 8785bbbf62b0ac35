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
  test('polls until the message has reached the status or a later one', async () => {
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

  test('polls a last time at the timeout', async () => {
    const { parley, slept } = clientOn(message('sent'));
    await expect(parley.messages.waitForStatus('M1', { withinMs: 500 })).rejects.toMatchObject({ status: 0 });
    expect(slept).toEqual([200, 300]);
    const { parley: lucky } = clientOn(message('sent'), message('sent'), message('delivered'));
    expect(await lucky.messages.waitForStatus('M1', { withinMs: 500 })).toMatchObject({
      status: 'delivered',
    });
  });

  test('ends at the timeout', async () => {
    const { parley, slept } = clientOn(message('sent'));
    await expect(parley.messages.waitForStatus('M1', { withinMs: 5_000 })).rejects.toMatchObject({
      code: 'timed_out',
      message: 'message M1 was sent, not delivered, after 5000 ms',
    });
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(5_000);
  });

  test('polls ever less often, down to every two seconds, for a minute by default', async () => {
    const { parley, slept } = clientOn(message('sent'));
    await expect(parley.messages.waitForStatus('M1')).rejects.toThrow('not delivered, after 60000 ms');
    expect(slept.slice(0, 8)).toEqual([200, 300, 450, 675, 1_012.5, 1_518.75, 2_000, 2_000]);
    expect(slept).toHaveLength(6 + 27);
  });

  test('ends with the caller’s signal', async () => {
    const { parley } = clientOn(message('sent'));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(parley.messages.waitForStatus('M1', { signal })).rejects.toThrow('enough');
  });
});

describe('following a pairing', () => {
  const state = (fields: object) => () => json({ onboard_id: 'onb_1', ...fields });

  test('yields each state and each fresh QR once, and ends when paired', async () => {
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

  test('yields a fresh code, and a fresh challenge for a passkey', async () => {
    const passkey = (challenge: string) => ({ options: { challenge } });
    const { parley } = clientOn(
      state({ status: 'code', code: 'AAAA' }),
      state({ status: 'code', code: 'BBBB' }),
      state({ status: 'passkey', passkey: passkey('one') }),
      state({ status: 'passkey', passkey: passkey('one') }),
      state({ status: 'passkey', passkey: passkey('two') }),
      state({ status: 'paired' }),
    );
    const states = await collected(parley.pairing.follow('onb_1'));
    expect(states.map((each) => each.code ?? each.passkey?.options.challenge ?? each.status)).toEqual([
      ...['AAAA', 'BBBB', 'one', 'two', 'paired'],
    ]);
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

  test('of deliveries are fetched until one is not full', async () => {
    const { parley, seen } = clientOn(deliveries(300, 100), deliveries(200, 3));
    const all = await collected(parley.webhooks.deliveries('wh_1', { status: 'dead' }));
    expect(all).toHaveLength(103);
    expect(seen.map(({ url }) => url.search)).toEqual([
      '?status=dead&limit=100',
      '?status=dead&before=dl_201&limit=100',
    ]);
  });

  test('of events are fetched only as far as they are read', async () => {
    const { parley, seen } = clientOn(events(1, 500), events(501, 1));
    for await (const _ of parley.events.history()) break;
    expect(seen).toHaveLength(1);
    const staged = clientOn(events(1, 500), events(501, 1));
    expect(await collected(staged.parley.events.history({ kind: 'message' }))).toHaveLength(501);
    expect(staged.seen[1]?.url.search).toBe('?kind=message&after=c500&limit=500');
  });
});

describe('a conversation', () => {
  const event = {
    kind: 'message',
    ...{ session_id: '15550001001:1@s.whatsapp.net', chat_jid: '1@g.us', is_group: true, broadcast: false },
    ...{ message_id: 'M1', sender_jid: '15550002001@s.whatsapp.net', sender_name: 'Ada' },
    ...{ type: 'text', text: 'Are you open?', timestamp_unix: 1_784_365_200 },
  } as const;
  const accepted = () => json({ message_id: 'M2', status: 'accepted' }, 202);
  const keys = (seen: readonly { headers: Headers }[]) =>
    seen.map(({ headers }) => headers.get('idempotency-key'));

  test('replies to the message that it was opened with, once per event', async () => {
    const { parley, seen } = clientOn(accepted);
    for (const _ of [1, 2]) {
      const conversation = parley.conversation(event);
      await conversation.reply('Until six');
      await conversation.reply({ media_type: 'image', media_id: 'med_1', caption: 'The harbour' });
    }
    expect(keys(seen)).toEqual(['reply-M1-1', 'reply-M1-2', 'reply-M1-1', 'reply-M1-2']);
    const quote = {
      quoted_message_id: 'M1',
      quoted_participant: '15550002001@s.whatsapp.net',
      quoted_text: 'Are you open?',
    };
    const addressed = { session_id: event.session_id, to: '1@g.us', ...quote };
    expect(seen[0]?.body).toEqual({ ...addressed, text: 'Until six' });
    expect(seen[1]?.body).toEqual({
      ...addressed,
      media_type: 'image',
      media_id: 'med_1',
      caption: 'The harbour',
    });
  });

  test('sends without a quote, and replies to any other message', async () => {
    const { parley, seen } = clientOn(accepted);
    const conversation = parley.conversation({ session_id: 's', chat_jid: 'c' });
    await conversation.send('Good morning');
    expect(seen[0]?.body).toEqual({ session_id: 's', to: 'c', text: 'Good morning' });
    await expect(conversation.reply('Yes')).rejects.toThrow('there is no message to reply to');
    await conversation.reply('Yes', {
      to: { message_id: 'M7', sender_jid: 'a', text: 'Now?' },
      idempotencyKey: 'mine',
    });
    expect(seen[1]?.body).toMatchObject({ quoted_message_id: 'M7', quoted_text: 'Now?' });
    expect(keys(seen)).toEqual(['uuid-1', 'mine']);
  });

  test('is opened with a chat alone where its event names no message', async () => {
    const { parley, seen } = clientOn(accepted);
    const { message_id, sender_jid, text, ...place } = event;
    for (const more of [{}, { message_id }, { sender_jid }])
      await expect(parley.conversation({ ...place, ...more }).reply('Yes')).rejects.toThrow('no message');
    await parley.conversation({ ...place, message_id, sender_jid }).reply('Yes');
    expect(seen[0]?.body).toMatchObject({ quoted_message_id: 'M1', quoted_text: '' });
  });

  test('is marked as read', async () => {
    const { parley, seen } = clientOn(() => json({}));
    expect(await parley.conversation(event).markRead()).toBeUndefined();
    expect(decodeURIComponent(seen[0]?.url.pathname ?? '')).toContain('/chats/1@g.us/read');
  });

  test('is fetched page by page, only as far as it is read', async () => {
    const page = (ids: string[], next_cursor: string | null) => () =>
      json({ messages: ids.map((message_id) => ({ message_id })), next_cursor });
    const { parley, seen } = clientOn(page(['M3', 'M2'], 'c2'), page([], 'c1'), page(['M1'], null));
    const all = await collected(parley.conversation(event).messages({ q: 'order' }));
    expect(all.map(({ message_id }) => message_id)).toEqual(['M3', 'M2', 'M1']);
    expect(seen.map(({ url }) => url.search)).toEqual([
      '?q=order',
      '?q=order&before=c2',
      '?q=order&before=c1',
    ]);
    expect(decodeURIComponent(seen[0]?.url.pathname ?? '')).toContain('/chats/1@g.us/messages');
  });
});
