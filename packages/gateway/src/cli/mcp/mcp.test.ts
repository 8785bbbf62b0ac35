import { expect, test } from 'vitest';
import { fileContent } from './mcp.ts';

const answer = (bytes: Uint8Array<ArrayBuffer>, type: string, length = bytes.length) =>
  new Response(bytes, { headers: { 'content-type': type, 'content-length': String(length) } });
const bytes = new Uint8Array(Buffer.from('a file'));
const base64 = Buffer.from(bytes).toString('base64');
const uri = 'parley:/v1/media/med_1';

test.each([
  ['image/png', { type: 'image', data: base64, mimeType: 'image/png' }],
  ['audio/ogg; codecs=opus', { type: 'audio', data: base64, mimeType: 'audio/ogg; codecs=opus' }],
  ['text/csv', { type: 'resource', resource: { uri, mimeType: 'text/csv', text: 'a file' } }],
  ['application/pdf', { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: base64 } }],
])('a file of type %s is shown as what it is', async (type, content) => {
  expect(await fileContent(answer(bytes, type), uri)).toEqual(content);
});

test('a file that is too large is not read', async () => {
  const large = answer(bytes, 'video/mp4', 4 * 1024 * 1024 + 1);
  await expect(fileContent(large, uri)).rejects.toThrow(
    'too large to be shown here: 4194305 bytes of video/mp4',
  );
  expect(large.bodyUsed || large.body?.locked).toBeTruthy();
});
