import { fetchLatestWaWebVersion } from 'baileys';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ada } from '../world/fixture.ts';
import { closing, event, memoryAuth, startTestNetwork, type TestNetwork } from './fixture.ts';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterEach(() => network.world.clients.demand({}));
afterAll(() => network.stop());

const asVersion = (revision: number) => ({ version: [2, 3000, revision] as [number, number, number] });

it('refuses a client older than the demanded version, linked or not', async () => {
  const client = await network.link(ada, asVersion(1000));
  network.world.clients.demand({ minimum: [2, 3000, 1001] });
  expect(await closing(network.connect(client.auth, asVersion(1000)))).toBe(405);
  expect(await closing(network.connect(memoryAuth(), asVersion(1000)))).toBe(405);
  const before = network.world.devices.get(client.sessionId)?.logins ?? 0;
  const again = await network.reconnect(client, asVersion(1001));
  expect(again.sock.user?.id).toBe(client.sessionId);
  expect(network.world.devices.get(client.sessionId)?.logins).toBe(before + 1);
});

it.each([
  [[2, 2999, 9999], 405],
  [[1, 9999, 9999], 405],
] as const)('compares %j part by part', async ([...version], code) => {
  network.world.clients.demand({ minimum: [2, 3000, 1] });
  expect(await closing(network.connect(memoryAuth(), { version }))).toBe(code);
});

it('accepts a version that is newer in a more significant part', async () => {
  network.world.clients.demand({ minimum: [2, 3000, 500] });
  const sock = network.connect(memoryAuth(), { version: [3, 0, 0] });
  const update = await event(sock, 'connection.update', ({ qr, lastDisconnect }) => !!(qr ?? lastDisconnect));
  expect(update).toMatchObject({ qr: expect.any(String) });
});

/** The pages are on the server that clients connect to. */
const origin = () => network.wire.url.replace('ws:', 'http:').replace('/ws/chat', '');

it('serves the page from which clients read the current version', async () => {
  network.world.clients.demand({ current: [2, 3000, 1234567890] });
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, options: RequestInit) =>
    real(address.replace('https://web.whatsapp.com', origin()), options),
  );
  try {
    expect(await fetchLatestWaWebVersion()).toEqual({ version: [2, 3000, 1234567890], isLatest: true });
  } finally {
    vi.unstubAllGlobals();
  }
  // other contentCodecs of clients read the front page
  const page = await (await fetch(`${origin()}/`)).text();
  expect(/"client_revision":(\d+),/.exec(page)?.[1]).toBe('1234567890');
});

it('announces the version that it is built for by default', async () => {
  const page = await (await fetch(`${origin()}/sw.js`)).text();
  expect(page).toMatch(/client_revision\\":\d{10},/);
});
