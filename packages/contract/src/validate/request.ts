import type { TObject } from 'typebox';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '../operations/operation.ts';
import { compileParse } from './compile.ts';
import { type Parsed, refused } from './complaint.ts';
import { coerceQuery, dropEmptyOptionals } from './tidy.ts';

export type RawRequest = {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
};

export type RequestOf<O extends Operation> = {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
};

type ParseRequest = (raw: RawRequest) => Parsed<Record<keyof RawRequest, unknown>>;

/** A server and what calls its operations from inside share one. */
const compiled = new WeakMap<Operation, ParseRequest>();

/** Validates a request of an operation: tidies it, checks it, and returns a typed result. */
export function compileRequest<O extends Operation>(operation: O): (raw: RawRequest) => Parsed<RequestOf<O>>;
export function compileRequest(operation: Operation): ParseRequest {
  const parse = compiled.get(operation) ?? compile(operation);
  compiled.set(operation, parse);
  return parse;
}

function compile(operation: Operation): ParseRequest {
  const parseParams = compileStrings(operation.params);
  const parseQuery = compileStrings(operation.query);
  const parseBody = operation.parseBody ?? compileBody(operation);
  return (raw) => {
    const params = parseParams(raw.params);
    if (!params.ok) return params;
    const query = parseQuery(raw.query);
    if (!query.ok) return query;
    const body = parseBody(raw.body);
    if (!body.ok) return body;
    return { ok: true, value: { params: params.value, query: query.value, body: body.value } };
  };
}

const NOTHING = { ok: true, value: Object.freeze({}) } as const;
const NO_BODY = { ok: true, value: undefined } as const;

function compileStrings(schema: TObject | undefined): (strings: Record<string, unknown>) => Parsed<object> {
  if (schema === undefined) return () => NOTHING;
  const parse = compileParse(schema);
  return (strings) => parse(dropEmptyOptionals(schema, coerceQuery(schema, strings)));
}

/** An operation without a body ignores any body. */
function compileBody({
  body: schema,
  bodyOptional,
  bodyRule,
}: Operation): (body: unknown) => Parsed<unknown> {
  if (schema === undefined) return () => NO_BODY;
  const parse = compileParse(schema);
  return (body) => {
    const absent = body === undefined || body === null;
    const result = parse(dropEmptyOptionals(schema, absent && bodyOptional ? {} : body));
    if (!result.ok || bodyRule === undefined) return result;
    const complaint = bodyRule(result.value);
    return complaint === null ? result : refused(complaint);
  };
}
