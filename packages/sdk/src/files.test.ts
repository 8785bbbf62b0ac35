import { afterEach, expect, test, vi } from 'vitest';
import { createParley } from './client.ts';
import { ParleyError } from './errors.ts';
import { json, stage } from './testing/gateway.fixture.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const BYTES = new TextEncoder().encode('a file');

/** Gateway that records uploads. */
function keeping() {
  const uploads: { type: string | null; text: string; duplex: unknown }[] = [];
  const { platform } = stage();
  const parley = createParley(
    { apiKey: 'k' },
    {
      ...platform,
      async fetch(_url, init: RequestInit & { duplex?: unknown }) {
        uploads.push({
          type: new Headers(init.headers).get('content-type'),
          text: await new Response(init.body).text(),
          duplex: init.duplex,
        });
        return json({ media_id: 'med_1' });
      },
    },
  );
  return { parley, uploads };
}

test.each([
  ['bytes', () => BYTES, undefined, 'application/octet-stream'],
  ['a buffer', () => BYTES.slice().buffer, undefined, 'application/octet-stream'],
  ['a Blob of a type', () => new Blob([BYTES], { type: 'image/png' }), undefined, 'image/png'],
  ['a Blob without one', () => new Blob([BYTES]), undefined, 'application/octet-stream'],
  ['a Blob, with another type', () => new Blob([BYTES], { type: 'a/b' }), 'image/png', 'image/png'],
  ['a stream', () => new Blob([BYTES]).stream(), undefined, 'application/octet-stream'],
  ['a stream, with a type', () => new Blob([BYTES]).stream(), 'image/png', 'image/png'],
])('uploads %s', async (_what, file, mimetype, type) => {
  const { parley, uploads } = keeping();
  expect(await parley.media.upload(file(), { mimetype })).toEqual({ media_id: 'med_1' });
  expect(uploads).toMatchObject([{ type, text: 'a file' }]);
});

test('sends streams half-duplex, as `fetch` requires', async () => {
  const { parley, uploads } = keeping();
  await parley.media.upload(new Blob([BYTES]).stream());
  await parley.media.upload(BYTES);
  expect(uploads.map(({ duplex }) => duplex)).toEqual(['half', undefined]);
});

test('downloads a file, or a part of it', async () => {
  const { platform, seen } = stage(() => new Response(BYTES, { status: 206 }));
  const { media } = createParley({ apiKey: 'k' }, platform);
  const whole = await media.download('med_1');
  expect(await whole.text()).toBe('a file');
  await media.download('med_1', { range: 'bytes=0-1' });
  expect(seen.map(({ headers }) => [headers.get('accept'), headers.get('range')])).toEqual([
    ['*/*', null],
    ['*/*', 'bytes=0-1'],
  ]);
});

test('times out after ten minutes for files, half a minute for other calls, or the given time', async () => {
  const given: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    given.push(ms);
    return AbortSignal.abort();
  });
  const hanging = { ...stage().platform, fetch: () => Promise.reject(new Error('aborted')) };
  const { media, sessions } = createParley({ apiKey: 'k', retries: 0 }, hanging);
  const patient = createParley({ apiKey: 'k', retries: 0, timeoutMs: 5 }, hanging);
  const calls = [
    () => media.upload(BYTES),
    () => media.download('med_1'),
    () => sessions.list(),
    () => patient.sessions.list(),
    () => patient.media.download('med_1'),
    () => patient.media.download('med_1', { timeoutMs: 7 }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'timed_out' });
  expect(given).toEqual([600_000, 600_000, 30_000, 5, 600_000, 7]);
  await expect(patient.sessions.list()).rejects.toThrow(
    new ParleyError('gateway did not answer within 5 ms', { status: 0, code: 'timed_out' }),
  );
});
