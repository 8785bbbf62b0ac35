import type { EventPage } from '@parley/contract';
import { userJid } from '@parley/sandbox/world';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import { databaseNames, startGateway, type TestGateway } from '../testing/index.ts';
import { firstRun } from './first-run.ts';

const ADA = '15550002001';
const ME = '15550001001';
const WAIT = { timeout: 20_000, interval: 20 };
const BYTES = Buffer.from('a file');

/** Types and names from strangers and integrators. Types that a header cannot carry arrive with messages only. */
const HOSTILE = {
  'a line break': ['image/png\r\nSet-Cookie: a=b', 'a.pdf\r\nSet-Cookie: a=b'],
  'a NUL': ['image/\u0000png', 'a\u0000.pdf'],
  'another alphabet': ['картинка/пнг', 'отчёт 漢字 👋.pdf'],
  'half a character': ['image/png\ud800', 'half\udc00.pdf'],
  'a turned direction': ['image/\u202egnp', 'photo\u202efdp.exe'],
  'a quote': ['image/png; name="', 'a".pdf'],
  'a folder': ['../etc/passwd', '..\\../etc/passwd'],
  'no end': [`image/${'x'.repeat(2_000)}`, `${'👋'.repeat(500)}.pdf`],
  nothing: ['', ''],
} as const;

describe.each(databaseNames)('files with labels that no client makes (%s)', (database) => {
  let gateway: TestGateway;
  let url: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway({ database, clock: createSystemClock() });
    const demo = await firstRun(gateway.app, loadConfig({}));
    if (!demo) throw new Error('a new gateway makes its demo');
    key = demo.apiKey;
    url = await gateway.app.http.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => gateway.close());

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });

  async function expectServed(path: string): Promise<void> {
    const answer = await ask(path);
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, String(BYTES)]);
    expect(answer.headers.get('content-type')).toMatch(/^[\w.+-]+\/[\w.+-]+(; ?[\w=".+-]+)*$/);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment(; filename="[\w. -]*"; filename\*=\S+)?$/,
    );
    expect(answer.headers.get('set-cookie')).toBeNull();
  }

  test('that arrive with messages are published, and their bytes served', async () => {
    const world = gateway.app.sandbox?.world;
    if (!world) throw new Error('the demo has a sandbox');
    const ids = Object.values(HOSTILE).map(([mimetype, fileName]) => {
      const media = world.media.put(BYTES, mimetype);
      const id = world.messages.newId();
      const content = { type: 'document', media, fileName } as const;
      world.messages.send({ phone: ADA, device: 0 }, { id, to: userJid(ME), content });
      return id;
    });
    const received = await vi.waitFor(async () => {
      const page = (await (await ask('/v1/events?kind=message&limit=100')).json()) as EventPage;
      const messages = page.events.flatMap(({ event }) => (event.kind === 'message' ? [event] : []));
      expect(messages.map(({ message_id }) => message_id)).toEqual(ids);
      return messages;
    }, WAIT);
    for (const { media } of received) {
      expect(media?.data).toBe(BYTES.toString('base64'));
      expect(media?.filename ?? '').not.toMatch(/[\p{Cc}\p{Bidi_Control}/\\]/u);
      await expectServed(`/v1/media/${media?.id}`);
      await expectServed(media?.url ?? '');
    }
  });

  test('that are uploaded are refused with an error, or stored and served', async () => {
    for (const [mimetype, fileName] of Object.values(HOSTILE)) {
      const form = new FormData();
      form.set('file', new File([BYTES], fileName.toWellFormed(), { type: mimetype }));
      const kept = await ask('/v1/media', { method: 'POST', body: form });
      const { media_id, error } = (await kept.json()) as { media_id?: string; error?: string };
      expect([201, 400]).toContain(kept.status);
      if (media_id !== undefined) await expectServed(`/v1/media/${media_id}`);
      else expect(error).toBeTruthy();
    }
  });
});
