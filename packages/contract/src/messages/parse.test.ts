import { describe, expect, test } from 'vitest';
import { SEND_KINDS } from './kinds.ts';
import { featuresOf, parseSend, typeOfSend } from './parse.ts';
import { accepted, ada, samples, toAda, toGroup, without } from './samples.fixture.ts';

const kinds = Object.values(SEND_KINDS);

describe('every kind', () => {
  test.each(kinds)('accepts $kind with bare JIDs', ({ kind }) => {
    const body = samples[kind];
    expect(accepted(body)).toEqual({ ...body, kind, ...('to' in body ? { to: ada } : {}) });
  });

  test.each(kinds)('accepts the documented example of $kind', ({ kind, example }) => {
    expect(accepted(example).kind).toBe(kind);
  });

  const required = kinds.flatMap(({ kind, schema }) =>
    schema.required
      .filter((field) => !['type', 'status_type'].includes(field))
      .map((field) => ({ field, kind, body: samples[kind] })),
  );
  test.each(required)('refuses $kind without $field by name', ({ field, body }) => {
    for (const broken of [without(body, field), { ...body, [field]: null }]) {
      const result = parseSend(broken);
      expect(result.ok).toBe(false);
      expect(!result.ok && result.text).toContain(field);
    }
  });

  test.each(kinds)('refuses $kind with an unknown field by name', ({ kind }) => {
    const text = 'unknown field txet';
    expect(parseSend({ ...samples[kind], txet: 'hi' })).toEqual({ ok: false, field: 'txet', text });
  });

  test.each(kinds)('drops fields of other kinds from $kind, whatever they hold', ({ kind, schema }) => {
    const strange = { latitude: 'x', poll_options: 7, emoji: 3, sticker_url: [], reacted_from_me: 'no' };
    const foreign = Object.entries(strange).filter(([field]) => !(field in schema.properties));
    expect(accepted({ ...samples[kind], ...Object.fromEntries(foreign) })).toEqual(accepted(samples[kind]));
  });

  test.each(kinds)('treats empty strings in optional fields of $kind as absent', ({ kind, schema }) => {
    const absent = Object.keys(schema.properties).filter((field) => !(field in samples[kind]));
    const empty = Object.fromEntries(absent.map((field) => [field, '']));
    expect(accepted({ ...samples[kind], ...empty })).toEqual(accepted(samples[kind]));
  });
});

