import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { BodyFile, disposeOfFiles, keepBodyFiles } from './body-files.ts';
import { createBodyBudget } from './budget.ts';
import { takeForms } from './forms.ts';
import { countBodies } from './read.ts';

const PICTURE = [
  '--boundary',
  'Content-Disposition: form-data; name="file"; filename="picture.png"',
  'Content-Type: image/png',
  '',
  'a picture',
];
const CAPTION = ['--boundary', 'Content-Disposition: form-data; name="caption"', '', 'Look at this'];
const END = ['--boundary--', ''];

function serverOf({ maxBytes = 64 * 1024, bodyLimit = 1024 * 1024 } = {}): FastifyInstance {
  const server = Fastify({ bodyLimit });
  countBodies(server, createBodyBudget({ maxBytes }));
  keepBodyFiles(server);
  server.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.once('end', () => payload.emit('close'));
    done(null, payload);
  });
  takeForms(server, ['media'], (scope) =>
    scope.post('/', async (request) => {
      const fields = Object.entries(request.body as object);
      const shown = fields.map(async ([name, value]) => [
        name,
        value instanceof BodyFile ? [await text(value.read()), value.mimetype, value.fileName] : value,
      ]);
      const answer = Object.fromEntries(await Promise.all(shown));
      await disposeOfFiles(request);
      return answer;
    }),
  );
  return server;
}

function sendForm(server: FastifyInstance, lines: readonly string[]) {
  const headers = { 'content-type': 'multipart/form-data; boundary=boundary' };
  return server.inject({ method: 'POST', url: '/', headers, body: lines.join('\r\n') });
}

function sendJson(server: FastifyInstance, body: string) {
  const headers = { 'content-type': 'application/json' };
  return server.inject({ method: 'POST', url: '/', headers, body });
}

test('accepts a form that has ended as complete, however soon its connection is closed', async () => {
  const answer = await sendForm(serverOf(), [...PICTURE, ...CAPTION, ...END]);
  expect(answer.json()).toEqual({ file: ['a picture', 'image/png', 'picture.png'], caption: 'Look at this' });
});

test('counts and limits the fields of a form beside its files', async () => {
  expect((await sendForm(serverOf({ maxBytes: 40 }), [...PICTURE, ...END])).statusCode).toBe(200);
  const long = [...CAPTION.slice(0, -1), 'x'.repeat(41)];
  const answer = await sendForm(serverOf({ maxBytes: 40 }), [...PICTURE, ...long, ...END]);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'too_many_bodies']);
});

const FILE = Buffer.alloc(100_000, 'a file ');

test('stores a long JSON member as a file, which does not count as held', async () => {
  const media = `data:image/png;base64,${FILE.toString('base64')}`;
  const answer = await sendJson(
    serverOf({ maxBytes: 1_000 }),
    JSON.stringify({ a: 1, media, b: [media.length] }),
  );
  expect(answer.json()).toEqual({ a: 1, media: [`${FILE}`, 'image/png', ''], b: [media.length] });
});

test.each([
  ['is no base64', JSON.stringify({ media: `${FILE.toString('base64')}!` }), 400, 'invalid_field'],
  [
    'is there twice',
    `{"media":"${FILE.toString('base64')}","media":"${FILE.toString('base64')}"}`,
    400,
    'invalid_field',
  ],
  ['has no end', `{"media":"${FILE.toString('base64')}`, 400, 'FST_ERR_CTP_INVALID_JSON_BODY'],
  ['is larger than a body may be', JSON.stringify({ media: 'A'.repeat(1024 * 1024) }), 413, 'body_too_large'],
])('a long member that %s is refused', async (_title, body, status, code) => {
  const answer = await sendJson(serverOf(), body);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test('limits JSON beside a file to the size of any other body', async () => {
  const server = serverOf({ maxBytes: 64 * 1024 * 1024, bodyLimit: 8 * 1024 * 1024 });
  const answer = await sendJson(server, JSON.stringify({ other: 'A'.repeat(2 * 1024 * 1024) }));
  expect([answer.statusCode, answer.json().code]).toEqual([413, 'body_too_large']);
});
