import { describe, expect, test } from 'vitest';
import { FEATURES } from '../plans.ts';
import { SEND_KINDS } from './kinds.ts';
import { featuresOf, parseSend, typeOfSend } from './parse.ts';
import { accepted, ada, samples, toAda, toGroup, without } from './samples.fixture.ts';

const kinds = Object.values(SEND_KINDS);

describe('every kind', () => {
  test.each(kinds)('$kind is accepted, and carries bare JIDs', ({ kind }) => {
    const body = samples[kind];
    expect(accepted(body)).toEqual({ ...body, kind, ...('to' in body ? { to: ada } : {}) });
  });

  test('there is a sample of each kind, and each kind is a plan feature', () => {
    expect(Object.keys(samples).sort()).toEqual(Object.keys(SEND_KINDS).sort());
    for (const { kind } of kinds) expect(FEATURES).toContain(kind);
  });

  test.each(kinds)('$kind: the documented example is accepted', ({ kind, example }) => {
    expect(accepted(example).kind).toBe(kind);
  });

  const required = kinds.flatMap(({ kind, schema }) =>
    schema.required
      .filter((field) => !['type', 'status_type'].includes(field))
      .map((field) => ({ field, kind, body: samples[kind] })),
  );
  test.each(required)('$kind without $field is refused by name', ({ field, body }) => {
    for (const broken of [without(body, field), { ...body, [field]: null }]) {
      const result = parseSend(broken);
      expect(result.ok).toBe(false);
      expect(!result.ok && result.text).toContain(field);
    }
  });

  test.each(kinds)('$kind with an unknown field is refused by name', ({ kind }) => {
    const text = 'unknown field txet';
    expect(parseSend({ ...samples[kind], txet: 'hi' })).toEqual({ ok: false, field: 'txet', text });
  });

  test.each(kinds)('$kind leaves out fields of other kinds, whatever they hold', ({ kind, schema }) => {
    const strange = { latitude: 'x', poll_options: 7, emoji: 3, sticker_url: [], reacted_from_me: 'no' };
    const foreign = Object.entries(strange).filter(([field]) => !(field in schema.properties));
    expect(accepted({ ...samples[kind], ...Object.fromEntries(foreign) })).toEqual(accepted(samples[kind]));
  });

  test.each(kinds)('$kind takes empty strings in optional fields for absent', ({ kind, schema }) => {
    const absent = Object.keys(schema.properties).filter((field) => !(field in samples[kind]));
    const empty = Object.fromEntries(absent.map((field) => [field, '']));
    expect(accepted({ ...samples[kind], ...empty })).toEqual(accepted(samples[kind]));
  });
});

describe('what is accepted', () => {
  test('type empty means a plain message', () => {
    expect(accepted({ ...samples.text, type: '' })).toEqual(accepted(samples.text));
  });

  test('a reply needs its sender in groups only', () => {
    expect(accepted({ ...samples.text, quoted_message_id: 'M1' })).toMatchObject({ quoted_message_id: 'M1' });
    const inGroup = { ...toGroup, text: 'hi', quoted_message_id: 'M1' };
    const sender = '15550002001:3@s.whatsapp.net';
    expect(accepted({ ...inGroup, quoted_participant: sender })).toMatchObject({ quoted_participant: ada });
    expect(accepted({ ...inGroup, quoted_participant: '42@lid' })).toMatchObject({
      quoted_participant: '42@lid',
    });
  });

  test('null counts as absent', () => {
    const nothing = { type: null, media_url: null, caption: null, quoted_message_id: null, forwarded: null };
    expect(accepted({ ...samples.text, ...nothing })).toEqual(accepted(samples.text));
  });

  test('the recipient may carry a plus, or the domain of other clients', () => {
    for (const to of ['+15550002001', '15550002001@c.us', '+15550002001@s.whatsapp.net']) {
      expect(accepted({ ...samples.text, to })).toMatchObject({ to: '15550002001@s.whatsapp.net' });
    }
  });

  test('an empty emoji stays: it removes the reaction', () => {
    expect(accepted({ ...samples.reaction, emoji: '' })).toMatchObject({ emoji: '' });
  });

  test('in groups a reaction and a revocation say whose message it is', () => {
    expect(accepted({ ...samples.reaction, ...toGroup, reacted_from_me: true }).kind).toBe('reaction');
    expect(accepted({ ...samples.reaction, ...toGroup, reacted_participant: ada }).kind).toBe('reaction');
    expect(accepted({ ...samples.revoke, ...toGroup }).kind).toBe('revoke');
    const others = { ...samples.revoke, ...toGroup, revoked_from_me: false, revoked_participant: ada };
    expect(accepted(others)).toMatchObject({ revoked_participant: ada });
  });

  test('audio has no caption, and only documents have a file name', () => {
    const words = { caption: 'c', file_name: 'f.pdf' };
    expect(accepted({ ...samples.media, ...words, media_type: 'audio' })).not.toHaveProperty('caption');
    const image = accepted({ ...samples.media, ...words });
    expect(image).toMatchObject({ caption: 'c' });
    expect(image).not.toHaveProperty('file_name');
    expect(accepted({ ...samples.media, ...words, media_type: 'document' })).toMatchObject(words);
  });

  test('a status takes any `to` and drops it', () => {
    for (const to of ['', 'whatever', '15550002001']) {
      expect(accepted({ ...samples.text_status, to })).not.toHaveProperty('to');
    }
  });

  test('a sticker url without file type is left to the downloaded bytes', () => {
    const url = 'https://files.example.com/v1.2/sticker';
    expect(accepted({ ...samples.sticker, sticker_url: url })).toMatchObject({ sticker_url: url });
    const signed = 'https://files.example.com/a.webp?sig=x.png';
    expect(accepted({ ...samples.sticker, sticker_url: signed })).toMatchObject({ sticker_url: signed });
  });

  test('a poll may let people choose as many as there are options, or any number', () => {
    for (const count of [0, 1, 2]) {
      expect(accepted({ ...samples.poll, poll_selectable_count: count })).toMatchObject({
        poll_selectable_count: count,
      });
    }
  });

  test('each type of button keeps its own fields only, and empty optional fields are absent', () => {
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

  test('characters are counted as people count them, not as UTF-16 units', () => {
    expect(accepted({ ...toAda, text: '👍'.repeat(65_536) }).kind).toBe('text');
  });
});

test('a send to a group needs the plan to include groups as well', () => {
  expect(featuresOf(accepted(samples.text))).toEqual(['text']);
  expect(featuresOf(accepted({ ...toGroup, text: 'hi' }))).toEqual(['text', 'groups']);
  expect(featuresOf(accepted(samples.media_status))).toEqual(['media_status']);
});

test('a send is reported under its public type', () => {
  expect(typeOfSend(accepted(samples.text))).toBe('text');
  expect(typeOfSend(accepted(samples.media))).toBe('media');
  expect(typeOfSend(accepted(samples.text_status))).toBe('status');
  expect(typeOfSend(accepted(samples.poll))).toBe('poll');
});
