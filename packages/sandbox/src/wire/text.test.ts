import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ada, ben, handset, text } from '../world/fixture.ts';
import { type Client, event, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
let client: Client;

beforeAll(async () => {
  network = await startTestNetwork();
  client = await network.link(ada);
});
afterAll(() => network.stop());

it('carries a text from a linked client to a phone', async () => {
  const sent = await client.sock.sendMessage(`${ben}@s.whatsapp.net`, { text: 'hello Ben' });
  await vi.waitFor(() => {
    const bubble = network.world.messages.find(ben, sent?.key.id ?? '');
    expect(bubble?.content).toMatchObject({ type: 'text', text: 'hello Ben' });
  });
});

it('carries a text from a phone to a linked client', async () => {
  const arrived = event(client.sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === 'BEN1');
  network.world.messages.send(handset(ben), { id: 'BEN1', to: ada, content: text('hello Ada') });
  const { messages, type } = await arrived;
  expect(type).toBe('notify');
  expect(messages[0]).toMatchObject({
    key: { remoteJid: `${ben}@s.whatsapp.net`, fromMe: false },
    message: { conversation: 'hello Ada' },
  });
});
