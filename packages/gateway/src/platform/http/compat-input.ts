import { type Complaint, coerceQuery, compileParse, dropEmptyOptionals, type Parsed } from '@parley/contract';
import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { apiError } from '#kernel';
import { checkText } from './bodies/json.ts';

/** Schemas of a request in another program's interface. Unknown fields are ignored, as in those programs. */
export interface CompatInput {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
}

type StaticOr<S, Otherwise> = [S] extends [TSchema] ? Static<S> : Otherwise;

export type QueryOf<I extends CompatInput> = StaticOr<I['query'], Readonly<Record<string, unknown>>>;
export type BodyOf<I extends CompatInput> = StaticOr<I['body'], unknown>;

interface Url {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
}

interface Compiled {
  /** Before the body is read. */
  readUrl(url: Url): { readonly params: Record<string, string>; readonly query: Record<string, unknown> };
  readBody(body: unknown): unknown;
}

/** Throws the error that `refuse` makes of a complaint. A part without a schema is passed on unchanged. */
export function compileInput(
  { params, query, body }: CompatInput,
  refuse: (complaint: Complaint) => Error,
): Compiled {
  const readParams = params && compileParse(params);
  const readQuery = query && compileParse(query);
  const readBody = body && compileParse(body);
  const saysInJson = body !== undefined && JSON.stringify(body).includes(JSON_FIELDS);
  const accepted = <T>(parsed: Parsed<T>): T => {
    if (parsed.ok) return parsed.value;
    throw refuse(parsed);
  };
  return {
    readUrl: (url) => ({
      params: (readParams ? accepted(readParams(url.params)) : url.params) as Record<string, string>,
      query: (query && readQuery
        ? accepted(readQuery(dropEmptyOptionals(query, coerceQuery(query, url.query))))
        : url.query) as Record<string, unknown>,
    }),
    readBody(given) {
      const unfolded = body && saysInJson ? unfoldJson(body, given) : given;
      refuseDepth(unfolded);
      if (!body || !readBody) return unfolded;
      return accepted(readBody(coerce(body, dropEmptyOptionals(body, unfolded ?? {}))));
    },
  };
}

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

/** Clients of these interfaces send numbers as strings, strings as numbers, and booleans as both. The input is never changed. */
function coerce(schema: TSchema, value: unknown): unknown {
  if (Type.IsArray(schema) && Array.isArray(value)) return value.map((item) => coerce(schema.items, item));
  if (Type.IsObject(schema) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const known = Object.entries(value).map(([name, field]) => {
      const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      return [name, property ? coerce(property, field) : field];
    });
    return Object.fromEntries(known);
  }
  if (Type.IsString(schema) && typeof value === 'number') return String(value);
  if (Type.IsNumber(schema) || Type.IsInteger(schema))
    return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  if (Type.IsBoolean(schema)) return TRUTHS.has(value) ? true : FALSEHOODS.has(value) ? false : value;
  return value;
}

const TRUTHS: ReadonlySet<unknown> = new Set(['true', '1', 1]);
const FALSEHOODS: ReadonlySet<unknown> = new Set(['false', '0', 0]);

/** Far more than any API needs, and far less than a call stack holds. */
const DEPTH_MAX = 64;

/** For bodies whose fields without a schema are passed on: later code may walk them recursively. */
function refuseDepth(body: unknown): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX)
      throw apiError('invalid_field', { text: `body must not be nested deeper than ${DEPTH_MAX} levels` });
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}

/** Marks an object or array in a schema that may also arrive as a string of JSON. */
export const JSON_FIELDS = 'x-said-in-json';

/** Parses such strings; invalid JSON is left to validation. The input is never changed. Throws for text that cannot be stored. */
function unfoldJson(schema: TSchema, given: unknown): unknown {
  const value = JSON_FIELDS in schema ? parsed(given) : given;
  if (Type.IsArray(schema) && Array.isArray(value))
    return value.map((item) => unfoldJson(schema.items, item));
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const fields = value as Record<string, unknown>;
  const named = Object.entries(schema.properties).filter(([name]) => Object.hasOwn(fields, name));
  return {
    ...fields,
    ...Object.fromEntries(named.map(([name, inner]) => [name, unfoldJson(inner, fields[name])])),
  };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  let said: unknown;
  try {
    said = JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
  // Escapes in JSON inside a string were not decoded yet when the body was checked.
  const unstorable = checkText('body', said);
  if (unstorable) throw unstorable;
  return said;
}