describe('an accepted send', () => {
  test('is a plain message when `type` is empty', () => {
    expect(accepted({ ...samples.text, type: '' })).toEqual(accepted(samples.text));
  });

  test('needs the sender of a quoted message in groups only', () => {
    expect(accepted({ ...samples.text, quoted_message_id: 'M1' })).toMatchObject({ quoted_message_id: 'M1' });
    const inGroup = { ...toGroup, text: 'hi', quoted_message_id: 'M1' };
    const sender = '15550002001:3@s.whatsapp.net';
    expect(accepted({ ...inGroup, quoted_participant: sender })).toMatchObject({ quoted_participant: ada });
    expect(accepted({ ...inGroup, quoted_participant: '42@lid' })).toMatchObject({
      quoted_participant: '42@lid',
    });
  });

  test('treats null as absent', () => {
    const nothing = { type: null, media_url: null, caption: null, quoted_message_id: null, forwarded: null };
    expect(accepted({ ...samples.text, ...nothing })).toEqual(accepted(samples.text));
  });

  test('may have a recipient with a plus, or with the domain of other clients', () => {
    for (const to of ['+15550002001', '15550002001@c.us', '+15550002001@s.whatsapp.net']) {
      expect(accepted({ ...samples.text, to })).toMatchObject({ to: '15550002001@s.whatsapp.net' });
    }
  });

  test('keeps an empty emoji, which removes the reaction', () => {
    expect(accepted({ ...samples.reaction, emoji: '' })).toMatchObject({ emoji: '' });
  });

  test('names the author of a reacted or revoked message in groups', () => {
    expect(accepted({ ...samples.reaction, ...toGroup, reacted_from_me: true }).kind).toBe('reaction');
    expect(accepted({ ...samples.reaction, ...toGroup, reacted_participant: ada }).kind).toBe('reaction');
    expect(accepted({ ...samples.revoke, ...toGroup }).kind).toBe('revoke');
    const others = { ...samples.revoke, ...toGroup, revoked_from_me: false, revoked_participant: ada };
    expect(accepted(others)).toMatchObject({ revoked_participant: ada });
  });

  test('has no caption for audio, and a file name for documents only', () => {
    const words = { caption: 'c', file_name: 'f.pdf' };
    expect(accepted({ ...samples.media, ...words, media_type: 'audio' })).not.toHaveProperty('caption');
    const image = accepted({ ...samples.media, ...words, media_type: 'image' });
    expect(image).toMatchObject({ caption: 'c' });
    expect(image).not.toHaveProperty('file_name');
    expect(accepted({ ...samples.media, ...words, media_type: 'document' })).toMatchObject(words);
  });

  test('drops any `to` of a status', () => {
    for (const to of ['', 'whatever', '15550002001']) {
      expect(accepted({ ...samples.text_status, to })).not.toHaveProperty('to');
    }
  });

  test('may have a sticker URL without file type, which the downloaded bytes decide', () => {
    const url = 'https://files.example.com/v1.2/sticker';
    expect(accepted({ ...samples.sticker, sticker_url: url })).toMatchObject({ sticker_url: url });
    const signed = 'https://files.example.com/a.webp?sig=x.png';
    expect(accepted({ ...samples.sticker, sticker_url: signed })).toMatchObject({ sticker_url: signed });
  });

  test('may let people choose as many options of a poll as there are, or any number', () => {
    for (const count of [0, 1, 2]) {
      expect(accepted({ ...samples.poll, poll_selectable_count: count })).toMatchObject({
        poll_selectable_count: count,
      });
    }
  });

  test('keeps only the own fields of each button type, without empty optional ones', () => {
    const extras = { id: 'i', url: 'https://a.example', copy_code: 'c', phone_number: '+15550001001' };
    const sections = [{ title: 'A', rows: [{ id: 'r', title: 'Row', description: '' }] }];
    const own = {
      quick_reply: 'id',
      cta_url: 'url',
      cta_copy: 'copy_code',
      cta_call: 'phone_number',
    } as const;
    for (const [type, field] of Object.entries(own)) {
      const body = {
        ...samples.interactive,
        interactive_buttons: [{ type, display_text: 'x', ...extras, sections }],
      };
      expect(accepted(body)).toMatchObject({
        interactive_buttons: [{ type, display_text: 'x', [field]: extras[field] }],
      });
      expect(JSON.stringify(accepted(body))).not.toContain('sections');
    }
    const select = { type: 'single_select', display_text: 'x', ...extras, sections };
    expect(accepted({ ...samples.interactive, interactive_buttons: [select] })).toHaveProperty(
      'interactive_buttons',
      [
        {
          type: 'single_select',
          display_text: 'x',
          sections: [{ title: 'A', rows: [{ id: 'r', title: 'Row' }] }],
        },
      ],
    );
  });

  test('is limited in characters, not in UTF-16 units', () => {
    expect(accepted({ ...toAda, text: '👍'.repeat(65_536) }).kind).toBe('text');
  });
});

test('needs groups in the plan for a send to a group', () => {
  expect(featuresOf(accepted(samples.text))).toEqual(['text']);
  expect(featuresOf(accepted({ ...toGroup, text: 'hi' }))).toEqual(['text', 'groups']);
  expect(featuresOf(accepted(samples.media_status))).toEqual(['media_status']);
});

test('reports a send under its public type', () => {
  expect(typeOfSend(accepted(samples.text))).toBe('text');
  expect(typeOfSend(accepted(samples.media))).toBe('media');
  expect(typeOfSend(accepted(samples.text_status))).toBe('status');
  expect(typeOfSend(accepted(samples.poll))).toBe('poll');
});
