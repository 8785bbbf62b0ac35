import { expect, test } from 'vitest';
import { readServerSentEvents } from './server-sent-events.ts';

async function read(...chunks: (string | Uint8Array)[]) {
  async function* stream() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  }
  const all = [];
  for await (const message of readServerSentEvents(stream())) all.push(message);
  return all;
}

test('reads fields with or without a space behind the colon', async () => {
  expect(await read('id: 7\nevent:message\ndata: {"a": 1}\n\n')).toEqual([
    { id: '7', event: 'message', data: '{"a": 1}', retry: undefined },
  ]);
});

test('joins data of several lines', async () => {
  expect(await read('data: one\ndata: two\ndata\n\n')).toMatchObject([{ data: 'one\ntwo\n' }]);
});

test('reads all line endings, also split between chunks', async () => {
  for (const chunks of [
    ['id: 1\r\n\r\nid: 2\r\n\r\n'],
    ['id: 1\r', '\n\r', '\nid: 2\n\n'],
    ['id: 1\r\rid: 2\n\n'],
  ])
    expect((await read(...chunks)).map(({ id }) => id)).toEqual(['1', '2']);
});

test('joins characters that are split between chunks', async () => {
  const bytes = new TextEncoder().encode('data: 👋\n\n');
  expect(await read(bytes.slice(0, 8), bytes.slice(8))).toMatchObject([{ data: '👋' }]);
});

test('reads numeric retry times, yields comments as empty messages, and drops incomplete ones', async () => {
  expect(await read('retry: 2000\n\n: still here\n\nid: 9\ndata: lost')).toMatchObject([
    { retry: 2_000 },
    {},
  ]);
});
