import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import {
  CATEGORY_OF_KIND,
  EVENT_KINDS,
  EVENT_SCHEMAS,
  type EventKind,
  PublicEvent,
  REDACTED_FIELDS,
  redactedMarker,
} from './index.ts';

const schemas = EVENT_KINDS.map((kind): { kind: EventKind; schema: TSchema } => ({
  kind,
  schema: EVENT_SCHEMAS[kind],
}));

test('the kinds of each category are those of the specification', () => {
  const kindsOf = (category: string) =>
    EVENT_KINDS.filter((kind) => CATEGORY_OF_KIND[kind] === category).sort();
  expect(kindsOf('messages')).toEqual(['message']);
  expect(kindsOf('status')).toEqual(['receipt', 'status']);
  expect(kindsOf('connection')).toEqual(['connection']);
  expect(kindsOf('events')).toEqual(['call', 'newsletter_message', 'poll_vote', 'presence', 'typing']);
  expect([...EVENT_KINDS].sort()).toEqual(Object.keys(EVENT_SCHEMAS).sort());
});

test.each(schemas)('the example of $kind is a valid event of its kind', ({ kind, schema }) => {
  const { examples }: { examples?: unknown[] } = schema;
  expect(examples).toHaveLength(1);
  expect(Check(schema, examples?.[0])).toBe(true);
  expect(Check(PublicEvent, examples?.[0])).toBe(true);
  expect(examples?.[0]).toHaveProperty('kind', kind);
});

function fieldAt(schema: TSchema | undefined, path: string[]): TSchema | undefined {
  const [step, ...rest] = path;
  if (schema === undefined || step === undefined) return schema;
  const { properties, items }: { properties?: Record<string, TSchema>; items?: TSchema } = schema;
  return fieldAt(step === '*' ? items : properties?.[step], rest);
}

test.each(schemas)('every redacted field of $kind exists in the event', ({ kind, schema }) => {
  for (const path of REDACTED_FIELDS[kind]) {
    expect(fieldAt(schema, path.split('.')), path).toBeDefined();
  }
});

test('the marker tells how much was there', () => {
  expect(redactedMarker(18)).toBe('[redacted: 18 bytes]');
});
