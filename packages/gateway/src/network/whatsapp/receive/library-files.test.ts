import { randomBytes } from 'node:crypto';
import { userJid } from '@parley/sandbox/world';
import { proto } from 'baileys';
import { afterEach, expect, test, vi } from 'vitest';
import { startHttpProxy, type TestProxy } from '#egress/testing';
import type { WireHarness } from '../testing/fixture.ts';
import { adaWrites, ME, messageIds, type Opened, online, useWire, WAIT } from '../testing/people.ts';

/** The library fetches the files of the phone's history by itself; this test sees to it that it goes by the number's own road. */
const setUp = useWire();
const MEDIA_HOST = 'mmg.whatsapp.net';
const NOBODY_LISTENS = 9;
let proxy: TestProxy | undefined;

afterEach(() => proxy?.stop());

/** A history that lies on the network's media server, whose name the library knows by heart. */
function historyElsewhere(): proto.Message.IHistorySyncNotification {
  const { PUSH_NAME: syncType } = proto.HistorySync.HistorySyncType;
  const bytes = randomBytes(32);
  return {
    syncType,
    directPath: '/v/history',
    mediaKey: bytes,
    fileEncSha256: bytes,
    progress: 100,
    chunkOrder: 1,
  };
}

function announce(
  { wire }: WireHarness,
  me: Opened,
  notification: proto.Message.IHistorySyncNotification,
): void {
  if (me.session.state.kind !== 'connected') throw new Error('not connected');
  const { HISTORY_SYNC_NOTIFICATION: type } = proto.Message.ProtocolMessage.Type;
  const message = { protocolMessage: { type, historySyncNotification: notification } };
  wire.say(me.session.state.sessionId, {
    tag: 'message',
    attrs: { id: 'HISTORY', from: userJid(ME), category: 'peer', type: 'text', t: '1700000000' },
    content: [{ tag: 'plaintext', attrs: {}, content: proto.Message.encode(message).finish() }],
  });
}

test('a history that is not inline is fetched through the proxy of the number', async () => {
  proxy = await startHttpProxy({ names: { [MEDIA_HOST]: NOBODY_LISTENS } });
  const harness = await setUp({ proxy: proxy.url });
  const me = await online(harness);

  announce(harness, me, historyElsewhere());

  const { targets } = proxy;
  await vi.waitFor(() => expect(targets).toContain(`${MEDIA_HOST}:443`), WAIT);
  await me.session.probe();
  adaWrites(harness, 'AFTERWARDS');
  await vi.waitFor(() => expect(messageIds(me)).toEqual(['AFTERWARDS']), WAIT);
});
