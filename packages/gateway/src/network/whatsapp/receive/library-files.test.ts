import { afterEach, expect, test, vi } from 'vitest';
import { startHttpProxy, type TestProxy } from '#platform/egress/testing';
import { adaWrites, messageIds, online, useWire, WAIT } from '../testing/people.ts';

/**
 * Files of the phone's shared state are on the network's media server. The history is fetched here, the others
 * by the library; both must use the number's proxy.
 */
const setUp = useWire();
let proxy: TestProxy | undefined;

afterEach(() => proxy?.stop());

test('fetches a history that is not inline through the proxy of the number', async () => {
  proxy = await startHttpProxy();
  const harness = await setUp({ proxy: proxy.url });
  const me = await online(harness);

  // A new link fetches no other file from the media server.
  const { targets } = proxy;
  await vi.waitFor(() => expect(targets).toContain(harness.wire.mediaHost), WAIT);
  await me.session.probe();
  adaWrites(harness, 'AFTERWARDS');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['AFTERWARDS']), WAIT);
});
