import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog, createTerminalStream, startQuietly } from './log.ts';

function shown(write: (log: ReturnType<typeof createLog>) => void): string {
  const output = new PassThrough();
  write(createLog('debug', createTerminalStream(output)));
  return String(output.read());
}

it('shows an outcome in one line with the time of day', () => {
  const text = shown((log) => log.info({ messageId: '3EB0AD', outcome: 'sent', ms: 12 }, 'send.attempt'));
  expect(text).toMatch(/^\d\d:\d\d:\d\d {2}send\.attempt {2}messageId=3EB0AD {2}outcome=sent {2}ms=12\n$/);
});

it('marks warnings and errors, and shows the origin of an error', () => {
  const text = shown((log) => {
    log.warn({ slotId: 'slot_1' }, 'a session could not be closed in order');
    log.error({ err: new Error('disk full') }, 'could not write');
  });
  expect(text).toContain('warn: a session could not be closed in order  slotId=slot_1\n');
  expect(text).toMatch(/error: could not write\n {4}Error: disk full\n {4} {4}at /);
});

it('hides lines before the banner, except warnings', () => {
  const text = shown((log) => {
    const show = startQuietly(log);
    log.info({ version: '1.2.3' }, 'starting');
    log.warn({}, 'the disk is nearly full');
    show();
    log.info({}, 'stopping');
  });
  expect(text).toMatch(/^\S+ {2}warn: the disk is nearly full\n\S+ {2}stopping\n$/);
});

it('escapes control characters as JSON does', () => {
  const text = shown((log) => {
    log.info({ messageId: '\u001b[2Jgone\u009b31m\u202e' }, 'inbound');
    log.error({ err: new Error('bad\u001b[31m') }, 'could not write');
  });
  for (const control of '\u001b\u009b\u202e') expect(text).not.toContain(control);
  expect(text).toContain('messageId=\\u001b[2Jgone\\u009b31m\\u202e');
  expect(text).toContain('bad\\u001b[31m');
});
