import { once } from 'node:events';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { startWire, type Wire } from '@parley/sandbox/wire';
import { createWorld, type World } from '@parley/sandbox/world';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSystemClock, systemRandom } from '#kernel';
import { createProxyRoutes, type ProxyRoute, type ProxyRoutes } from './proxy-routes.ts';
import { startHttpProxy, startSocksProxy, type TestProxy } from './testing/index.ts';

const ME = '15550001001';
const clock = createSystemClock();
let world: World;
let wire: Wire;
let picture: URL;
let proxies: TestProxy[] = [];
let opened: ProxyRoutes[] = [];

beforeAll(async () => {
  world = createWorld({ file: ':memory:', clock, random: systemRandom });
  const mediaPort = await freePort();
  wire = await startWire({ world, clock, random: systemRandom, mediaPorts: [mediaPort] });
  picture = new URL(`https://127.0.0.1:${mediaPort}/missing.jpg`);
});
afterAll(async () => {
  await wire.stop();
  world.close();
});
afterEach(async () => {
  for (const routes of opened) await routes.close();
  for (const proxy of proxies) proxy.stop();
  opened = [];
  proxies = [];
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function route(options: Partial<Parameters<typeof createProxyRoutes>[0]> = {}): ProxyRoute {
  const { mediaHost: host } = wire;
  const routes = createProxyRoutes({ clock, authority: wire.mediaCaPem, hosts: [host], ...options });
  opened.push(routes);
  return routes.to(ME);
}

async function through(starting: Promise<TestProxy>): Promise<{ proxy: TestProxy; route: ProxyRoute }> {
  const proxy = await starting;
  proxies.push(proxy);
  return { proxy, route: route({ proxyOf: (phone) => (phone === ME ? proxy.url : undefined) }) };
}

const get = ({ get }: ProxyRoute) => get(picture, { signal: AbortSignal.timeout(10_000) });
const fetchAsLibrary = ({ dispatcher }: ProxyRoute) => fetch(picture, { dispatcher });

/** As the library opens its connection through a proxy. */
function connect({ socketAgent: agent }: ProxyRoute): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = picture;
    request({ hostname, port, path: '/nowhere', method: 'POST', ...(agent && { agent }) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('the direct route', () => {
  test('reaches the servers of the sandbox, which its own authority has signed', async () => {
    const direct = route();
    expect(direct.socketAgent).toBeUndefined();
    expect((await get(direct)).status).toBe(404);
    expect((await fetchAsLibrary(direct)).status).toBe(404);
  });

  test('refuses servers signed by another authority', async () => {
    const other = createWorld({ file: ':memory:', clock, random: systemRandom });
    const stranger = await startWire({ world: other, clock, random: systemRandom });
    const direct = route({ authority: stranger.mediaCaPem });
    await expect(get(direct)).rejects.toThrow();
    await expect(fetchAsLibrary(direct)).rejects.toThrow();
    await stranger.stop();
    other.close();
  });

  test('of the real network does not reach private addresses', async () => {
    const direct = route({ authority: undefined, hosts: [picture.host] });
    await expect(get(direct)).rejects.toMatchObject({ code: 'forbidden_address' });
    await expect(fetchAsLibrary(direct)).rejects.toMatchObject({ cause: { code: 'forbidden_address' } });
  });
});

describe.each([
  ['the direct route', undefined],
  ['the route through a proxy of SOCKS', startSocksProxy],
  ['the route through a proxy of HTTP', startHttpProxy],
] as const)('%s', (_name, start) => {
  test('leads to no other host, not even to the proxy', async () => {
    const proxy = start ? await start() : undefined;
    if (proxy) proxies.push(proxy);
    let asked = 0;
    const elsewhere = createServer(() => void asked++);
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const address = elsewhere.address();
    const url = new URL(`https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/file`);
    const { get, post, dispatcher, socketAgent } = route({ proxyOf: () => proxy?.url });
    const signal = AbortSignal.timeout(10_000);
    await expect(get(url, { signal })).rejects.toMatchObject({ code: 'forbidden_address' });
    const file = { path: import.meta.filename, size: 1, headers: {}, signal };
    await expect(post(url, file)).rejects.toMatchObject({ code: 'forbidden_address' });
    await expect(fetch(url, { dispatcher })).rejects.toMatchObject({ cause: { code: 'forbidden_address' } });
    if (socketAgent) {
      const opening = once(request(url, { agent: socketAgent }).end(), 'response');
      await expect(opening).rejects.toMatchObject({ code: 'forbidden_address' });
    }
    elsewhere.close();
    expect([asked, proxy?.targets ?? []]).toEqual([0, []]);
  });
});

describe('what the library looks for at the real network’s own media server', () => {
  const OWN = 'https://mmg.whatsapp.net';
  const history = `${OWN}/mms/md-msg-hist/nothing`;

  test('is requested from the sandbox’s, also through the proxy of the number', async () => {
    const { mediaHost } = wire;
    expect((await fetch(history, { dispatcher: route({ mediaHost }).dispatcher })).status).toBe(404);
    const proxy = await startHttpProxy();
    proxies.push(proxy);
    const led = route({ mediaHost, proxyOf: () => proxy.url });
    expect((await fetch(history, { dispatcher: led.dispatcher })).status).toBe(404);
    expect(new Set(proxy.targets)).toEqual(new Set([mediaHost]));
  });

  test('is requested from the real one without a sandbox, and never from a private address', async () => {
    const asked: string[] = [];
    const real = route({
      ...{ authority: undefined, hosts: undefined },
      async resolve(hostname) {
        asked.push(hostname);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    await expect(fetch(history, { dispatcher: real.dispatcher })).rejects.toMatchObject({
      cause: { code: 'forbidden_address' },
    });
    expect(asked).toEqual(['mmg.whatsapp.net']);
  });
});

describe.each([
  ['SOCKS', startSocksProxy],
  ['HTTP', startHttpProxy],
])('the route through a proxy of %s', (_name, start) => {
  test('carries downloads, connections and requests of the library', async () => {
    const { proxy, route } = await through(start());
    expect((await get(route)).status).toBe(404);
    expect((await fetchAsLibrary(route)).status).toBe(404);
    expect(await connect(route)).toBe(404);
    expect(new Set(proxy.targets)).toEqual(new Set([picture.host]));
    expect(proxy.targets.length).toBeGreaterThanOrEqual(2);
  });

  test('sends its credentials to the proxy', async () => {
    const { route } = await through(start({ credentials: 'parley:secret' }));
    expect((await get(route)).status).toBe(404);
    expect(await connect(route)).toBe(404);
  });

  test('reports that the proxy refuses', async () => {
    const { proxy } = await through(start({ credentials: 'parley:secret' }));
    const url = proxy.url.replace('secret', 'wrong');
    const refused = route({ proxyOf: () => url });
    await expect(connect(refused)).rejects.toMatchObject({ code: 'proxy' });
    await expect(get(refused)).rejects.toThrow();
    expect(proxy.targets).toEqual([]);
  });

  test('reports that the proxy is unreachable', async () => {
    const { proxy, route } = await through(start());
    proxy.stop();
    await expect(connect(route)).rejects.toMatchObject({ code: 'proxy' });
  });
});

test('is shared by numbers with the same proxy, and by no others', () => {
  const proxyOf = (phone: string) => (phone === ME ? undefined : `http://proxy.example:${phone.at(-1)}`);
  const routes = createProxyRoutes({ clock, proxyOf });
  opened.push(routes);
  expect(routes.to('15550001002')).toBe(routes.to('15550001012'));
  expect(routes.to('15550001002')).not.toBe(routes.to('15550001003'));
  expect(routes.to(ME).socketAgent).toBeUndefined();
});
