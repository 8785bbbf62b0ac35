import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseNames, moveIn, OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { checkText } from './json.ts';

describe('text that a request holds', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a NUL', 'a\0b', 'form must not contain NUL'],
    ['a NUL in the name of a field', { 'a\0': 1 }, 'form must not contain NUL'],
    ['a NUL deep inside', { list: [{ text: '\0' }] }, 'form must not contain NUL'],
    ['half a character', ['\ud83d'], 'form must not contain unpaired surrogates'],
    ['a whole one', { text: '😀' }, undefined],
    ['nothing', { none: null, nothing: undefined, number: 1 }, undefined],
    ['bytes', { file: Buffer.from('\0') }, undefined],
  ])('with %s', (_what, value, text) => {
    expect(checkText('form', value)?.message).toBe(text);
  });

  it('is found at any depth', () => {
    let deep: unknown = '\0';
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    expect(checkText('body', deep)?.message).toBe('body must not contain NUL');
  });
});

describe.each(databaseNames)('a form with text that the databases store differently (%s)', (database) => {
  let gateway: TestGateway;
  let apikey: string;
  beforeAll(async () => {
    const environment = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution' };
    gateway = await startGateway({ database, environment });
    ({ apiKey: apikey } = await moveIn(gateway));
    const made = await post('/instance/create', 'application/json', '{"instanceName": "shop"}');
    expect(made.statusCode, made.body).toBe(201);
  });
  afterAll(() => gateway.close());

  const post = (path: string, type: string, body: string) =>
    gateway.request({
      method: 'POST',
      url: `/evolution${path}`,
      headers: { apikey, 'content-type': type },
      body,
    });

  const multipart = (lines: string[]) => ['--edge', ...lines, '--edge--', ''].join('\r\n');
  const field = (name: string, value: string) => [
    `Content-Disposition: form-data; name="${name}"`,
    '',
    value,
  ];

  it.each([
    [
      'in a field of multipart',
      'multipart/form-data; boundary=edge',
      multipart([
        ...field('number', '15550002001'),
        '--edge',
        ...field('text', 'Hello'),
        '--edge',
        ...field('messageId', 'a\0b'),
      ]),
    ],
    [
      'in the name of a field',
      'multipart/form-data; boundary=edge',
      multipart([...field('number', '15550002001'), '--edge', ...field('a%00', 'b\0')]),
    ],
    [
      'in the name of a file',
      'multipart/form-data; boundary=edge',
      multipart([
        'Content-Disposition: form-data; name="file"; filename*=utf-8\'\'a%00.png',
        'Content-Type: image/png',
        '',
        'a picture',
      ]),
    ],
    [
      'in an encoded field',
      'application/x-www-form-urlencoded',
      'number=15550002001&text=Hello&messageId=a%00b',
    ],
  ])('%s is 400 and changes nothing', async (_where, type, body) => {
    const answer = await post('/message/sendText/shop', type, body);
    expect(answer.json()).toMatchObject({
      status: 400,
      response: { message: ['form must not contain NUL'] },
    });
    expect(await gateway.app.store.read.selectFrom('messages').selectAll().execute()).toEqual([]);
  });
});
