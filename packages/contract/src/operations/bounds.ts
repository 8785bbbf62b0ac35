import type { TSchema } from 'typebox';
import { REQUEST_BODY_MAX_BYTES } from '../limits.ts';
import type { Operation, Surface } from './operation.ts';

/** What a request of an operation may cost before anything is known of what is in it: derived from its record, so that none lacks it. */

const KIB = 1024;
/** For a request whose operation takes no body: what comes along is read away, and means nothing. */
const IGNORED_BODY_MAX_BYTES = 4 * KIB;
/** Of callers that have shown nothing yet. */
const ANONYMOUS_BODY_MIN_BYTES = 4 * KIB;
const BODY_MIN_BYTES = 16 * KIB;

const ANONYMOUS: ReadonlySet<Surface> = new Set(['portal_entrance', 'signed', 'public'] as const);

/** The longest body that is read. What the record declares, or the longest body that its schema allows, with room for how JSON is laid out. */
export function bodyLimit(operation: Operation): number {
  const { body, bodyMaxBytes, surface } = operation;
  if (bodyMaxBytes !== undefined) return bodyMaxBytes;
  if (body === undefined) return IGNORED_BODY_MAX_BYTES;
  const least = ANONYMOUS.has(surface) ? ANONYMOUS_BODY_MIN_BYTES : BODY_MIN_BYTES;
  const needed = 2 ** Math.ceil(Math.log2(longestJson(body)));
  return Math.min(Math.max(least, needed), REQUEST_BODY_MAX_BYTES);
}

/** How many entries an answer has at most; undefined where it is no list, or one that something else bounds. */
export function pageLimit({ query }: Operation): number | undefined {
  const limit: Keywords | undefined = query?.properties.limit;
  return limit?.maximum;
}

/** Who is let in before the body is read. */
export function admittedCallers({ surface, permission, right }: Operation): string {
  switch (surface) {
    case 'v1':
      return permission === 'none' ? 'any key' : `a key with ${permission}`;
    case 'operator':
      return 'the operator';
    case 'portal':
      return `a member who may ${right}`;
    case 'signed':
      return 'anybody with a signed link';
    case 'portal_entrance':
      return 'anybody, from the portal’s pages';
    case 'public':
      return 'anybody';
  }
}

type Keywords = {
  readonly type?: string;
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxLength?: number;
  readonly maximum?: number;
};

/** A character as JSON may write it: `\u0041`. */
const BYTES_OF_CHARACTER = 6;
/** Strings without a length have a pattern that is shorter than this; numbers and literals are too. */
const BYTES_OF_OTHERS = 128;
const PUNCTUATION = 8;

/** How long a value of this schema may become as JSON, each character escaped. */
export function longestJson(schema: TSchema): number {
  const { type, anyOf, enum: values, const: literal, properties, items, ...bounds }: Keywords = schema;
  if (anyOf) return Math.max(...anyOf.map(longestJson));
  if (values) return Math.max(...values.map(lengthOf));
  if (literal !== undefined) return lengthOf(literal);
  if (properties) {
    const fields = Object.entries(properties);
    return fields.reduce((sum, [name, field]) => sum + name.length + longestJson(field) + PUNCTUATION, 2);
  }
  if (items) return 2 + mostItems(items, bounds) * (longestJson(items) + 1);
  if (type === undefined) return Number.POSITIVE_INFINITY;
  if (type !== 'string') return BYTES_OF_OTHERS;
  return 2 + BYTES_OF_CHARACTER * (bounds.maxLength ?? BYTES_OF_OTHERS);
}

function mostItems(items: Keywords, { maxItems, uniqueItems }: Keywords): number {
  return maxItems ?? (uniqueItems ? items.enum?.length : undefined) ?? Number.POSITIVE_INFINITY;
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length * BYTES_OF_CHARACTER;
}
