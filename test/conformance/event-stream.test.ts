import type { EventPage, PublicEvent } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ask } from './ask.ts';
import { type LinkedNumber, linkedNumber, register, type Someone, someone, WATCHING } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
let me: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway)]);
});

async function adaSends(text: string): Promise<string> {
  const { message_id } = await gateway.sandbox<{ message_id: string }>(
    'POST',
    `/phones/${ada.phone}/messages`,
    {
      to: me.phone,
      text,
    },
  );
  return message_id;
}

interface StreamedEvent {
  readonly id: string;
  readonly kind: string;
  readonly event: PublicEvent;
}

/** Reads a stream of server-sent events, like any client. */
async function openStream(headers: Record<string, string> = {}, query = '') {
  const leave = new AbortController();
  const response = await fetch(`${gateway.url}/v1/events${query}`, {
    headers: { authorization: `Bearer ${me.apiKey}`, ...headers },
    signal: leave.signal,
  });
  const events: StreamedEvent[] = [];
  async function read(): Promise<void> {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const fields = new Map(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        text = text.slice(end + 2);
        const [id, kind, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
        if (id && kind && data) events.push({ id, kind, event: JSON.parse(data) });
      }
    }
  }
  void read().catch(() => {});
  const message = (messageId: string): Promise<StreamedEvent> =>
    vi.waitFor(() => {
      const found = events.find(({ event }) => event.kind === 'message' && event.message_id === messageId);
      if (!found) throw new Error('not yet');
      return found;
    }, WATCHING);
  return { response, events, message, leave: () => leave.abort() };
}

describe('the stream', () => {
  test('delivers new events, with full payloads', async () => {
    const stream = await openStream();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-request-id')).toMatch(/^req_/);
    const id = await adaSends('now');
    const { kind, event } = await stream.message(id);
    expect(kind).toBe('message');
    expect(event).toMatchObject({ text: 'now', session_id: me.sessionId });
    stream.leave();
  });

  test('resumes after Last-Event-ID', async () => {
    const first = await openStream();
    const seen = await first.message(await adaSends('one'));
    first.leave();
    const missed = await adaSends('two');
    const second = await openStream({ 'last-event-id': seen.id, accept: 'text/event-stream' });
    await second.message(missed);
    expect(second.events.map(({ id }) => id)).not.toContain(seen.id);
    second.leave();
  });

  test('can be limited to a kind and to a number', async () => {
    // Typing is sent to available numbers only, and a stream alone does not make one available.
    expect((await me.on('PUT', '/presence-policy', { policy: 'available' })).status).toBeLessThan(300);
    const typing = await openStream({}, `?kind=typing&session_id=${encodeURIComponent(me.sessionId)}`);
    await adaSends('not this');
    // Typing from before the number is available is lost, so it is sent again.
    await vi.waitFor(async () => {
      await gateway.sandbox('POST', `/phones/${ada.phone}/typing`, { to: me.phone, typing: true });
      expect(typing.events.length).toBeGreaterThan(0);
    }, WATCHING);
    expect([...new Set(typing.events.map(({ kind }) => kind))]).toEqual(['typing']);
    typing.leave();
  });
});

describe('pages', () => {
  const pull = async (query: string) => (await me.call<EventPage>('GET', `/events${query}`)).body;

  test('walk through all stored events, oldest first', async () => {
    const id = await adaSends('page me');
    let page = await pull('?limit=2');
    const seen = [...page.events];
    while (!seen.some(({ event_id }) => event_id === id)) {
      page = await pull(`?limit=2&after=${page.next_cursor}&wait_seconds=10`);
      expect(page.events.length).toBeGreaterThan(0);
      seen.push(...page.events);
    }
    expect(seen.at(-1)?.event).toMatchObject({ kind: 'message', text: 'page me' });
    const cursors = seen.map(({ cursor }) => cursor);
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(await pull(`?after=${page.next_cursor}`)).toEqual({ events: [], next_cursor: page.next_cursor });
  });

  test('wait for new events on request', async () => {
    const { body } = await me.call<EventPage>('GET', '/events?limit=500', undefined, {
      accept: 'application/json',
    });
    const next = pull(`?after=${body.next_cursor}&wait_seconds=20&kind=message`);
    const id = await adaSends('wait for me');
    expect((await next).events.map(({ event_id }) => event_id)).toEqual([id]);
  });

  test('are also requested by Accept', { tags: 'anywhere' }, async () => {
    const answer = await me.call<EventPage>('GET', '/events', undefined, { accept: 'application/json' });
    expect(answer.body.events.length).toBeGreaterThan(0);
  });

  test.each(['?after=nonsense', '?limit=0', '?limit=501', '?wait_seconds=26', '?kind=nothing', '?what=1'])(
    '%s is 400',
    { tags: 'anywhere' },
    async (query) => {
      expect(
        (await me.call('GET', `/events${query}`, undefined, { accept: 'application/json' })).status,
      ).toBe(400);
    },
  );

  test("do not contain another account's events", { tags: 'anywhere' }, async () => {
    const stranger = await register(gateway);
    expect(
      await stranger.call('GET', `/events?limit=1&session_id=${encodeURIComponent(me.jid)}`),
    ).toMatchObject({ status: 403, body: { error: 'session does not belong to this user' } });
    expect((await stranger.call<EventPage>('GET', '/events?limit=1')).body.events).toEqual([]);
    const token = await me.makeKey({ permissions: ['messages'] });
    expect((await ask(gateway.url, { method: 'GET', path: '/v1/events?limit=1', token })).status).toBe(403);
  });
});
