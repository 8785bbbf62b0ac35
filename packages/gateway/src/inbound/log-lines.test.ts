import { beforeEach, expect, test } from 'vitest';
import { ADA, clearStage, message, stage, take } from './testing/sink.ts';

beforeEach(clearStage);

test('an incoming message is one line: its ids, and neither text nor people', async () => {
  await take(message({ kind: 'text', text: 'hush' }));
  const [line, ...others] = stage.lines;
  expect(others).toEqual([]);
  expect(line).toEqual({
    level: 'info',
    name: 'inbound',
    eventId: expect.any(String),
    kind: 'message',
    slotId: expect.any(String),
    messageId: expect.any(String),
  });
  expect(JSON.stringify(line)).not.toMatch(/hush|@s\.whatsapp\.net/);
});

test('logs typing at debug level only', async () => {
  const typing = {
    id: 'typing 1',
    timestamp: 1,
    chat: ADA,
    sender: ADA,
    isGroup: false,
    typing: true,
  } as const;
  await take({ kind: 'typing', media: 'text', ...typing });
  expect(stage.lines).toMatchObject([{ level: 'debug', kind: 'typing' }]);
});

test('an id that its sender made of something else stands in no line', async () => {
  await take(message({ kind: 'text', text: 'x' }, { messageId: 'hush '.repeat(1_000) }));
  expect(stage.lines).toMatchObject([{ kind: 'message', eventId: expect.stringMatching(/^message_/) }]);
  expect(JSON.stringify(stage.lines)).not.toContain('hush');
});
