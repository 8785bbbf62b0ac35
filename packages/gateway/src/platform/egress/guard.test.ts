import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSystemClock } from '#kernel';
import { judgeUrl } from './addresses.ts';
import type { ResolvedAddress } from './connector.ts';
import { createEgress, type Egress } from './egress.ts';
import { hostileUrls } from './testing/hostile-urls.ts';

/** Counts connections; there should be none. */
let touched = 0;
const canary = createServer((socket) => {
  touched++;
  socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
});
let port = 0;
const opened: Egress[] = [];

function egress(resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>): Egress {
  const made = createEgress({ clock: createSystemClock(), publicOnly: true, ...(resolve && { resolve }) });
  opened.push(made);
  return made;
}

const knock = { headers: {}, body: '{}', timeoutMs: 60_000 };
const production = { httpsOnly: true, publicOnly: true };

beforeAll(async () => {
  // Both families, every address of this machine.
  await new Promise<void>((done) => canary.listen(0, '::', done));
  const address = canary.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  canary.close();
});

describe('in production', () => {
  test('connects to no spelling of a private address', async () => {
    const urls = hostileUrls(port);
    expect(urls.length).toBeGreaterThan(200);
    const out = egress();
    const codes = await Promise.all(urls.map((url) => out.post(url, knock).then(() => 'reached', codeOf)));
    const wrong = urls.filter(
      (_, index) => !['forbidden_address', 'bad_url', 'unresolvable'].includes(codes[index] ?? ''),
    );
    expect(wrong).toEqual([]);
    expect(codes.filter((code) => code === 'forbidden_address').length).toBeGreaterThan(700);
    expect(touched).toBe(0);
  });

  test('refuses to register any of them', () => {
    const good = hostileUrls(port).filter((url) => judgeUrl(url, production) === 'good');
    expect(good).toEqual([]);
  });

  test('resolves a name once per connection, and connects to the address that was checked', async () => {
    const answers = ['2606:4700:ffff:ffff::dead', '::1'];
    let asked = 0;
    const out = egress(async () => [{ address: answers[Math.min(asked++, 1)] ?? '', family: 6 }]);
    // The first answer is public and unused; the second one would be the canary.
    await out.post(`http://rebind.example:${port}/`, { ...knock, timeoutMs: 300 }).catch(() => {});
    expect(asked).toBe(1);
    await expect(out.post(`http://rebind.example:${port}/`, knock)).rejects.toMatchObject({
      code: 'forbidden_address',
    });
    expect(touched).toBe(0);
  });

  test.each([
    [['127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['::1', '2606:4700::1']],
    [['::ffff:127.0.0.1']],
    [['not an address']],
  ])('a name that resolves to %j is refused', async (addresses) => {
    const out = egress(async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
    await expect(out.post(`https://mixed.example:${port}/`, knock)).rejects.toMatchObject({
      code: 'forbidden_address',
    });
    expect(touched).toBe(0);
  });

  test('uses the same text for a name that resolves to a private address and for one that does not resolve', async () => {
    const inside = await egress(async () => [{ address: '10.1.2.3', family: 4 }])
      .post('https://db.example/', knock)
      .catch((error) => error);
    const nowhere = await egress(() => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })))
      .post('https://db.example/', knock)
      .catch((error) => error);
    const literal = await egress()
      .post('https://10.1.2.3/', knock)
      .catch((error) => error);
    expect(inside).toMatchObject({ code: 'forbidden_address', leadsNowhere: true });
    expect(nowhere).toMatchObject({ code: 'unresolvable', leadsNowhere: true });
    expect([inside.message, literal.message]).toEqual([nowhere.message, nowhere.message]);
  });

  test.each([
    ['fails', () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))],
    ['answers with nothing', async () => []],
  ])('a name whose resolution %s is not connected to', async (_how, resolve) => {
    await expect(egress(resolve).post('http://nowhere.example/', knock)).rejects.toMatchObject({
      code: 'unresolvable',
    });
  });

  test('guards downloads the same way', async () => {
    const download = { toFile: '/nonexistent/file', maxBytes: 10, timeoutMs: 5_000 };
    await expect(egress().download(`http://127.0.0.1:${port}/`, download)).rejects.toMatchObject({
      code: 'forbidden_address',
    });
    expect(touched).toBe(0);
  });

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:,x',
    'gopher://x/',
    '//example.com',
    'http://',
  ])('%s is no URL for a webhook', async (url) => {
    expect(judgeUrl(url, production)).toBe('malformed');
    await expect(egress().post(url, knock)).rejects.toMatchObject({ code: 'bad_url' });
  });

  test.each([
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    'https://:secret@example.com/',
    'https://example.com:22/',
    'https://example.com:6667/',
  ])('neither credentials nor ports of other protocols: %s', (url) => {
    expect(judgeUrl(url, production)).toBe('malformed');
  });

  test('distinguishes http from https, and accepts a public https URL', () => {
    expect(judgeUrl('http://example.com/hook', production)).toBe('not_https');
    expect(judgeUrl('https://example.com:8443/hook?x=1', production)).toBe('good');
  });
});

test('reaches the machine itself in development', async () => {
  const before = touched;
  const out = createEgress({ clock: createSystemClock(), publicOnly: false });
  opened.push(out);
  await expect(out.post(`http://localhost:${port}/`, knock)).resolves.toEqual({ status: 200 });
  expect(touched).toBe(before + 1);
  expect(judgeUrl(`http://localhost:${port}/`, { httpsOnly: false, publicOnly: false })).toBe('good');
});

function codeOf(error: { code?: string }): string {
  return error.code ?? 'unknown';
}
