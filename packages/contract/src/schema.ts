import Type from 'typebox';
import { NOT_IN_LINE } from './text.ts';

/** The vocabulary in which the contract's schemas are written. */

/** Finishes the sentence `<field> must be …` where the schema's own keywords would say it badly. */
export const EXPECTS = 'x-expects';
/** Marks an optional field in which an empty string means something, so it is not taken for an absent field. */
export const KEEPS_EMPTY = 'x-keeps-empty';
/** Says of a field of an event whether it is content, which must not stay in stored copies. */
export const CONTENT = 'x-content';
/** What somebody wrote, chose, named, sent, or where they are. Also for what follows from it, such as a hash. */
export const content = { [CONTENT]: true } as const;
/** Ids, addresses, times, sizes: what makes a history worth keeping. */
export const kept = { [CONTENT]: false } as const;

/** A request object: any field it does not list is refused. */
export function closed<P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** A named object of answers and events; it becomes a component of that name in the OpenAPI document. */
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

/** Where the next page of a list begins. */
export const nextCursor = nullable(Type.String(), {
  description: 'Give it as `cursor` to go on; null at the end.',
  examples: ['01j9z6m4k2'],
});

/** Of a list that shows its beginning and has no pages. */
export const hasMore = Type.Boolean({ description: 'There are more than are listed.', examples: [false] });

/** Any of the schemas of a list. */
export function anyOf<S extends Type.TSchema>(schemas: readonly S[], options: Type.TSchemaOptions) {
  return Type.Unsafe<Type.Static<S>>(Type.Union([...schemas], options));
}

export function nullable<S extends Type.TSchema>(schema: S, options: Type.TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** Says of a string in a request that it is kept as it was written, with all of its lines. */
export const SEVERAL_LINES = 'x-several-lines';
export const severalLines = { [SEVERAL_LINES]: true } as const;
/** Every other string in a request: names, ids, whatever may end up in a line of a mail, a header or a log. */
export const oneLine = { pattern: `^[^${NOT_IN_LINE}]*$` } as const;

/** Required text on one line: present and not empty. */
export function line(maxLength: number, options: Type.TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...oneLine, ...options });
}

/** Required text that may have several lines. */
export function lines(maxLength: number, options: Type.TStringOptions = {}) {
  return Type.String({ minLength: 1, maxLength, ...severalLines, ...options });
}
