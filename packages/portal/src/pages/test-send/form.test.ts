import { parseSend, SEND_KINDS } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { blankOf, fieldsOf, filledWith, jsonOf, labelOf, shapeName, variantOf } from './form.ts';

/** Plain JSON, as in the pages. */
const kinds: (typeof SEND_KINDS)[keyof typeof SEND_KINDS][] = JSON.parse(
  JSON.stringify(Object.values(SEND_KINDS)),
);

describe('a form made of a schema', () => {
  it.each(kinds.map(({ kind, schema, example }) => ({ kind, schema, example })))(
    'of kind $kind says what it was filled with, and the gateway takes it',
    ({ kind, schema, example }) => {
      const body = jsonOf(schema, filledWith(schema, example));
      expect(body).toEqual(example);
      expect(parseSend(body)).toMatchObject({ ok: true, send: { kind } });
    },
  );

  it.each(kinds.map(({ kind, schema }) => ({ kind, schema })))(
    'of kind $kind says nothing of optional fields while it is empty',
    ({ schema }) => {
      const body = Object.keys(jsonOf(schema, blankOf(schema)) ?? {});
      expect(schema.required).toEqual(expect.arrayContaining(body));
    },
  );

  it('leaves out what is fixed or given elsewhere', () => {
    const fields = fieldsOf(SEND_KINDS.poll.schema, ['session_id']);
    expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['to', true],
      ['poll_name', true],
      ['poll_options', true],
      ['poll_selectable_count', false],
    ]);
  });

  it('begins a list with as many items as it needs', () => {
    expect(blankOf(SEND_KINDS.poll.schema.properties.poll_options)).toEqual(['', '']);
  });

  it('converts numbers, and leaves invalid ones to the gateway’s refusal', () => {
    const { latitude } = SEND_KINDS.location.schema.properties;
    expect(jsonOf(latitude, '53.5')).toBe(53.5);
    expect(jsonOf(latitude, 'north')).toBe('north');
    expect(jsonOf(latitude, '')).toBeUndefined();
  });

  it('keeps an empty text where it is required, because it can have a meaning', () => {
    const { schema, example } = SEND_KINDS.reaction;
    expect(jsonOf(schema, { ...filledAs(schema, example), emoji: '' })).toMatchObject({ emoji: '' });
  });

  it('knows which of several shapes a value has', () => {
    const { items } = SEND_KINDS.interactive.schema.properties.interactive_buttons;
    expect(shapeName(variantOf(items, { type: 'cta_copy' }))).toBe('cta_copy');
    expect(shapeName(variantOf(items, {}))).toBe('quick_reply');
  });
});

function filledAs(schema: Parameters<typeof filledWith>[0], json: unknown): object {
  const values = filledWith(schema, json);
  return typeof values === 'object' ? values : {};
}

it('names are written as people do', () => {
  expect(labelOf('quoted_message_id')).toBe('Quoted message ID');
  expect(labelOf('media_url')).toBe('Media URL');
  expect(labelOf('to')).toBe('To');
});
