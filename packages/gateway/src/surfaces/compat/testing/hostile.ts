import { SEVERAL_LINES } from '@parley/contract';
import type { TSchema } from 'typebox';
import type { CompatEndpoint } from '#platform/http';

/** Hostile input of a request. */
export interface Attack {
  readonly what: string;
  /** Whether the input itself has to be refused; otherwise it only must do no harm. */
  readonly isRefused: boolean;
  readonly query?: string;
  /** JSON, or a raw text. */
  readonly body?: unknown;
  readonly contentType?: string;
}

interface Keywords {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly [SEVERAL_LINES]?: true;
}

const MEGABYTE = 1_000_000;
/** For all texts of an endpoint but the first: quadratic work shows in it as well, and it costs a tenth. */
const LONG = 100_000;
const DEEP = 10_000;
/** A longer list would only measure how fast it is written. */
const LONGEST_LIST = 2_000;
const BIDI = 'shop\u202egnp.\u2066exe\u2069';

/** All attacks on an endpoint, made from its declared input. */
export function attacksOn({ method, input, bodyMaxBytes, takesFile, fileFields }: CompatEndpoint): Attack[] {
  const { query } = input ?? {};
  // Bodies of GET requests are never read.
  const body = method === 'GET' ? undefined : input?.body;
  return [
    ...(query ? queryAttacks(query) : []),
    ...(body ? bodyAttacks(body) : []),
    ...(body && fileFields ? formAttacks(body) : []),
    // Other tests cover the refusal of more than a megabyte while it streams.
    ...(bodyMaxBytes !== undefined && bodyMaxBytes <= MEGABYTE && !takesFile && method !== 'GET'
      ? tooMuch(bodyMaxBytes)
      : []),
  ];
}

/** Values that the schema accepts. */
export function sampleOf(schema: TSchema): unknown {
  const {
    type,
    properties,
    required = [],
    items,
    anyOf,
    enum: values,
    minimum,
    minItems = 0,
  }: Keywords = schema;
  if (values) return values[0];
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (properties)
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema)]));
  if (items) return Array.from({ length: minItems }, () => sampleOf(items));
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return minimum ?? 1;
  return type === 'object' ? {} : '1';
}

function bodyAttacks(schema: TSchema): Attack[] {
  const places = placesIn(schema);
  const firstText = places.find(({ schema: field }) => takesText(field));
  const fields = places.flatMap((place) =>
    valuesFor(place.schema, place === firstText ? MEGABYTE : LONG).map(([what, value, isRefused]) => ({
      what: `${place.at.join('.') || 'body'}: ${what}`,
      isRefused,
      body: withValue(schema, place.at, value),
    })),
  );
  const good = JSON.stringify(sampleOf(schema));
  const amended = (fields: string): string =>
    good === '{}' ? `{${fields}}` : `${good.slice(0, -1)},${fields}}`;
  const deep = '['.repeat(DEEP) + ']'.repeat(DEEP);
  return [
    ...fields,
    { what: 'an unknown field, deep', isRefused: true, body: amended(`"unknown_field":${deep}`) },
    {
      what: 'an unknown field with NUL',
      isRefused: true,
      body: amended(String.raw`"unknown_field":"a\u0000b"`),
    },
    { what: 'a prototype', isRefused: true, body: amended('"__proto__":{"polluted":true}') },
    { what: 'half of JSON', isRefused: true, body: good.slice(0, -1) },
    {
      what: 'NUL in a form',
      isRefused: true,
      body: 'text=a%00b',
      contentType: 'application/x-www-form-urlencoded',
    },
  ];
}

function queryAttacks(schema: TSchema): Attack[] {
  const { properties = {} }: Keywords = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const { maxLength, maximum }: Keywords = field;
    const one = (what: string, query: string): Attack => ({
      what: `?${name}: ${what}`,
      isRefused: true,
      query,
    });
    return [
      ...(maxLength === undefined ? [] : [one('too long', `${name}=${'x'.repeat(maxLength + 1)}`)]),
      ...(maximum === undefined ? [] : [one('too much', `${name}=${maximum + 1}`)]),
      one('twice', `${name}=1&${name}=2`),
      one('NUL', `${name}=a%00b`),
      { ...one('another direction', `${name}=${encodeURIComponent(BIDI)}`), isRefused: false },
      { ...one('broken UTF-8', `${name}=%ed%a0%80`), isRefused: false },
    ];
  });
}

