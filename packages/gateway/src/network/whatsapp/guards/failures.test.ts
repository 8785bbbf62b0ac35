import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { beforeEach, expect, test, vi } from 'vitest';
import { containFailures } from './failures.ts';

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
  containFailures(sock, { linkId: 'link-1', log: { debug: keep, warn: keep } });
}

test('skips a stanza whose handler fails, and logs its kind, the error and the place', async () => {
  surviving('CB:message', new RangeError(QUOTED));
  ws.emit('CB:message', {});
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({
    message: expect.stringContaining('it is skipped'),
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

test('closes the connection after a frame that cannot be decrypted, with a line in the log', async () => {
  const error = new Error(QUOTED);
  surviving('message', error);
  ws.emit('message', {});
  await vi.waitFor(() => expect(ended).toEqual([error]));
  expect(lines).toMatchObject([{ message: expect.stringContaining('its connection ends') }]);
  expect(JSON.stringify(lines)).not.toContain('hello');
});

test('logs a thrown value that is no error by its type', async () => {
  surviving('CB:receipt', QUOTED);
  ws.emit('CB:receipt', {});
  await vi.waitFor(() => expect(lines).toMatchObject([{ details: { error: 'string' } }]));
});
