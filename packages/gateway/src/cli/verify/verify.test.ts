import { MessageFailedError } from 'parley-sdk';
import { expect, test } from 'vitest';
import { CHECKLIST } from './checklist.ts';
import { CHECKS, codesOf } from './checks.ts';

const lines = CHECKLIST.flatMap(
  (chapter): readonly { readonly id: string; readonly checked?: true }[] => chapter.lines,
);

test('every line has an id of its own, and those that the command checks are those with a check', () => {
  const ids = lines.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const checked = lines.filter((line) => line.checked).map(({ id }) => id);
  expect(checked.sort()).toEqual(Object.keys(CHECKS).sort());
});

test('takes the codes of a failure, and not the words of it', () => {
  const record = {
    message_id: '3EB0',
    request_id: 'r',
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'text',
    status: 'failed',
    reason: 'SEND_FAILED',
    accepted_at_unix: 0,
    updated_at_unix: 0,
  } as const;
  expect(codesOf(new MessageFailedError(record))).toEqual(['SEND_FAILED']);
  expect(codesOf(new Error('15550002001'))).toEqual(['unexpected']);
});
