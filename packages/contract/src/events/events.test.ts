import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { CONTENT, kept } from '../schema.ts';
import {
  EVENT_KINDS,
  EVENT_SCHEMAS,
  type EventCategory,
  type EventKind,
  eventKindsOf,
  extensionOfKind,
  HANDLING,
  type Handling,
  handlingOf,
  PublicEvent,
  redactedMarker,
} from './index.ts';

const schemas = EVENT_KINDS.map((kind): { kind: EventKind; schema: TSchema } => ({
  kind,
  schema: EVENT_SCHEMAS[kind],
}));

test('lists the kinds of the specification by category, unless extensions are requested', () => {
  const kindsOf = (category: EventCategory) =>
    eventKindsOf(category)
      .filter((kind) => extensionOfKind(kind) === undefined)
      .sort();
  expect(kindsOf('messages')).toEqual(['message']);
  expect(kindsOf('status')).toEqual(['receipt', 'status']);
  expect(kindsOf('connection')).toEqual(['connection']);
  expect(kindsOf('events')).toEqual(['call', 'newsletter_message', 'poll_vote', 'presence', 'typing']);
});

test('kinds beyond the specification go to the URL that is nearest to them', () => {
  const kindsOf = (category: EventCategory) =>
    eventKindsOf(category).filter((kind) => extensionOfKind(kind) !== undefined);
  expect(kindsOf('connection')).toContain('health');
  expect(kindsOf('events')).toEqual(
    expect.arrayContaining(['group', 'chat', 'contact', 'contact_linked', 'history']),
  );
});

test.each(schemas)('gives $kind a valid example', ({ kind, schema }) => {
  const { examples }: { examples?: unknown[] } = schema;
  expect(examples).toHaveLength(1);
  expect(Check(schema, examples?.[0])).toBe(true);
  expect(Check(PublicEvent, examples?.[0])).toBe(true);
  expect(examples?.[0]).toHaveProperty('kind', kind);
});

/** All fields of an event at any depth, with their schemas. */
function* fieldsIn(schema: TSchema, path: string): Generator<{ path: string; schema: TSchema }> {
  const { properties, items }: { properties?: Record<string, TSchema>; items?: TSchema } = schema;
  if (items) yield* fieldsIn(items, `${path}.*`);
  else if (!properties) yield { path, schema };
  for (const [name, field] of Object.entries(properties ?? {})) yield* fieldsIn(field, `${path}.${name}`);
}

test.each(schemas)('marks every field of $kind as content or kept', ({ kind, schema }) => {
  const isChoice = (field: TSchema) => 'const' in field || 'enum' in field || Type.IsBoolean(field);
  const silent = [...fieldsIn(schema, kind)].filter(
    (field) => !(CONTENT in field.schema) && !isChoice(field.schema),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

/** Paths of redacted fields. */
function contentIn(handling: Handling, path: string): string[] {
  if (handling === 'content') return [path];
  if (handling === 'kept') return [];
  if ('items' in handling) return contentIn(handling.items, `${path}.*`);
  return Object.entries(handling.fields).flatMap(([name, each]) => contentIn(each, `${path}.${name}`));
}

test('redacts texts, choices, names and places, and keeps ids, addresses and times', () => {
  expect(EVENT_KINDS.flatMap((kind) => contentIn(HANDLING[kind], kind))).toEqual([
    'message.sender_username',
    'message.sender_name',
    'message.text',
    'message.media.filename',
    'message.media.data',
    'message.media.url',
    'message.location.latitude',
    'message.location.longitude',
    'message.location.name',
    'message.location.address',
    'message.poll.name',
    'message.poll.options.*',
    'message.button_response.selected_id',
    'message.button_response.selected_text',
    'message.button_response.params_json',
    'message.quoted_text',
    'message.contacts.*.name',
    'message.contacts.*.phones.*',
    'message.contacts.*.vcard',
    'poll_vote.selected_hashes.*',
    'poll_vote.selected_options.*',
    'newsletter_message.text',
    'group.subject',
    'group.description',
    'contact.about',
  ]);
});

test('treats a field without a mark as content', () => {
  const schema = Type.Object({
    declared: Type.String({ ...kept }),
    fixed: Type.Enum(['a', 'b']),
    either_way: Type.Boolean(),
    forgotten: Type.Integer(),
    either: Type.Union([Type.String(), Type.Null()]),
    anything: Type.Record(Type.String(), Type.String()),
  });
  expect(handlingOf(schema)).toEqual({
    fields: {
      declared: 'kept',
      fixed: 'kept',
      either_way: 'kept',
      forgotten: 'content',
      either: 'content',
      anything: 'content',
    },
  });
});

test('keeps the size of redacted content in the marker', () => {
  expect(redactedMarker(18)).toBe('[redacted: 18 bytes]');
});
