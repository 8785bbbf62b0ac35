import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ada, linked } from '../world/fixture.ts';
import { createTestParts } from './fixture.ts';
import { controlRoutes, sandboxRoutes } from './plugin.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/sandbox.md'), 'utf8');

test('the guide names every route of the interface, and no other', () => {
  const rows = controlRoutes(createTestParts()).map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  const named = [...guide.matchAll(/^\| `((?:GET|POST|PUT) [^`]+)` \|/gm)].map(([, row]) => row);
  expect(named.toSorted()).toEqual(rows.toSorted());
});

test('the examples of the guide work when pasted into one shell', async () => {
  const parts = createTestParts();
  const app = Fastify();
  app.register(sandboxRoutes(parts), { prefix: '/sandbox/v1' });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const examples = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('');

  const shell = spawn(
    'bash',
    ['-eu', '-o', 'pipefail', '-c', examples.replaceAll('http://127.0.0.1:8080', address)],
    {
      env: {
        PATH: process.env.PATH,
        QR: 'shown',
        CODE: 'ABCD-1234',
        SESSION_ID: linked(parts.world, ada).device.sessionId,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [status] = await once(shell, 'close');
  await app.close();

  expect({ status, output }).toMatchObject({ status: 0 });
  const shown = parts.world.messages.seenBy('15550004002', { chat: '15550004001' });
  expect(shown[0]).toMatchObject({ edited: { text: 'Tea at six?' }, reactions: [{ emoji: '👍' }] });
  const [group] = parts.world.groups.of('15550004002');
  expect(parts.world.messages.seenBy('15550004002', { chat: group?.jid ?? '' })).toMatchObject([
    { content: { type: 'text', text: 'Welcome' } },
  ]);
});
