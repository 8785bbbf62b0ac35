import type { Newsletter, NewsletterPosted } from '@parley/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { PICTURE, useFileServer } from './file-server.ts';
import { type LinkedNumber, linkedNumber, type Someone, someone } from './numbers.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const files = useFileServer();
const UNKNOWN = '120363000000000000@newsletter';

let me: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway)]);
});

const at = (channel: string, path = ''): string => `/newsletters/${encodeURIComponent(channel)}${path}`;

async function create(by = me): Promise<Newsletter> {
  const { status, body } = await by.on<Newsletter>('POST', '/newsletters', { name: 'Harbour news' });
  expect(status).toBe(200);
  return body;
}

const channelOfAda = (): Promise<Newsletter> =>
  gateway.sandbox('POST', `/phones/${ada.phone}/channels`, { name: 'Weather', description: 'Every morning' });

const follow = (channel: string) => me.on<Newsletter>('POST', '/newsletters/follow', { channel });

interface Shown {
  readonly message_id: string;
  readonly type: string;
  readonly text: string;
  readonly reactions: { emoji: string }[];
  readonly media?: { mimetype: string; filename?: string };
}

/** The newest message of the channel on any phone. */
async function newest(channel: string): Promise<Shown | undefined> {
  const path = `/phones/${ada.phone}/messages?chat=${encodeURIComponent(channel)}&limit=1`;
  return (await gateway.sandbox<{ messages: Shown[] }>('GET', path)).messages[0];
}

const followed = async () => {
  const { channels } = await gateway.sandbox<{ channels: { jid: string; muted: boolean }[] }>(
    'GET',
    `/phones/${me.phone}`,
  );
  return channels;
};

describe('creating, reading, following', () => {
  test('a new channel belongs to its creator, and can be read', async () => {
    const wanted = { name: 'Harbour news', description: 'Tides and ferries' };
    const made = await me.on<Newsletter>('POST', '/newsletters', {
      ...wanted,
      picture_url: files.url('/picture.png'),
    });
    expect(made).toMatchObject({ status: 200, body: { ...wanted, subscriber_count: 1 } });
    expect(made.body.invite_code).toMatch(/./);
    expect(await me.on('GET', at(made.body.jid))).toMatchObject({ status: 200, body: made.body });
  });

  test('pictures and posts are accepted by `media_id` and `media_base64` too', async () => {
    const upload = {
      method: 'POST',
      headers: { authorization: `Bearer ${me.apiKey}` },
      body: new Uint8Array(PICTURE),
    };
    const answer = await fetch(`${gateway.url}/v1/media`, upload);
    const { media_id } = (await answer.json()) as { media_id: string };
    const inside = { media_base64: PICTURE.toString('base64'), mimetype: 'image/png' };
    for (const source of [{ media_id }, inside]) {
      const made = await me.on<Newsletter>('POST', '/newsletters', { name: 'Harbour news', ...source });
      expect(made.status).toBe(200);
      const post = { media_type: 'image', caption: 'At noon', ...source };
      expect(await me.on('POST', at(made.body.jid, '/messages'), post)).toMatchObject({ status: 200 });
    }
    for (const [source, status, error] of [
      [{ media_id: 'med_none' }, 404, 'media not found'],
      [{ media_id, ...inside }, 400, 'only one of picture_url, media_id and media_base64 can be given'],
      [{ mimetype: 'image/png' }, 400, 'picture_url is required'],
    ] as const)
      expect(await me.on('POST', '/newsletters', { name: 'No news', ...source })).toMatchObject({
        status,
        body: { error },
      });
    const { jid } = await create();
    for (const [post, error] of [
      [{ media_id }, 'media_type and media_url are required together'],
      [
        { media_type: 'image', media_id, ...inside },
        'only one of media_url, media_id and media_base64 can be given',
      ],
      [{ media_type: 'video', media_id }, 'media_id does not point to a video'],
    ] as const)
      expect(await me.on('POST', at(jid, '/messages'), post)).toMatchObject({ status: 400, body: { error } });
  });

  test.each([
    ['/nowhere.png', 'media could not be downloaded from its url'],
    ['/page.html', 'picture_url does not point to an image'],
    ['/broken.png', 'the image cannot be used as a picture'],
  ])('a picture at %s is 400, and no channel is made', async (path, error) => {
    const before = await followed();
    const body = { name: 'Harbour news', picture_url: files.url(path) };
    expect(await me.on('POST', '/newsletters', body)).toMatchObject({ status: 400, body: { error } });
    expect(await followed()).toHaveLength(before.length);
  });

  test('channels are followed by JID, by code and by link, listed, and left', async () => {
    const [first, second, third] = [await channelOfAda(), await channelOfAda(), await channelOfAda()];
    for (const [channel, reference] of [
      [first, first.jid],
      [second, second.invite_code],
      [third, `https://whatsapp.com/channel/${third.invite_code}`],
    ] as const) {
      expect(await follow(reference)).toMatchObject({
        status: 200,
        body: { jid: channel.jid, name: 'Weather', description: 'Every morning', subscriber_count: 2 },
      });
    }
    const list = async () =>
      (await me.on<{ newsletters: Newsletter[] }>('GET', '/newsletters')).body.newsletters.map(
        ({ jid }) => jid,
      );
    expect(await list()).toEqual(expect.arrayContaining([first.jid, second.jid, third.jid]));
    expect(await me.on('POST', at(first.jid, '/unfollow'))).toMatchObject({
      status: 200,
      body: { jid: first.jid, following: false },
    });
    expect(await list()).not.toContain(first.jid);
  });

  test('a channel is muted and unmuted', async () => {
    const { jid } = await channelOfAda();
    await follow(jid);
    for (const mute of [true, false]) {
      expect(await me.on('POST', at(jid, '/mute'), { mute })).toMatchObject({
        status: 200,
        body: { jid, mute },
      });
      expect(await followed()).toContainEqual(expect.objectContaining({ jid, muted: mute }));
    }
  });
});

