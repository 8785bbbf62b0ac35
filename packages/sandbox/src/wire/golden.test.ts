import { expect, it } from 'vitest';
import { createTestWorld } from '../world/fixture.ts';
import { field } from './app-state/syncd.ts';
import { failure, streamError } from './login/endings.ts';
import { createWelcome } from './login/welcome.ts';
import { createMediaConnectionHandler } from './stanzas/media-connection.ts';
import { encodeNode, type Node } from './transport/nodes.ts';

/** What the network says by itself, to the byte: another implementation of the protocol can be held against this. */

const random = { bytes: (length: number) => new Uint8Array(length).fill(7) };

function welcome() {
  const world = createTestWorld();
  const { sessionId } = world.devices.link('15550002001', new Uint8Array());
  const said = createWelcome({ world, clock: { ...world.clock, now: () => 1_784_365_200_000 }, random });
  said.changed(sessionId);
  return { said, sessionId, world };
}

const cases: Readonly<Record<string, () => Node | undefined>> = {
  'a temporary ban': () => failure({ reason: 402, code: 101, expireSeconds: 3600 }),
  'a locked account': () => failure({ reason: 403 }),
  'a client that is too old': () => failure({ reason: 405 }),
  'a device that was removed': () => streamError(401),
  'a device that was replaced': () => streamError(440),
  'a restart': () => streamError(515),
  routing: () => welcome().said.routing(),
  'an account that has changed': () => {
    const { said, sessionId } = welcome();
    return said.changes(sessionId)[0];
  },
  'what waits': () => {
    const { said, sessionId, world } = welcome();
    world.messages.send(
      { phone: '15550002002', device: 0 },
      { id: 'A', to: '15550002001', content: { type: 'text', text: 'hi' } },
    );
    return said.preview(sessionId)[0];
  },
};

const golden: Readonly<Record<string, string>> = {
  'a temporary ban': '00f807ee3cec2eff82402f70ec36fc06657870697265ff023600',
  'a locked account': '00f803ee3cec2eff82403f',
  'a client that is too old': '00f803ee3cec2eff82405f',
  'a device that was removed': '00f8049d708df801f803ec0e04fc0e6465766963655f72656d6f766564',
  'a device that was replaced': '00f8049d70ff82440ff801f803ec0e04ec11',
  'a restart': '00f8039d70ff82515f',
  routing: '00f804fc02696206fa0003f801f80228f801f80227fc080707070707070707',
  'an account that has changed': '00f804fc02696206fa0003f801f805ed0104ec6eec9aff051784365200',
  'what waits': '00f804fc02696206fa0003f801f80d4e41551355072d642d092d802d',
};

it.each(Object.entries(cases))('says %s in these bytes', (name, make) => {
  const stanza = make();
  expect(stanza && encodeNode(stanza).toString('hex')).toBe(golden[name]);
});

it('says where files go in these words', async () => {
  const answer = createMediaConnectionHandler({ mediaHost: 'media.example:443', random });
  const [connection] = await answer(
    { device: welcome().world.devices.link('15550002001', new Uint8Array()), send() {} },
    { tag: 'iq', attrs: {} },
    () => {},
  );
  expect(connection).toEqual({
    tag: 'media_conn',
    attrs: {
      auth: Buffer.alloc(24, 7).toString('base64url'),
      ttl: '3600',
      auth_ttl: '21600',
      max_buckets: '12',
    },
    content: [{ tag: 'host', attrs: { hostname: 'media.example:443' } }],
  });
});

it('keeps the salt of first contacts under field 80 of an action, and 19 of history', () => {
  const salt = new Uint8Array([1, 2, 3]);
  expect(field(80, field(1, salt)).toString('hex')).toBe('8205050a03010203');
  expect(field(19, salt).toString('hex')).toBe('9a0103010203');
});
