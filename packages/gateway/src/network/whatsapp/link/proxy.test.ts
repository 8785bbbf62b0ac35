import { readFileSync } from 'node:fs';
import { userJid } from '@parley/sandbox/world';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startHttpProxy, startSocksProxy, type TestProxy } from '#platform/egress/testing';
import {
  ADA,
  adaWrites,
  connected,
  link,
  ME,
  messageIds,
  online,
  pair,
  textToAda,
  useWire,
  WAIT,
} from '../testing/people.ts';

const REFUSED = 'The proxy of this number does not let it through.';
const setUp = useWire();
let proxy: TestProxy | undefined;

afterEach(() => proxy?.stop());

describe.each([
  ['SOCKS', startSocksProxy],
  ['HTTP', startHttpProxy],
])('a number behind a proxy of %s', (_name, start) => {
  test('pairs, connects, sends, receives and exchanges files through it only', async () => {
    proxy = await start({ credentials: 'parley:secret' });
    const harness = await setUp({ proxy: proxy.url });
    const chat = new URL(harness.wire.url).host;
    await link(harness);
    expect(new Set(proxy.targets)).toEqual(new Set([chat]));
    const me = await connected(harness);
    expect(proxy.targets.filter((target) => target === chat).length).toBeGreaterThanOrEqual(2);

    await me.session.send(textToAda('3EB0AA01'));
    adaWrites(harness, 'HELLO');
    await vi.waitFor(() => expect(messageIds(me)).toEqual(['HELLO']), WAIT);
    const file = { path: import.meta.filename, size: 1_000, mimetype: 'text/plain' };
    const content = { kind: 'document', file, fileName: 'test.ts' } as const;
    // The answer to the upload, over the connection that has fetched the history.
    const answers = proxy.bytesFromOthersThan(chat);
    await me.session.send({ messageId: '3EB0AA02', to: userJid(ADA), content });
    expect(proxy.bytesFromOthersThan(chat)).toBeGreaterThan(answers);
    expect(proxy.targets.at(-1)).not.toBe(chat);

    const downloaded = proxy.bytesFromOthersThan(chat);
    const bytes = readFileSync(import.meta.filename);
    harness.world.messages.send(
      { phone: ADA, device: 0 },
      {
        id: 'FILE',
        to: userJid(ME),
        content: {
          type: 'document',
          media: harness.world.media.put(bytes, 'text/plain'),
          fileName: 'test.ts',
        },
      },
    );
    const media = await vi.waitFor(() => {
      const event = me.events.find((each) => each.kind === 'message' && each.messageId === 'FILE');
      if (event?.kind !== 'message' || !('media' in event.content)) throw new Error('no file yet');
      return event.content.media.ref;
    }, WAIT);
    expect(Buffer.from(await me.session.download(media, { maxBytes: 1_000_000 }))).toEqual(bytes);
    expect(proxy.bytesFromOthersThan(chat) - downloaded).toBeGreaterThan(bytes.length);
  });

  test('is reconnecting with the proxy as reason when the proxy is gone', async () => {
    proxy = await start();
    const harness = await setUp({ proxy: proxy.url });
    const me = await online(harness);
    proxy.stop();
    me.session.reconnect();
    await vi.waitFor(
      () =>
        expect(me.session.state).toMatchObject({
          kind: 'reconnecting',
          reason: 'proxy_failed',
          detail: REFUSED,
        }),
      WAIT,
    );
  });

  test('reports a proxy that refuses its password', async () => {
    proxy = await start({ credentials: 'parley:secret' });
    const harness = await setUp({ proxy: proxy.url.replace('secret', 'wrong') });
    const progress = pair(harness);
    await vi.waitFor(() => expect(progress).toEqual([{ kind: 'failed', reason: REFUSED }]), WAIT);
    expect(proxy.targets).toEqual([]);
  });
});

test('gives up a proxy that accepts the connection and stays silent', async () => {
  proxy = await startSocksProxy({ silent: true });
  const harness = await setUp({ proxy: proxy.url });
  const progress = pair(harness);
  const overAndOver = async (): Promise<void> => {
    await harness.advance(11_000);
    expect(progress).toEqual([{ kind: 'failed', reason: REFUSED }]);
  };
  await vi.waitFor(overAndOver, WAIT);
});
