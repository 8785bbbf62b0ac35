import Type from 'typebox';
import { NOT_IN_LINE } from './text.ts';

/** Vocabulary of the contract's schemas. */

/** Completes the sentence `<field> must be …` where the schema's keywords give no good text. */
export const EXPECTS = 'x-expects';
/** Marks an optional field in which an empty string has a meaning and does not count as absent. */
export const KEEPS_EMPTY = 'x-keeps-empty';
/** Marks a field of an event as content, which stored copies omit, or as kept. */
export const CONTENT = 'x-content';
/** What a person wrote, chose, named or sent, and where they are. Also data derived from it, such as a hash. */
export const content = { [CONTENT]: true } as const;
/** Ids, addresses, times and sizes, which the history keeps. */
export const kept = { [CONTENT]: false } as const;

/** Request object; refuses unknown fields. */
export function closed<P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Named object of answers and events; becomes a component of that name in the OpenAPI document. */
export function named<P extends Type.TProperties>(
  title: string,
  properties: P,
  options: Type.TObjectOptions = {},
) {
  return Type.Object(properties, { title, ...options });
}

export function oneOf<const V extends string[]>(values: readonly [...V], options: Type.TSchemaOptions = {}) {
  return Type.Enum(values, { type: 'string', ...options });
}

/** Cursor of the next page. */
export const nextCursor = nullable(Type.String(), {
  description: 'Give it as `cursor` to go on; null at the end.',
  examples: ['01j9z6m4k2'],
});

/** Whether a list without pages is cut off. */
export const hasMore = Type.Boolean({ description: 'There are more than are listed.', examples: [false] });

/** Union of the schemas of a list. */
export function anyOf<S extends Type.TSchema>(schemas: readonly S[], options: Type.TSchemaOptions) {
  return Type.Unsafe<Type.Static<S>>(Type.Union([...schemas], options));
}

export function nullable<S extends Type.TSchema>(schema: S, options: Type.TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** Marks a string in a request that keeps its line breaks. */
export const SEVERAL_LINES = 'x-several-lines';
export const severalLines = { [SEVERAL_LINES]: true } as const;
/** Every other string in a request is a single line, because it may end up in a mail, a header or a log. */
export const oneLine = { pattern: `^[^${NOT_IN_LINE}]*$` } as const;

/** Required single-line text, not empty. */
export function line(maxLength: number, options: Type.TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...oneLine, ...options });
}

/** Required multi-line text. */
export function lines(maxLength: number, options: Type.TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...severalLines, ...options });
}
