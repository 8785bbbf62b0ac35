import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { FormFile, takeForms } from './forms.ts';

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
