import { afterEach, describe, expect, it, vi } from 'vitest';
import { now } from '../kernel/clock.ts';
import { addressOf, call, watchRefusals } from './client.ts';
import { Problem } from './problem.ts';

describe('the address of a request', () => {
  it('puts encoded parameters in their places', () => {
    expect(addressOf('/portal/api/pairings/{id}', { id: 'a/b@c' })).toBe('/portal/api/pairings/a%2Fb%40c');
  });

  it('leaves empty query parameters out', () => {
    const query = { kind: 'message', phone: undefined, before: '', limit: 5 };
    expect(addressOf('/portal/api/events', {}, query)).toBe('/portal/api/events?kind=message&limit=5');
  });
});

describe('a request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    watchRefusals(() => {});
  });

  function answerWith(response: () => Response) {
    const fetch = vi.fn(async (_address: string, _init: RequestInit) => response());
    vi.stubGlobal('fetch', fetch);
    return fetch;
  }

  it('carries the portal’s header where it changes something', async () => {
    const fetch = answerWith(() => Response.json({ account_id: 'acc_1' }));
    await call('signIn', { body: { email: 'ada@example.com', password: 'secret' } });
    const [address, init] = fetch.mock.calls[0] ?? [];
    expect(address).toBe('/portal/api/sign-in');
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'X-Parley-Portal': '1', 'Content-Type': 'application/json' },
      body: '{"email":"ada@example.com","password":"secret"}',
    });
  });

  it('carries no such header where it only reads', async () => {
    const fetch = answerWith(() => Response.json({ numbers: [] }));
    await expect(call('listNumbers')).resolves.toEqual({ numbers: [] });
    expect(fetch.mock.calls[0]?.[1].headers).toEqual({});
  });

  it('throws the gateway’s refusal, after the watcher was notified', async () => {
    answerWith(() =>
      Response.json(
        { error: 'too many sign-in attempts; wait a little' },
        { status: 429, headers: { 'Retry-After': '30' } },
      ),
    );
    const reported: [Problem, string][] = [];
    watchRefusals((problem, id) => reported.push([problem, id]));
    const thrown = await call('listNumbers').catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ status: 429, retryAfterSeconds: 30, message: /^too many/ });
    expect(reported).toEqual([[thrown, 'listNumbers']]);
  });

  it('follows the gateway’s clock by every answer, also by refusals', async () => {
    const ahead = Date.now() + 32 * 86_400_000;
    const refusal = { status: 403, headers: { Date: new Date(ahead).toUTCString() } };
    answerWith(() => Response.json({ error: 'account is suspended' }, refusal));
    await call('getMe').catch(() => {});
    expect(Math.abs(now() - ahead)).toBeLessThan(2_000);
  });

  it('reports that the gateway cannot be reached', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('connection refused');
    });
    await expect(call('getMe')).rejects.toMatchObject({
      status: 0,
      message: 'the gateway cannot be reached',
    });
  });

  it('reports the status of an answer that is not the gateway’s', async () => {
    answerWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(call('getMe')).rejects.toMatchObject({ status: 502, message: 'the gateway answered 502' });
  });
});
