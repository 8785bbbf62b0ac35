import { expect, test } from 'vitest';
import { sameOrigin, summarizeMessage } from './message-summary.ts';

const message = {
  ...{ cursor: 'c', message_id: 'M', chat_jid: 'a', sender_jid: 'a', sender_name: '', from_me: false },
  ...{ is_group: false, broadcast: false, timestamp_unix: 1, text: '' },
  type: 'text',
} as const;
const media = { mimetype: 'image/png', extension: 'png', file_length: 1 };

test('summarizes every kind of message in one line', () => {
  expect(summarizeMessage({ ...message, text: 'Hello' })).toBe('Hello');
  expect(summarizeMessage({ ...message, type: 'image', media })).toBe('File (png)');
  expect(summarizeMessage({ ...message, type: 'document', media: { ...media, filename: 'Tides.pdf' } })).toBe(
    'Tides.pdf',
  );
  expect(summarizeMessage({ ...message, text: 'Hello', revoked_at_unix: 2 })).toBe('Deleted for everyone');
  expect(summarizeMessage({ ...message, type: 'poll' })).toBe('poll');
});

test('rewrites links to the page’s origin', () => {
  expect(sameOrigin('https://gateway.example/v1/media/med_1/file?expires=1&signature=x')).toBe(
    '/v1/media/med_1/file?expires=1&signature=x',
  );
});