describe('posting', () => {
  test('a text appears in the channel under the id that was answered', async () => {
    const { jid } = await create();
    const posted = await me.on<NewsletterPosted>('POST', at(jid, '/messages'), {
      text: 'High water at nine',
    });
    expect(posted).toMatchObject({
      status: 200,
      body: { message_id: expect.any(String), server_id: expect.any(Number) },
    });
    expect(await newest(jid)).toMatchObject({
      message_id: posted.body.message_id,
      text: 'High water at nine',
    });
  });

  test('a picture appears with its caption, a document with its name', async () => {
    const poster = await linkedNumber(gateway);
    const { jid } = await create(poster);
    const post = (body: object) => poster.on('POST', at(jid, '/messages'), body);
    const picture = { media_type: 'image', media_url: files.url('/picture.png'), caption: 'A dot' };
    expect((await post(picture)).status).toBe(200);
    expect(await newest(jid)).toMatchObject({
      type: 'image',
      text: 'A dot',
      media: { mimetype: 'image/png' },
    });
    expect((await post({ media_type: 'document', media_url: files.url('/tides.pdf') })).status).toBe(200);
    expect(await newest(jid)).toMatchObject({
      type: 'document',
      media: { mimetype: 'application/pdf', filename: 'tides.pdf' },
    });
  });

  test.each([
    [{ media_type: 'image' }, 'media_type and media_url are required together'],
    [{}, 'text, or media_type and media_url, is required'],
    [{ media_type: 'video', media_url: 'picture.png' }, 'media_url must be an http or https url'],
  ])('%o is 400', async (body, words) => {
    expect(await me.on('POST', at(UNKNOWN, '/messages'), body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(words) },
    });
  });

  test('a file of another type than declared is 400', async () => {
    const poster = await linkedNumber(gateway);
    const { jid } = await create(poster);
    const post = (media_type: string, path: string) =>
      poster.on('POST', at(jid, '/messages'), { media_type, media_url: files.url(path) });
    expect(await post('video', '/picture.png')).toMatchObject({
      status: 400,
      body: { error: 'media_url does not point to a video' },
    });
    expect(await post('image', '/nowhere.png')).toMatchObject({
      status: 400,
      body: { error: 'media could not be downloaded from its url' },
    });
    expect(await newest(jid)).toBeUndefined();
  });

  test('needs an admin', async () => {
    const { jid } = await channelOfAda();
    await follow(jid);
    expect(await me.on('POST', at(jid, '/messages'), { text: 'Mine' })).toMatchObject({
      status: 403,
      body: { error: 'session is not an admin of this channel' },
    });
  });

  test('uses the same quota as messages', async () => {
    const poster = await linkedNumber(gateway);
    const { jid } = await create(poster);
    const sends = Array.from({ length: 5 }, (_, n) =>
      poster.call(
        'POST',
        '/messages',
        { session_id: poster.sessionId, to: ada.phone, text: `Number ${n}` },
        { 'Idempotency-Key': `${poster.phone}-${n}` },
      ),
    );
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    let went: string | undefined;
    const post = (text: string) => poster.on('POST', at(jid, '/messages'), { text });
    let refused = await post('One too many');
    // A slow machine may have gained some sends meanwhile.
    for (let text = 'One too many'; refused.status === 200; refused = await post(text)) {
      went = text;
      text += ' again';
    }
    expect(refused).toMatchObject({ status: 429, body: { error: 'session send rate exceeded' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await newest(jid))?.text).toBe(went);
  });
});

