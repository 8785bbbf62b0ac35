import { expect, test } from 'vitest';
import { saidIn, sameOrigin } from './said.ts';

const message = {
  ...{ cursor: 'c', message_id: 'M', chat_jid: 'a', sender_jid: 'a', sender_name: '', from_me: false },
  ...{ is_group: false, broadcast: false, timestamp_unix: 1, text: '' },
  type: 'text',
} as const;
const media = { mimetype: 'image/png', extension: 'png', file_length: 1 };

test('a message is told in one line, whatever it is', () => {
  expect(saidIn({ ...message, text: 'Hello' })).toBe('Hello');
  expect(saidIn({ ...message, type: 'image', media })).toBe('File (png)');
  expect(saidIn({ ...message, type: 'document', media: { ...media, filename: 'Tides.pdf' } })).toBe(
    'Tides.pdf',
  );
  expect(saidIn({ ...message, text: 'Hello', revoked_at_unix: 2 })).toBe('Deleted for everybody');
  expect(saidIn({ ...message, type: 'poll' })).toBe('poll');
});

test('a link is followed on the own origin', () => {
  expect(sameOrigin('https://gateway.example/v1/media/med_1/file?expires=1&signature=x')).toBe(
    '/v1/media/med_1/file?expires=1&signature=x',
  );
});
