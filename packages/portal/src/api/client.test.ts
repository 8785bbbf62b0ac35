import { afterEach, describe, expect, it, vi } from 'vitest';
import { now } from '../kernel/clock.ts';
import { addressOf, call, watchRefusals } from './client.ts';
import { Problem } from './problem.ts';

describe('the address of a request', () => {
  it('has its parts in place, encoded', () => {
    expect(addressOf('/portal/api/pairings/{id}', { id: 'a/b@c' })).toBe('/portal/api/pairings/a%2Fb%40c');
  });

  it('carries only what was asked', () => {
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

  it('that changes something says that it comes from the portal', async () => {
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

  it('that only reads does not', async () => {
    const fetch = answerWith(() => Response.json({ numbers: [] }));
    await expect(call('listNumbers')).resolves.toEqual({ numbers: [] });
    expect(fetch.mock.calls[0]?.[1].headers).toEqual({});
  });

  it('that is refused throws the words of the gateway, and the watcher hears of it first', async () => {
    answerWith(() =>
      Response.json(
        { error: 'too many sign-in attempts; wait a little' },
        { status: 429, headers: { 'Retry-After': '30' } },
      ),
    );
    const heard: [Problem, string][] = [];
    watchRefusals((problem, id) => heard.push([problem, id]));
    const thrown = await call('listNumbers').catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ status: 429, retryAfterSeconds: 30, message: /^too many/ });
    expect(heard).toEqual([[thrown, 'listNumbers']]);
  });

  it('that is answered, well or not, sets the pages by the gateway’s clock', async () => {
    const ahead = Date.now() + 32 * 86_400_000;
    const refusal = { status: 403, headers: { Date: new Date(ahead).toUTCString() } };
    answerWith(() => Response.json({ error: 'account is suspended' }, refusal));
    await call('getMe').catch(() => {});
    expect(Math.abs(now() - ahead)).toBeLessThan(2_000);
  });

  it('that nobody answers says so', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('connection refused');
    });
    await expect(call('getMe')).rejects.toMatchObject({
      status: 0,
      message: 'the gateway cannot be reached',
    });
  });

  it('answered by something that is not the gateway shows at least the status', async () => {
    answerWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(call('getMe')).rejects.toMatchObject({ status: 502, message: 'the gateway answered 502' });
  });
});