describe('reacting', () => {
  test('adds a reaction, and an empty one removes it', async () => {
    const { jid } = await channelOfAda();
    await follow(jid);
    const { server_id, message_id } = await gateway.sandbox<{ server_id: number; message_id: string }>(
      'POST',
      `/phones/${ada.phone}/channels/${encodeURIComponent(jid)}/messages`,
      { text: 'Sunny' },
    );
    const react = (reaction: string) => me.on('POST', at(jid, '/react'), { server_id, message_id, reaction });
    expect(await react('☀️')).toMatchObject({ status: 200, body: { jid, server_id, reaction: '☀️' } });
    expect((await newest(jid))?.reactions).toMatchObject([{ emoji: '☀️' }]);
    expect((await react('')).body).toEqual({ jid, server_id, reaction: '' });
    expect((await newest(jid))?.reactions).toEqual([]);
  });

  test('to a message that does not exist is 404', async () => {
    const { jid } = await channelOfAda();
    await follow(jid);
    const body = { server_id: 9_999, message_id: '3EB0C767D71C5A4F1D2B', reaction: '👍' };
    expect(await me.on('POST', at(jid, '/react'), body)).toMatchObject({
      status: 404,
      body: { error: 'channel message not found' },
    });
  });
});

describe('what is refused', () => {
  test.each<[string, 'GET' | 'POST', string, object?]>([
    ['reading', 'GET', ''],
    ['muting', 'POST', '/mute', { mute: true }],
    ['leaving', 'POST', '/unfollow'],
    ['posting', 'POST', '/messages', { text: 'Hello?' }],
    ['reacting', 'POST', '/react', { server_id: 1, message_id: '3EB0C767D71C5A4F1D2B', reaction: '👍' }],
  ])('%s to an unknown channel is 404', async (_, method, path, body) => {
    expect(await me.on(method, at(UNKNOWN, path), body)).toMatchObject({
      status: 404,
      body: { error: 'channel not found' },
    });
  });

  test.each([
    [UNKNOWN, 'channel not found'],
    ['NoSuchInviteCode000000', 'invite link is invalid or was revoked'],
  ])('following %s is 404', async (reference, error) => {
    expect(await follow(reference)).toMatchObject({ status: 404, body: { error } });
  });

  test('the own channel cannot be left', async () => {
    const { jid } = await create();
    expect(await me.on('POST', at(jid, '/unfollow'))).toMatchObject({
      status: 403,
      body: { error: 'network does not allow this operation for this session' },
    });
  });

  test.each(['nonsense', '120363000000000000@g.us'])('the channel id %s is 400', async (id) => {
    expect((await me.on('GET', at(id))).status).toBe(400);
  });
});
