import { expect, test } from 'vitest';
import { fileNameOf } from './download.ts';
import { sniff } from './sniff.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
/** Up to the number of segments, whose lengths precede their content. */
const oggPage = `OggS\0\x02${'\0'.repeat(20)}`;

test.each([
  ['\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image', 'image/png'],
  ['GIF89a', 'image', 'image/gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image', 'image/webp'],
  ['\0\0\0\x18ftypmp42', 'video', 'video/mp4'],
  ['\0\0\0\x18ftypisom', 'video', 'video/mp4'],
  ['\0\0\0\x14ftyp3gp4', 'video', 'video/3gpp'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video', 'video/webm'],
  ['ID3\x04\0', 'audio', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio', 'audio/mpeg'],
  ['\xff\xf1\x50\x80', 'audio', 'audio/aac'],
  ['OggS\0\x02', 'audio', 'audio/ogg'],
  [`${oggPage}\x01\x13OpusHead\x01\x01`, 'audio', 'audio/ogg; codecs=opus'],
  [`${oggPage}\x01\x1e\x01vorbis`, 'audio', 'audio/ogg'],
  [`${oggPage}\x01\x1e\x01vorbis and OpusHead further on`, 'audio', 'audio/ogg'],
  ['\0\0\0\x20ftypM4A ', 'audio', 'audio/mp4'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio', 'audio/wav'],
  ['%PDF-1.7', 'document', 'application/pdf'],
  ['PK\x03\x04\x14', 'document', 'application/zip'],
  ['<html>', 'document', 'application/octet-stream'],
  ['RIFF\x10\0\0\0ACON', 'document', 'application/octet-stream'],
  ['', 'document', 'application/octet-stream'],
  ['\xff\xd8', 'document', 'application/octet-stream'],
])('%j is %s %s', (beginning, family, mimetype) => {
  expect(sniff(latin1(beginning))).toMatchObject({ family, mimetype });
});

test.each([
  ['https://x.test/a/report.pdf', undefined, 'report.pdf'],
  ['https://x.test/a/', undefined, ''],
  ['https://x.test/%E0%A4%A', undefined, ''],
  ['https://x.test/..%2f..%2fetc%2fpasswd', undefined, 'passwd'],
  ['https://x.test/a', 'attachment; filename="our \\"best\\" offer.pdf"', 'our "best" offer.pdf'],
  ['https://x.test/a', 'attachment; filename=plain.csv', 'plain.csv'],
  ['https://x.test/a', "inline; filename=x.pdf; filename*=UTF-8''%E2%82%AC%20rates.pdf", '€ rates.pdf'],
  ['https://x.test/a', 'attachment; filename="..\\\\..\\\\evil.exe"', 'evil.exe'],
  ['https://x.test/a', 'attachment; filename=".."', ''],
])('%s with %s is called %j', (url, header, name) => {
  expect(fileNameOf(url, header)).toBe(name);
});
