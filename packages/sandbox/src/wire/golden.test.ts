import { expect, it } from 'vitest';
import { createTestWorld } from '../world/fixture.ts';
import { field } from './app-state/syncd.ts';
import { failure, streamError } from './login/final-stanzas.ts';
import { createLoginInfo } from './login/login-info.ts';
import { createMediaConnectionHandler } from './stanzas/media-connection.ts';
import { capNotification, lockNotification } from './stanzas/standing.ts';
import { encodeNode, type Node, node, SERVER } from './transport/nodes.ts';

/** Stanzas of the network, byte by byte: another implementation of the protocol can be compared with this. */

const AT = 1_784_365_200_000;
const random = { bytes: (length: number) => new Uint8Array(length).fill(7) };

function createInfo() {
  const world = createTestWorld();
  const { sessionId } = world.devices.link('15550002001', new Uint8Array());
  const said = createLoginInfo({ world, clock: { ...world.clock, now: () => AT }, random });
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
  'a restriction': () =>
    lockNotification('N1', AT, { type: 'RESTRICT_ALL_COMPANIONS', endsAt: AT + 3_600_000 }),
  'a restriction that is lifted': () => lockNotification('N2', AT, undefined),
  'a cap': () =>
    capNotification('N3', AT, {
      quota: 50,
      used: 50,
      cycleStartedAt: AT,
      cycleEndsAt: AT + 3_600_000,
      status: 'CAPPED',
    }),
  'a question too many': () =>
    node('iq', { id: '1', from: SERVER, type: 'error' }, [
      node('error', { code: 429, text: 'rate-overlimit' }),
    ]),
  routing: () => createInfo().said.routing(),
  'an account that has changed': () => {
    const { said, sessionId } = createInfo();
    return said.changes(sessionId)[0];
  },
  'what waits': () => {
    const { said, sessionId, world } = createInfo();
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
  'a device that was replaced': '00f8029df801f803ec0e04ec11',
  'a restart': '00f8039d70ff82515f',
  'a restriction':
    '00f80a0908fc024e3106fa000304fc036d65781aff051784365200f801f80478fc076f705f6e616d65fc264e6f74696669636174696f6e5573657252656163686f757454696d656c6f636b557064617465fc977b2264617461223a7b22787761325f6e6f746966795f6163636f756e745f72656163686f75745f74696d656c6f636b223a7b2269735f616374697665223a747275652c22656e666f7263656d656e745f74797065223a2252455354524943545f414c4c5f434f4d50414e494f4e53222c2274696d655f656e666f7263656d656e745f656e6473223a2231373834333638383030227d7d7d',
  'a restriction that is lifted':
    '00f80a0908fc024e3206fa000304fc036d65781aff051784365200f801f80478fc076f705f6e616d65fc264e6f74696669636174696f6e5573657252656163686f757454696d656c6f636b557064617465fc467b2264617461223a7b22787761325f6e6f746966795f6163636f756e745f72656163686f75745f74696d656c6f636b223a7b2269735f616374697665223a66616c73657d7d7d',
  'a cap':
    '00f80a0908fc024e3306fa000304fc036d65781aff051784365200f801f80478fc076f705f6e616d65fc1e4d65737361676543617070696e67496e666f4e6f74696669636174696f6efd00011f7b2264617461223a7b22787761325f6e6f746966795f6e65775f636861745f6d657373616765735f63617070696e675f696e666f5f757064617465223a7b22746f74616c5f71756f7461223a35302c22757365645f71756f7461223a35302c226379636c655f73746172745f74696d657374616d70223a2231373834333635323030222c226379636c655f656e645f74696d657374616d70223a2231373834333638383030222c227365727665725f73656e745f74696d657374616d70223a2231373834333635323030222c226f74655f737461747573223a224e4f545f454c494749424c45222c226d765f737461747573223a224e4f545f454c494749424c45222c2263617070696e675f737461747573223a22434150504544227d7d7d',
  'a question too many': '00f80819085506fa000304a8f801f805a870ff82429f38eeef',
  routing: '00f804fc02696206fa0003f801f80228f801f80227fc080707070707070707',
  'an account that has changed': '00f804fc02696206fa0003f801f805ed0104ec6eec9aff051784365200',
  'what waits': '00f804fc02696206fa0003f801f80d4e41551355072d642d092d802d',
};

it.each(Object.entries(cases))('says %s in these bytes', (name, make) => {
  const stanza = make();
  expect(stanza && encodeNode(stanza).toString('hex')).toBe(golden[name]);
});

it('names the media servers in these stanzas', async () => {
  const answer = createMediaConnectionHandler({
    mediaHosts: () => ['media.example:443', 'other.example:443'],
    credentials: { issue: () => 'issued' },
  });
  const usable = ['upload', 'download'].map((tag) => ({ tag, attrs: {} }));
  const [connection] = await answer(
    { device: createInfo().world.devices.link('15550002001', new Uint8Array()), send() {} },
    { tag: 'iq', attrs: {} },
    () => {},
  );
  expect(connection).toEqual({
    tag: 'media_conn',
    attrs: {
      auth: 'issued',
      ttl: '3600',
      auth_ttl: '21600',
      max_buckets: '12',
    },
    content: [
      { tag: 'host', attrs: { hostname: 'media.example:443', type: 'primary' }, content: usable },
      { tag: 'host', attrs: { hostname: 'other.example:443', type: 'fallback' }, content: usable },
    ],
  });
});

it('stores the salt of first contacts in field 80 of an action, and 19 of history', () => {
  const salt = new Uint8Array([1, 2, 3]);
  expect(field(80, field(1, salt)).toString('hex')).toBe('8205050a03010203');
  expect(field(19, salt).toString('hex')).toBe('9a0103010203');
});
