import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#config';
import { diskSpace } from './keeping.ts';
import { isTrusted, judgedSkew, publicAddress } from './reach.ts';

describe('the check of the public address', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function listen(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  async function freePort(): Promise<number> {
    const port = await listen(createServer());
    await new Promise((done) => servers.pop()?.close(done));
    return port;
  }
  /** In front of the gateway's port, with these headers in place of its own. */
  const startProxy = (to: number, change: (headers: Record<string, string | undefined>) => void) =>
    listen(
      createServer(({ url, headers }, response) => {
        const passed: Record<string, string | undefined> = {
          host: headers.host,
          'x-forwarded-for': '192.0.2.7',
        };
        change(passed);
        const kept = Object.fromEntries(Object.entries(passed).filter(([, value]) => value !== undefined));
        request({ port: to, host: '127.0.0.1', path: url, headers: kept }, (answer) => {
          response.writeHead(answer.statusCode ?? 502);
          answer.pipe(response);
        })
          .on('error', () => response.writeHead(502).end())
          .end();
      }),
    );
  async function check(
    change: (headers: Record<string, string | undefined>) => void = () => {},
    trusted = '127.0.0.0/8',
  ): Promise<string> {
    const port = await freePort();
    const proxy = await startProxy(port, change);
    const config = loadConfig({
      PARLEY_PORT: `${port}`,
      PARLEY_PUBLIC_URL: `http://127.0.0.1:${proxy}`,
      PARLEY_TRUSTED_PROXIES: trusted,
    });
    return publicAddress.run(config);
  }

  it('sees what a proxy passes on', async () => {
    expect(await check()).toMatch(/leads through the proxy at 127\.0\.0\.1, which passes on what it should/);
  });

  it('reports what is wrong with it', async () => {
    await expect(check(() => {}, '10.0.0.1')).rejects.toThrow(
      /127\.0\.0\.1, which PARLEY_TRUSTED_PROXIES does not/,
    );
    await expect(check((headers) => delete headers['x-forwarded-for'])).rejects.toThrow('no X-Forwarded-For');
    const rename = (headers: Record<string, string | undefined>): void => {
      headers.host = 'inside';
    };
    await expect(check(rename)).rejects.toThrow(/passes on the Host inside in place of 127/);
  });

  it('reports an address that leads elsewhere or nowhere', async () => {
    const stranger = await listen(createServer((_request, response) => response.end()));
    const at = (publicPort: number, port: number) =>
      publicAddress.run(
        loadConfig({ PARLEY_PORT: `${port}`, PARLEY_PUBLIC_URL: `http://127.0.0.1:${publicPort}` }),
      );
    await expect(at(stranger, await freePort())).rejects.toThrow(
      /leads somewhere else than to 127\.0\.0\.1:/,
    );
    await expect(at(await freePort(), await freePort())).rejects.toThrow('cannot be reached');
    expect(await at(stranger, stranger)).toMatch(/what the proxy passes on is seen while that is stopped/);
    const alone = await freePort();
    expect(await at(alone, alone)).toMatch(/leads straight to the gateway/);
  });

  it('knows addresses and ranges of both kinds', () => {
    expect(isTrusted('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
    expect(isTrusted('fd00::1', ['10.0.0.1', 'fd00::/8'])).toBe(true);
    expect(isTrusted('11.1.2.3', ['10.0.0.0/8', '::1'])).toBe(false);
  });
});

it('a clock is judged by who depends on it', () => {
  expect(judgedSkew(-400, 1_000, 'the server')).toBe('0.4 s behind the server');
  expect(() => judgedSkew(1_500, 1_000, 'the server')).toThrow('1.5 s ahead of the server; let NTP keep it');
  expect(() => judgedSkew(Number.NaN, 1_000, 'the server')).toThrow('NTP');
});

it('reports the space of a folder that does not exist yet', async () => {
  const found = await diskSpace.run(loadConfig({ PARLEY_DATA_DIR: '/tmp/not/made/yet' }));
  expect(found).toMatch(/^\d+\.\d GB of \d+\.\d GB left for \/tmp\/not\/made\/yet/);
});
