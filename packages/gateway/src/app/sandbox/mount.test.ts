import { expect, test } from 'vitest';
import { createLog } from '#platform/observe';
import { createCallServer } from './mount.ts';

test('logs a call in one short line, without its content', async () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const http = createCallServer(log);
  http.register(
    async (scope) => {
      scope.setChildLoggerFactory(() => log);
      scope.post('/phones', async (_request, reply) => reply.status(201).send({}));
    },
    { prefix: '/sandbox/v1' },
  );
  await http.inject({ method: 'POST', url: '/sandbox/v1/phones?name=Ada', payload: { name: 'Ada' } });
  await http.inject({ method: 'GET', url: '/nowhere' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'POST', path: '/sandbox/v1/phones', status: 201, ms: expect.any(Number) },
    { method: 'GET', path: '/nowhere', status: 404 },
  ]);
  expect(lines.join('')).not.toContain('Ada');
  for (const line of lines) expect(line.length).toBeLessThan(200);
});
