import { createHash, randomBytes } from 'node:crypto';
import type { EventOf, EventPage, KeptMessagePage } from '@parley/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from './numbers.ts';
import { accepted, createFleet, shownOn } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const sender = createFleet(gateway);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** Too large for an event. */
const FILM = randomBytes(5_000_000);
let me: Awaited<ReturnType<typeof sender>>;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([sender(), someone(gateway, { name: 'Ada' })]);
});

type Media = NonNullable<EventOf<'message'>['media']>;

async function phoneSends(phone: string, to: string, file: Buffer): Promise<string> {
  const body = { media_type: 'document', media_base64: file.toString('base64'), mimetype: 'video/mp4' };
  const path = `/phones/${phone}/messages`;
  return (await gateway.sandbox<{ message_id: string }>('POST', path, { to, ...body })).message_id;
}

/** The description of the file in the event. */
async function received(by: Pick<LinkedNumber, 'call'>, messageId: string): Promise<Required<Media>> {
  return vi.waitFor(async () => {
    const { body } = await by.call<EventPage>('GET', '/events?kind=message&limit=500');
    const found = body.events.find(({ event }) => event.kind === 'message' && event.message_id === messageId);
    const media = found?.event.kind === 'message' ? found.event.media : undefined;
    if (media?.id === undefined || media.url === undefined) throw new Error('no file came yet');
    return media as Required<Media>;
  }, WATCHING);
}

async function get(path: string, key?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(gateway.url + path, {
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { status } = answer;
  return {
    status,
    headers: answer.headers,
    bytes,
    refusal: () => ({ status, ...JSON.parse(String(bytes)) }),
  };
}

/** The process that wrote the event may be another than the one that gets the request. */
const pathOf = (url = ''): string => new URL(url).pathname + new URL(url).search;

describe('a file that came with a message', () => {
  test('is downloaded from the network whatever its size, whole and in parts, by its id or by its link', async () => {
    const media = await received(me, await phoneSends(ada.phone, me.phone, FILM));
    expect(media).toMatchObject({ status: 'too_large', data: '', file_length: FILM.length });
    const whole = await get(`/v1/media/${media.id}`, me.apiKey);
    expect(whole.status).toBe(200);
    expect(sha256(whole.bytes)).toBe(sha256(FILM));
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    const part = await get(`/v1/media/${media.id}`, me.apiKey, { range: 'bytes=100000-3000000' });
    expect(part.status).toBe(206);
    expect(sha256(part.bytes)).toBe(sha256(FILM.subarray(100_000, 3_000_001)));
    const { status, bytes } = await get(pathOf(media.url), undefined, { range: 'bytes=-5' });
    expect({ status, bytes }).toEqual({ status: 206, bytes: FILM.subarray(-5) });
  });

  test('can be forwarded by its id', async () => {
    const { id } = await received(me, await phoneSends(ada.phone, me.phone, FILM));
    const again = { media_type: 'document', media_id: id, file_name: 'film.mp4' };
    const sent = await accepted(me, { to: ada.phone, ...again });
    expect(await shownOn(gateway, ada, sent)).toMatchObject({ media: { sha256: sha256(FILM) } });
  });

  test('is closed to other accounts, and a link opens this file only', { tags: 'anywhere' }, async () => {
    const eve = await linkedNumber(gateway);
    const [mine, other] = await Promise.all([
      phoneSends(ada.phone, me.phone, Buffer.from('for me')).then((id) => received(me, id)),
      phoneSends(ada.phone, eve.phone, Buffer.from('for her')).then((id) => received(eve, id)),
    ]);
    expect((await get(`/v1/media/${mine.id}`, eve.apiKey)).status).toBe(404);
    expect((await get(`/v1/media/${mine.id}`)).status).toBe(401);
    const query = new URL(mine.url).search;
    const bent = [
      `/v1/media/${other.id}/file${query}`,
      `/v1/media/med_none/file${query}`,
      pathOf(mine.url).replace('expires=', 'expires=9'),
      `${pathOf(mine.url)}x`,
    ];
    for (const path of bent) {
      for (const key of [undefined, me.apiKey, eve.apiKey]) {
        expect((await get(path, key)).refusal()).toEqual({ status: 403, error: 'link is not valid' });
      }
    }
    expect(String((await get(pathOf(mine.url))).bytes)).toBe('for me');
  });

  test('is reported as gone when both the network and the phone have lost it', {
    tags: 'anywhere',
  }, async () => {
    await gateway.sandbox('POST', '/faults', { session_id: me.sessionId, fault: 'media_gone' });
    const media = await received(me, await phoneSends(ada.phone, me.phone, Buffer.from('lost')));
    expect(media).toMatchObject({ status: 'error' });
    expect((await get(`/v1/media/${media.id}`, me.apiKey)).refusal()).toEqual({
      status: 410,
      error: 'neither the network nor the gateway has the file any more',
    });
  });

  test('of an offline number waits for it, unless it is stored here, and is deleted with its message', async () => {
    const keeper = await linkedNumber(gateway);
    const before = await received(keeper, await phoneSends(ada.phone, keeper.phone, Buffer.from('before')));
    expect((await keeper.on('PUT', '/history', { enabled: true })).status).toBe(200);
    const { id } = await received(keeper, await phoneSends(ada.phone, keeper.phone, Buffer.from('kept')));
    const chat = `/chats/${encodeURIComponent(ada.jid)}`;
    const { body } = await keeper.on<KeptMessagePage>('GET', `${chat}/messages`);
    const shown = body.messages[0]?.media;
    expect(shown).toMatchObject({ id, url: expect.any(String) });
    await gateway.sandbox('POST', `/phones/${keeper.phone}/unlink`, { session_id: keeper.sessionId });
    // A request while it is still online stores it here.
    await vi.waitFor(async () => expect((await keeper.on('GET', '/groups')).status).toBe(409), WATCHING);
    const offline = await get(`/v1/media/${before.id}`, keeper.apiKey);
    expect(offline.status).toBe(503);
    expect(offline.headers.get('retry-after')).toBe('30');
    expect(offline.refusal().error).toContain('number is not online');
    expect(String((await get(`/v1/media/${id}`, keeper.apiKey)).bytes)).toBe('kept');
    expect(String((await get(pathOf(shown?.url))).bytes)).toBe('kept');
    expect((await keeper.on('DELETE', `${chat}/history`)).status).toBe(204);
    expect((await get(`/v1/media/${id}`, keeper.apiKey)).status).toBe(404);
    expect((await get(pathOf(shown?.url))).status).toBe(403);
  });
});
