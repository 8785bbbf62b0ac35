import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ada, ben, handset, text } from '../world/fixture.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;
const scope = () => `companion.pre-keys.${client.sessionId}`;
const keys = () => network.world.vault.entries(scope()).map(({ key }) => Number(key));

beforeAll(async () => {
  network = await startTestNetwork();
  // The default outside of tests.
  network.world.standing.setRules({ ...network.world.standing.rules(), fewKeys: false });
  client = await network.link(ada);
});
afterAll(() => network.stop());

async function firstMessageFrom(phone: string): Promise<void> {
  network.world.phones.create(phone, { name: phone });
  const id = network.world.messages.newId();
  const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === id);
  network.world.messages.send(handset(phone), { id, to: ada, content: text('nice to meet you') });
  expect((await arrived).messages[0]?.message?.conversation).toBe('nice to meet you');
}

it('has 812 keys from a client after a count of zero', async () => {
  await vi.waitFor(() => expect(Math.max(...keys())).toBe(812));
});

it('has a few keys of a client where the rules say so', async () => {
  const rules = network.world.standing.rules();
  network.world.standing.setRules({ ...rules, fewKeys: true });
  const { sessionId } = await network.link(ada);
  network.world.standing.setRules(rules);
  await vi.waitFor(() => {
    const brought = network.world.vault.entries(`companion.pre-keys.${sessionId}`);
    expect(brought).not.toHaveLength(0);
    // Five, and as many again where some were taken already.
    expect(brought.length).toBeLessThan(20);
  });
});

it("gives out each of a client's one-time keys once", async () => {
  const before = keys();
  await firstMessageFrom('15550003001');
  await firstMessageFrom('15550003002');
  const after = keys();
  expect(before.length - after.length).toBe(2);
});

it('asks for more when few are left', async () => {
  for (const key of keys().slice(5)) network.world.vault.erase(scope(), key.toString().padStart(8, '0'));
  const latest = Math.max(...keys());
  await firstMessageFrom('15550003003');
  await vi.waitFor(() => expect(Math.max(...keys())).toBeGreaterThan(latest));
});

it('reaches a client that has no one-time key left', async () => {
  for (const key of keys()) network.world.vault.erase(scope(), key.toString().padStart(8, '0'));
  await firstMessageFrom('15550003004');
});

it("never gives a phone's one-time key to two clients", async () => {
  const bens = await network.link(ben);
  const other = await network.link(ben);
  const ids = await Promise.all(
    [bens, other].map(async ({ sock }) => {
      const { lid } = network.world.phones.get(ada);
      const answer = await sock.query({
        tag: 'iq',
        attrs: { xmlns: 'encrypt', type: 'get', to: '@s.whatsapp.net' },
        content: [{ tag: 'key', attrs: {}, content: [{ tag: 'user', attrs: { jid: `${lid}@lid` } }] }],
      });
      return JSON.stringify(answer.content);
    }),
  );
  expect(ids[0]).not.toBe(ids[1]);
});
