import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { beforeEach, expect, test, vi } from 'vitest';
import { survive } from './failures.ts';

const QUOTED = '4915770001111 wrote: hello';

let lines: { details: object; message: string }[];
let ended: unknown[];
let ws: EventEmitter;

beforeEach(() => {
  lines = [];
  ended = [];
  ws = new EventEmitter();
});

function surviving(event: string, error: unknown): void {
  ws.on(event, async () => {
    throw error;
  });
  const sock = { ws, end: async (reason: unknown) => void ended.push(reason) } as unknown as WASocket;
  const keep = (details: object, message: string) => void lines.push({ details, message });
  survive(sock, { linkId: 'link-1', log: { debug: keep, warn: keep } });
}

test('a stanza that cannot be handled is passed over, and the log says which, what and where', async () => {
  surviving('CB:message', new RangeError(QUOTED));
  ws.emit('CB:message', {});
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({
    message: expect.stringContaining('passed over'),
    details: {
      linkId: 'link-1',
      event: 'CB:message',
      error: 'RangeError',
      at: expect.arrayContaining([expect.stringContaining('failures.test.ts')]),
    },
  });
  expect(JSON.stringify(lines)).not.toContain('4915770001111');
  expect(ended).toEqual([]);
});

test('a frame that cannot be opened ends its connection, with a line in the log', async () => {
  const error = new Error(QUOTED);
  surviving('message', error);
  ws.emit('message', {});
  await vi.waitFor(() => expect(ended).toEqual([error]));
  expect(lines).toMatchObject([{ message: expect.stringContaining('its connection ends') }]);
  expect(JSON.stringify(lines)).not.toContain('hello');
});

test('what is thrown without being an error is told by its type', async () => {
  surviving('CB:receipt', QUOTED);
  ws.emit('CB:receipt', {});
  await vi.waitFor(() => expect(lines).toMatchObject([{ details: { error: 'string' } }]));
});
