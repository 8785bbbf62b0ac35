import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore } from '../open.ts';
import { requirePostgres } from '../testing/index.ts';

const server = requirePostgres(process.env.PARLEY_TEST_POSTGRES_URL);

describe('opening PostgreSQL', () => {
  const open = (url: string) =>
    openStore({ url, commandModules: [], migrations: [], clock: createSystemClock() });

  function changed(change: (url: URL) => void): string {
    const url = new URL(server);
    change(url);
    return url.href;
  }

  it('reports a wrong password, without repeating it', async () => {
    const url = changed((address) => {
      address.password = 'open-sesame';
    });
    const error: unknown = await open(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'access_denied' });
    expect(String(error)).toMatch(
      /^StoreError: PostgreSQL at 127\.0\.0\.1:\d+ refuses the user \w+: check name and password\.$/,
    );
  });

  it('reports a missing database', async () => {
    const url = changed((address) => {
      address.pathname = 'atlantis';
    });
    await expect(open(url)).rejects.toMatchObject({
      message: expect.stringMatching(/has no database atlantis\.$/),
    });
  });

  it('finds the reachable server among several', async () => {
    const found = await open(server.replace('@', `@127.0.0.1:${await closedPort()},`));
    await expect(found.check()).resolves.toBeUndefined();
    await found.close();
  });

  it('reports that no server listens there', async () => {
    const port = await closedPort();
    await expect(open(`postgres://parley@127.0.0.1:${port}/parley`)).rejects.toMatchObject({
      code: 'unreachable',
      message: `PostgreSQL at 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
    });
  });
});

async function closedPort(): Promise<number | undefined> {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const address = closed.address();
  closed.close();
  return typeof address === 'object' ? address?.port : undefined;
}