/** A form's fields: names and texts. */
function formAttacks(schema: TSchema): Attack[] {
  const { properties = {} }: Keywords = schema;
  const good = sampleOf(schema) as Record<string, unknown>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const { type, maxLength, ...marks }: Keywords = field;
    const one = (what: string, value: string, isRefused: boolean): Attack => ({
      what: `form ${name}: ${what}`,
      isRefused,
      body: multipart({ ...good, [name]: value }),
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    });
    return [
      one('NUL', 'a\0b', true),
      one('another direction', BIDI, type === 'string' && !marks[SEVERAL_LINES]),
      ...(type === 'object' || type === 'array' ? [one('a word', 'word', true)] : []),
      ...(maxLength === undefined ? [] : [one('too long', 'x'.repeat(maxLength + 1), true)]),
    ];
  });
}

const BOUNDARY = 'between-the-fields';

function multipart(fields: Record<string, unknown>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function tooMuch(bodyMaxBytes: number): Attack[] {
  const body = JSON.stringify({ unknown_field: 'x'.repeat(bodyMaxBytes) });
  return [{ what: 'a body that is too large', isRefused: true, body }];
}

interface Place {
  readonly at: readonly (string | number)[];
  readonly schema: TSchema;
}

function placesIn(schema: TSchema, at: Place['at'] = []): Place[] {
  const { properties, items }: Keywords = schema;
  const inner = properties
    ? Object.entries(properties).flatMap(([name, field]) => placesIn(field, [...at, name]))
    : items
      ? placesIn(items, [...at, 0])
      : [];
  return [{ at, schema }, ...inner];
}

/** A valid body with one value replaced. */
function withValue(schema: TSchema, [key, ...rest]: Place['at'], value: unknown): unknown {
  if (key === undefined) return value;
  const { properties, items }: Keywords = schema;
  if (typeof key === 'number') return [withValue(items as TSchema, rest, value)];
  const good = sampleOf(schema) as Record<string, unknown>;
  return { ...good, [key]: withValue(properties?.[key] as TSchema, rest, value) };
}

function takesText({ type, properties, items, anyOf }: Keywords): boolean {
  return type === 'string' || (type === undefined && !properties && !items && !anyOf);
}

/** Description, value, and whether the value has to be refused. */
function valuesFor(schema: TSchema, longText: number): (readonly [string, unknown, boolean])[] {
  const { type, properties, items, anyOf, maximum, maxItems, maxLength, ...marks }: Keywords = schema;
  const takesLines = marks[SEVERAL_LINES] === true;
  if (properties)
    return [
      ['a text', 'text', true],
      ['a number', 7, true],
      ['a list', [[]], true],
      ['true', true, true],
    ];
  if (items) {
    const many =
      maxItems === undefined || maxItems >= LONGEST_LIST ? [] : Array(maxItems + 1).fill(sampleOf(items));
    return [
      ['a text', 'text', true],
      ['a number', 7, true],
      ['an object', {}, true],
      ['deep', nested(200), true],
      ...(many.length > 0 ? [['too many', many, true] as const] : []),
    ];
  }
  if (type === 'string')
    return [
      ...(maxLength === undefined ? [] : [['too long', 'x'.repeat(maxLength + 1), true] as const]),
      [`${longText} characters`, 'x'.repeat(longText), true],
      ['NUL', 'a\0b', true],
      ['half a character', 'a\ud800b', true],
      ['an object', {}, true],
      ['a list', [['x']], true],
      ['true', true, true],
      ['deep', nested(200), true],
      ['another direction', BIDI, !takesLines],
      ['a second line', 'a\r\nb', !takesLines],
    ];
  if (type === 'number' || type === 'integer')
    return [
      ['a word', 'down', true],
      ['an object', {}, true],
      ...(maximum === undefined ? [] : [['too much', maximum + 1, true] as const]),
      ['endless', 1e308, maximum !== undefined],
    ];
  if (type === 'boolean')
    return [
      ['a word', 'down', true],
      ['an object', {}, true],
      ['a number', 7, true],
    ];
  if (anyOf || type === 'object')
    return [
      ['a list', [[]], true],
      ['deep', nested(200), true],
    ];
  // Checked where it is read, not by the schema.
  return [
    [`${longText} characters`, 'x'.repeat(longText), false],
    ['an object', {}, false],
    ['a number', 7, false],
    ['NUL', 'a\0b', true],
    ['deep', nested(200), true],
  ];
}

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}
