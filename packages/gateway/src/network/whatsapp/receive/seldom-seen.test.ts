import { lidJid, userJid } from '@parley/sandbox/world';
import { expect, test, vi } from 'vitest';
import { ADA, ME, online, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

test('publishes and acknowledges rare stanzas of the network', async () => {
  const harness = await setUp();
  const me = await online(harness);
  const sessionId = me.session.state.kind === 'connected' ? me.session.state.sessionId : '';
  const ada = lidJid(harness.world.phones.get(ADA).lid);
  const { group } = harness.world.groups.create(
    { phone: ADA, device: 0 },
    { name: 'Lunch', participants: [userJid(ME)] },
  );

  harness.wire.say(sessionId, {
    tag: 'receipt',
    attrs: { id: 'GROUPED', from: group.jid, type: 'read', t: '7' },
    content: [
      {
        tag: 'participants',
        attrs: { key: '3EB0GROUP' },
        content: [
          { tag: 'user', attrs: { jid: ada, t: '5' } },
          { tag: 'user', attrs: { jid: '100000000000009@lid', t: '6' } },
        ],
      },
    ],
  });
  harness.wire.say(sessionId, {
    tag: 'message',
    attrs: { id: 'ONCE', from: ada, sender_pn: userJid(ADA), type: 'media', t: '7', notify: 'Ada' },
    content: [{ tag: 'unavailable', attrs: { type: 'view_once' } }],
  });
  harness.wire.say(sessionId, {
    tag: 'status',
    attrs: { id: 'STORY', from: '5@newsletter', type: 'text', t: '7' },
  });

  const answers = () =>
    harness.received.flatMap(({ tag, attrs }) =>
      tag === 'ack' || tag === 'receipt' ? [`${tag} ${attrs.class ?? 'message'} ${attrs.id}`] : [],
    );
  await vi.waitFor(
    () =>
      expect(answers()).toEqual(
        expect.arrayContaining(['ack receipt GROUPED', 'ack message ONCE', 'ack status STORY']),
      ),
    WAIT,
  );
  expect(me.events.filter(({ kind }) => kind === 'receipt')).toMatchObject([
    { messageId: '3EB0GROUP', recipient: ada, group: group.jid, type: 'read', timestamp: 5 },
    { messageId: '3EB0GROUP', recipient: '100000000000009@lid', timestamp: 6 },
  ]);
  expect(me.events.filter(({ kind }) => kind === 'message')).toMatchObject([
    {
      messageId: 'ONCE',
      chat: userJid(ADA),
      content: { kind: 'other', unavailable: 'view_once' },
      viewOnce: true,
    },
  ]);
});
