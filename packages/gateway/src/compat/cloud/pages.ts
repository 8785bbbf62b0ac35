import { oneLine } from '@parley/contract';
import Type from 'typebox';
import { invalid } from './graph-error.ts';

/** What lists have at most, and what they have where the client does not say. */
export const PAGE_MAX = 100;

/** As the Graph API takes it. */
export const PageQuery = Type.Object({
  fields: Type.Optional(Type.String({ maxLength: 1_024, ...oneLine })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
  after: Type.Optional(Type.String({ maxLength: 1_024, ...oneLine })),
});

interface Asked {
  readonly limit?: number;
  readonly after?: string;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly paging: object;
}

/** The page that is asked for, of a list in the order of its keys. */
export function pageOf<T>(all: readonly T[], keyOf: (item: T) => string, asked: Asked): Page<T> {
  const key = afterKey(asked);
  const rest = key === undefined ? all : all.filter((item) => keyOf(item) > key);
  return firstOf(rest, keyOf, asked);
}

/** The same where the list was read from behind the key, one further than the page at least if there are more. */
export function firstOf<T>(rest: readonly T[], keyOf: (item: T) => string, asked: Asked): Page<T> {
  const items = rest.slice(0, limitOf(asked));
  const last = items.at(-1);
  if (last === undefined || items.length === rest.length) return { items, paging: {} };
  return { items, paging: { cursors: { after: Buffer.from(keyOf(last)).toString('base64url') } } };
}

export function limitOf({ limit = PAGE_MAX }: Asked): number {
  return limit;
}

/** The key behind which the page begins. */
export function afterKey({ after }: Asked): string | undefined {
  if (after === undefined) return undefined;
  const key = Buffer.from(after, 'base64url').toString();
  if (Buffer.from(key).toString('base64url') !== after || key.includes('\0'))
    throw invalid('Param after must be a cursor of this list.');
  return key;
}
