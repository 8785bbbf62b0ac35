import { type Complaint, coerceQuery, compileParse, dropEmptyOptionals, type Parsed } from '@parley/contract';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { refuseDepth } from './bodies/depth.ts';
import { SAID_IN_JSON, unfoldJson } from './bodies/said-in-json.ts';

/** Schemas of a request in another program's interface. What they do not name is ignored, as those programs do. */
export interface ForeignInput {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
}

type StaticOr<S, Otherwise> = [S] extends [TSchema] ? Static<S> : Otherwise;

export type QueryOf<I extends ForeignInput> = StaticOr<I['query'], Readonly<Record<string, unknown>>>;
export type BodyOf<I extends ForeignInput> = StaticOr<I['body'], unknown>;

interface Url {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
}

interface Compiled {
  /** Before the body is read. */
  readUrl(url: Url): { readonly params: Record<string, string>; readonly query: Record<string, unknown> };
  readBody(body: unknown): unknown;
}

/** Throws what `refuse` makes of a complaint. A part without a schema is handed on as it came. */
export function compileInput(
  { params, query, body }: ForeignInput,
  refuse: (complaint: Complaint) => Error,
): Compiled {
  const readParams = params && compileParse(params);
  const readQuery = query && compileParse(query);
  const readBody = body && compileParse(body);
  const saysInJson = body !== undefined && JSON.stringify(body).includes(SAID_IN_JSON);
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
      const told = body && saysInJson ? unfoldJson(body, given) : given;
      refuseDepth(told);
      if (!body || !readBody) return told;
      return accepted(readBody(coerce(body, dropEmptyOptionals(body, told ?? {}))));
    },
  };
}

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

/** Clients of these interfaces write numbers as text, text as numbers, and truth as both. The input is never changed. */
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
