import { operations, SEND_KINDS } from '@parley/contract';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { type Field, fieldsOf, type JsonSchema } from './fields.ts';

function field(schema: JsonSchema, name: string): Field {
  const found = fieldsOf(schema).find((each) => each.name === name);
  if (!found) throw new Error(`there is no field ${name}`);
  return found;
}

test('a field has its type, whether it is required, and its constraints', () => {
  expect(field(SEND_KINDS.poll.schema, 'poll_options')).toMatchObject({
    type: 'array of string',
    required: true,
    constraints: ['2 to 12 items', 'no duplicates', 'each 1 to 100 characters'],
  });
  expect(field(SEND_KINDS.poll.schema, 'poll_selectable_count')).toMatchObject({
    type: 'integer',
    required: false,
    constraints: ['at least 0', 'default `0`'],
  });
  expect(field(SEND_KINDS.media.schema, 'media_type').constraints).toEqual([
    'one of `image`, `video`, `audio` or `document`',
  ]);
});

test('a pattern has its text from the contract', () => {
  expect(field(SEND_KINDS.sticker.schema, 'sticker_url').constraints).toEqual([
    'an http or https url of at most 2048 characters',
  ]);
});

test('objects, lists of objects and nullable values show their parts', () => {
  const group = operations.getGroup.answers[200];
  expect(field(group, 'participants').fields.map(({ name }) => name)).toEqual([
    'jid',
    'phone_jid',
    'is_admin',
    'is_super_admin',
  ]);
  const limits = field(operations.getAccount.answers[200], 'partner_limits');
  expect(limits).toMatchObject({ type: 'object or null' });
  expect(limits.fields.map(({ name }) => name)).toEqual(['per_minute', 'per_period']);
});

test('alternative forms are separate, and events link to their own section', () => {
  const buttons = field(SEND_KINDS.interactive.schema, 'interactive_buttons');
  expect(buttons.variants.map(({ name }) => name)).toEqual([
    'quick_reply',
    'cta_url',
    'cta_copy',
    'cta_call',
    'single_select',
  ]);
  const answer: TSchema = operations.readEvents.answers[200];
  const [stored] = field(answer, 'events').fields.filter(({ name }) => name === 'event');
  expect(stored).toMatchObject({ sectionId: 'events', variants: [] });
});
