import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { compileParse, operations } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { apiError, createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { CompatRequest, CompatResponse } from '#platform/http';
import { leastCpuMs } from '#testing/cpu';
import type { CompatContext } from '../context.ts';
import { createEvolution } from './index.ts';

/** A file with its declared and its real content. */
const file = { declaredSize: 0, real: 0, fetched: false, opened: false };
const media = {
  find: async () => ({ size: file.declaredSize }),
  obtain: async () => {
    file.fetched = true;
    return { size: file.real };
  },
  read: async () => {
    file.opened = true;
    return [new Uint8Array(file.real)];
  },
} as unknown as CompatContext['media'];
const parts: Partial<CompatContext> = {
  bus: createLocalBus({ clock: createSteppedClock() }),
  media,
  machineClock: createSteppedClock(),
  base64MaxBytes: 1024 * 1024,
  publicUrl: () => 'https://parley.example',
};
const { surface } = createEvolution(parts as CompatContext);

interface Asked {
  readonly operation: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body: Readonly<Record<string, never>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls an endpoint's handler; `answer` plays its dependencies. */
async function handle(
  id: string,
  given: { readonly body?: unknown; readonly query?: unknown },
  answer: (asked: Asked, count: number) => unknown,
): Promise<{ answer: CompatResponse | unknown; asked: Asked[]; leave: AbortController }> {
  const endpoint = surface.endpoints.find((each) => each.id === id);
  const leave = new AbortController();
  const asked: Asked[] = [];
  const call = {
    query: {},
    ...given,
    signal: leave.signal,
    setHeader: () => {},
    subject: { number: { slotId: 'slot', phone: '15550001001' } },
    caller: { accountId: 'account', permissions: null },
    invoke: async (operation: { id: string }, rest: Omit<Asked, 'operation'>) => {
      asked.push({ ...rest, operation: operation.id });
      const said = answer({ ...rest, operation: operation.id }, asked.length);
      if (said === 'leave') leave.abort();
      if (said instanceof Error) throw said;
      return said === 'leave' ? full(100, asked.length) : said;
    },
  };
  const result = await endpoint?.handle(call as unknown as CompatRequest).catch((error: unknown) => error);
  return { answer: result, asked, leave };
}

function full(size: number, page: number): object {
  const messages = Array.from({ length: size }, (_, at) => ({
    ...{ cursor: `${page}-${at}`, message_id: `${page}-${at}`, chat_jid: '1@s.whatsapp.net', type: 'text' },
    ...{ text: 'x', timestamp_unix: 1, from_me: false, is_group: false, sender_jid: '1@s.whatsapp.net' },
  }));
  return { messages, results: [] };
}

const where = { key: { remoteJid: '1@s.whatsapp.net' } };

describe('the cost of one request of the Evolution interface', () => {
  it('ends with the requested page', async () => {
    const { asked } = await handle('findMessages', { body: { where, page: 3, offset: 50 } }, (_, page) =>
      full(100, page),
    );
    expect(asked.map(({ operation, query }) => [operation, query.limit])).toEqual([
      [operations.listChatMessages.id, 100],
      [operations.listChatMessages.id, 50],
    ]);
  });

  it('is nothing for a page that is too far back, which is refused', async () => {
    const { answer, asked } = await handle(
      'findMessages',
      { body: { where, page: 201, offset: 50 } },
      full.bind(null, 1, 1),
    );
    expect(answer).toMatchObject({ answer: { status: 400 } });
    expect(asked).toEqual([]);
  });

  it('ends with the caller’s connection while a history is read', async () => {
    const body = { where, page: 100, offset: 100 };
    const { answer, asked } = await handle('findMessages', { body }, (_, page) =>
      page === 3 ? 'leave' : full(100, page),
    );
    expect(asked).toHaveLength(3);
    expect(answer).toMatchObject({ answer: { status: 499 } });
  });

  it('ends with the caller’s connection while numbers are looked up', async () => {
    const numbers = Array.from({ length: 500 }, (_, at) => `1555${at}`);
    const { asked } = await handle('whatsappNumbers', { body: { numbers } }, (_, count) =>
      count === 2 ? 'leave' : { results: [] },
    );
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['by its declared size', { declaredSize: 1024 * 1024 + 1, real: 9 }, false],
    ['by its real size', { declaredSize: 9, real: 1024 * 1024 + 1 }, true],
  ])(
    'refuses base64 for a file that is too large %s, and names the URL of its stream',
    async (_title, sizes, fetched) => {
      Object.assign(file, { fetched: false, opened: false, ...sizes });
      const body = { message: { key: { id: 'M1' } } };
      const { answer } = await handle('getBase64FromMediaMessage', { body }, () => ({
        media: { id: 'media/1' },
      }));
      const message = [
        'The file has more than the 1 MB that are answered in base64: get it as a stream from https://parley.example/v1/media/media%2F1',
      ];
      expect(answer).toMatchObject({ answer: { status: 400, body: { response: { message } } } });
      expect(file).toMatchObject({ fetched, opened: false });
    },
  );

  it('allows a file of the largest size', async () => {
    Object.assign(file, { declaredSize: 1024 * 1024, real: 1024 * 1024 });
    const body = { message: { key: { id: 'M1' } } };
    const { answer } = await handle('getBase64FromMediaMessage', { body }, () => ({
      type: 'image',
      media: { id: 'm' },
    }));
    const said = JSON.parse(await text((answer as { body: Readable }).body));
    expect(Buffer.from(said.base64, 'base64')).toHaveLength(1024 * 1024);
  });

  it('is limited to two encodings per account at a time; the next begins when one is read or abandoned', async () => {
    Object.assign(file, { declaredSize: 1024 * 1024, real: 1024 * 1024 });
    const getFile = async (): Promise<Readable> => {
      const body = { message: { key: { id: 'M1' } } };
      const found = () => ({ type: 'image', media: { id: 'm' } });
      const { answer } = await handle('getBase64FromMediaMessage', { body }, found);
      return (answer as { body: Readable }).body;
    };
    const [first, second] = [await getFile(), await getFile()];
    const settled: string[] = [];
    const third = getFile().then((body) => {
      settled.push('third');
      return body;
    });
    const fourth = getFile().then((body) => {
      settled.push('fourth');
      return body;
    });
    await new Promise(setImmediate);
    expect(settled).toEqual([]);
    first.destroy();
    await text(await third);
    expect(settled).toContain('third');
    await text(second);
    await text(await fourth);
  });

  const link = { invite_link: 'https://chat.whatsapp.com/x' };
  const invite = (numbers: string[], answer: Parameters<typeof handle>[2]) =>
    handle('sendInvite', { query: { groupJid: '1@g.us' }, body: { numbers } }, answer);

  it('includes no send when one of the invited is invalid', async () => {
    const { answer, asked } = await invite(['15550002001', 'unregistered'], () => link);
    expect(answer).toMatchObject({ answer: { status: 400 } });
    expect(asked).toEqual([]);
  });

  it('is reported for partial invitations, which a repeated request completes', async () => {
    const numbers = ['15550002001', '15550002002', '15550002003', '15550002001'];
    const busy = apiError('session_rate_exceeded', { retryAfterSeconds: 2 });
    const first = await invite(numbers, (_, count) => (count === 3 ? busy : link));
    expect(first.answer).toMatchObject({
      status: 429,
      retryAfterSeconds: 2,
      message: expect.stringMatching(/^1 of 3 invitations are sent, then: .*again for the others$/),
    });
    const again = await invite(numbers, () => link);
    expect(again.answer).toEqual({ body: { send: true, inviteUrl: link.invite_link } });
    const keys = ({ asked }: typeof first) =>
      asked.flatMap(({ headers }) => headers?.['Idempotency-Key'] ?? []);
    // A repeated send has the same key, so it is sent once.
    expect(keys(again).slice(0, 2)).toEqual(keys(first));
    expect(new Set(keys(again)).size).toBe(3);
  });

  it('takes little time to refuse a base64 file of blanks', async () => {
    const media = `${' '.repeat(32_000)}!`;
    const body = { number: '15550002001', mediatype: 'image', media };
    const limitMs = 100;
    const ms = await leastCpuMs(limitMs, async () => {
      const { answer } = await handle('sendMedia', { body }, () => ({}));
      expect(answer).toMatchObject({ answer: { status: 400 } });
    });
    // A pattern that backtracks took 1,200 ms.
    expect(ms).toBeLessThan(limitMs);
  });
});

describe('a schema of the Evolution interface', () => {
  it.each([
    ['findMessages', { page: 1_000_000_000 }],
    ['findMessages', { offset: 101 }],
    ['whatsappNumbers', { numbers: Array.from({ length: 501 }, () => '1') }],
    ['sendInvite', { numbers: Array.from({ length: 51 }, () => '1') }],
    ['sendText', { number: '1', text: 'x'.repeat(65_537) }],
    ['sendText', { number: 'x'.repeat(129), text: 'x' }],
  ])('of %s has bounds', (id, body) => {
    const schema = surface.endpoints.find((each) => each.id === id)?.input?.body;
    if (!schema) throw new Error(`${id} declares no body.`);
    expect(compileParse(schema)(body)).toMatchObject({ ok: false });
  });
});
