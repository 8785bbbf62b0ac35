import { afterEach, expect, test, vi } from 'vitest';
import { startHttpProxy, type TestProxy } from '#egress/testing';
import { adaWrites, messageIds, online, useWire, WAIT } from '../testing/people.ts';

/** What the phone shares lies on the network's media server; the history is fetched here, the rest by the library, both by the number's own road. */
const setUp = useWire();
let proxy: TestProxy | undefined;

afterEach(() => proxy?.stop());

test('a history that is not inline is fetched through the proxy of the number', async () => {
  proxy = await startHttpProxy();
  const harness = await setUp({ proxy: proxy.url });
  const me = await online(harness);

  // Nothing else of a new link lies on the network's media server.
  const { targets } = proxy;
  await vi.waitFor(() => expect(targets).toContain(harness.wire.mediaHost), WAIT);
  await me.session.probe();
  adaWrites(harness, 'AFTERWARDS');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['AFTERWARDS']), WAIT);
});
