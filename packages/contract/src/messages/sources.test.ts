import { describe, expect, test } from 'vitest';
import { parseSend } from './parse.ts';
import { toAda } from './samples.fixture.ts';

const image = { ...toAda, media_type: 'image' };
const sources = {
  media_url: { media_url: 'https://a.example/b.png' },
  media_id: { media_id: 'file_1' },
  media_base64: { media_base64: 'aGk=', mimetype: 'image/png' },
};

describe('the source of a file', () => {
  test.each(Object.entries(sources))('is accepted when only %s is given', (_, source) => {
    expect(parseSend({ ...image, ...source })).toMatchObject({ ok: true });
  });

  test.each([
    ['media_id', { ...sources.media_url, ...sources.media_id }],
    ['media_base64', { ...sources.media_url, ...sources.media_base64 }],
    ['media_base64', { ...sources.media_id, ...sources.media_base64 }],
  ])('%s is refused beside another one', (field, both) => {
    const text = 'only one of media_url, media_id and media_base64 can be given';
    expect(parseSend({ ...image, ...both })).toEqual({ ok: false, field, text });
  });

  test.each([
    ['is required with media_base64', { media_base64: 'aGk=' }],
    ['is given with media_base64 only', { ...sources.media_id, mimetype: 'image/png' }],
    ['is given with media_base64 only', { ...sources.media_url, mimetype: 'image/png' }],
  ])('mimetype %s', (rule, source) => {
    expect(parseSend({ ...image, ...source })).toEqual({
      ok: false,
      field: 'mimetype',
      text: `mimetype ${rule}`,
    });
  });

  test.each(['aGk', 'aGk-', 'aG k', 'a===', '=aGk'])('refuses %j as base64', (media_base64) => {
    expect(parseSend({ ...image, media_base64, mimetype: 'image/png' })).toEqual({
      ok: false,
      field: 'media_base64',
      text: 'media_base64 must be standard base64',
    });
  });

  test.each(['aGk=', 'aA==', 'a+/k'])('accepts %j as base64', (media_base64) => {
    expect(parseSend({ ...image, media_base64, mimetype: 'image/png' })).toMatchObject({ ok: true });
  });
});
