import type { TSchema } from 'typebox';
import { REQUEST_BODY_MAX_BYTES } from '../limits.ts';
import type { Surface } from './offers.ts';
import type { Operation } from './operation.ts';

/** Bounds of a request before its content is known, derived from the operation's record, so that every operation has them. */

const KIB = 1024;
/** For operations without a body: a body is drained and ignored. */
const IGNORED_BODY_MAX_BYTES = 4 * KIB;
/** For unauthenticated callers. */
const ANONYMOUS_BODY_MIN_BYTES = 4 * KIB;
const BODY_MIN_BYTES = 16 * KIB;

const ANONYMOUS: ReadonlySet<Surface> = new Set(['portal_entrance', 'signed', 'public'] as const);

/** Longest body that is read: the record's limit, or the longest body that its schema allows, with room for JSON whitespace. */
export function bodyLimit(operation: Operation): number {
  const { body, bodyMaxBytes, surface } = operation;
  if (bodyMaxBytes !== undefined) return bodyMaxBytes;
  if (body === undefined) return IGNORED_BODY_MAX_BYTES;
  const least = ANONYMOUS.has(surface) ? ANONYMOUS_BODY_MIN_BYTES : BODY_MIN_BYTES;
  const needed = 2 ** Math.ceil(Math.log2(longestJson(body)));
  return Math.min(Math.max(least, needed), REQUEST_BODY_MAX_BYTES);
}

/** Maximum number of entries of an answer; undefined where it is no list, or one with another bound. */
export function pageLimit({ query }: Operation): number | undefined {
  const limit: Keywords | undefined = query?.properties.limit;
  return limit?.maximum;
}

/** Callers that are let in before the body is read. */
export function admittedCallers({ surface, permission, right }: Operation): string {
  switch (surface) {
    case 'v1':
      return permission === 'none' ? 'any key' : `a key with ${permission}`;
    case 'operator':
      return 'the operator';
    case 'portal':
      return `a member who may ${right}`;
    case 'signed':
      return 'holders of a signed link';
    case 'portal_entrance':
      return 'every caller, from the portal’s pages';
    case 'public':
      return 'every caller';
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

/** Longest JSON form of a character: `\u0041`. */
const BYTES_OF_CHARACTER = 6;
/** Bound for strings whose pattern limits their length, and for numbers and literals. */
const BYTES_OF_OTHERS = 128;
const PUNCTUATION = 8;

/** Maximum length of a value of this schema as JSON, with every character escaped. */
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
