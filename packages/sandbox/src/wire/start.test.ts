import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startSandbox } from '../index.ts';
import { createSteppedClock } from '../world/fixture.ts';
import { listen } from './transport/listen.ts';

const start = (ports: { port?: number; mediaPort?: number }) =>
  startSandbox({
    file: ':memory:',
    clock: createSteppedClock(),
    random: { bytes: (length) => new Uint8Array(length).fill(7) },
    ...ports,
  });

it('leaves nothing running when its port is in use', async () => {
  const squatter = createServer();
  const taken = await listen(squatter, '127.0.0.1', 0);
  const free = createServer();
  const mediaPort = await listen(free, '127.0.0.1', 0);
  await new Promise((resolve) => free.close(resolve));
  await expect(start({ port: taken, mediaPort })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => squatter.close(resolve));
  const sandbox = await start({ port: taken, mediaPort });
  expect(sandbox.url).toBe(`ws://127.0.0.1:${taken}/ws/chat`);
  await sandbox.stop();
});

it('can be stopped more than once', async () => {
  const sandbox = await start({});
  await sandbox.stop();
  await expect(sandbox.stop()).resolves.toBeUndefined();
});
