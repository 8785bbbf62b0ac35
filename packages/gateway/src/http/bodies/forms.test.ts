import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createBodyBudget } from './budget.ts';
import { FormFile, takeForms } from './forms.ts';
import { countBodies } from './read.ts';

const FORM = [
  '--boundary',
  'Content-Disposition: form-data; name="file"; filename="picture.png"',
  'Content-Type: image/png',
  '',
  'a picture',
  '--boundary--',
  '',
].join('\r\n');

test('a form that has ended is whole, however soon its connection is closed', async () => {
  const server = Fastify();
  countBodies(server, createBodyBudget({ maxBytes: 64 * 1024 }));
  server.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.once('end', () => payload.emit('close'));
    done(null, payload);
  });
  takeForms(server, (scope) =>
    scope.post('/', async ({ body }) => {
      const { file } = body as { file: unknown };
      return file instanceof FormFile ? `${file.bytes}` : 'nothing';
    }),
  );
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=boundary' },
    body: FORM,
  });
  expect(answer.body).toBe('a picture');
});

test('a form counts as a body that is held: there is an end to them', async () => {
  const server = Fastify();
  countBodies(server, createBodyBudget({ maxBytes: FORM.length - 1 }));
  takeForms(server, (scope) => scope.post('/', async () => 'taken'));
  const answer = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'multipart/form-data; boundary=boundary' },
    body: FORM,
  });
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'too_many_bodies']);
});
