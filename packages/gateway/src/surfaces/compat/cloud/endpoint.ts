import { ERROR_CODE_HEADER, oneLine } from '@parley/contract';
import Type from 'typebox';
import { ApiError } from '#kernel';
import {
  type CompatEndpoint,
  CompatError,
  type CompatInput,
  type CompatRequest,
  type CompatVisit,
  compatEndpoint,
} from '#platform/http';
import { type CloudContext, type CloudNumber, checkAccount, numberOf } from './context.ts';
import { errorBody, GRAPH_ERRORS, GraphError, graphErrorOf, invalid } from './graph-error.ts';

type Place = readonly [CompatEndpoint['method'], string];

interface Declared<I extends CompatInput>
  extends Pick<CompatEndpoint<I>, 'takesFile' | 'pageMax' | 'input' | 'bodyMaxBytes'> {
  readonly permission: NonNullable<CompatEndpoint['permission']>;
}

/** Limit for requests without a body. */
const NO_BODY_BYTES = 4 * 1024;
/** Limit for bodies with neither a file nor a long text. */
const SMALL_BODY_BYTES = 64 * 1024;
/** Limit for a message: its text with every character escaped, and its other fields. */
export const MESSAGE_BODY_BYTES = 512 * 1024;

const Path = Type.Object({ id: Type.String({ maxLength: 128, ...oneLine }) });
/** Names of the fields that a client requests. */
export const FieldsQuery = Type.Object({
  fields: Type.Optional(Type.String({ maxLength: 1_024, ...oneLine })),
});

/** Defines an endpoint whose errors have the format of the Graph API. `find` runs before the body is read. */
export function endpoint<I extends CompatInput, Subject>(
  [method, path]: Place,
  id: string,
  handle: (call: CompatRequest<I, Subject>) => Promise<object>,
  declared: Declared<I>,
  find?: (visit: CompatVisit<I>) => Promise<Subject>,
): CompatEndpoint {
  const input = {
    ...(path.startsWith('/:id') && { params: Path }),
    query: FieldsQuery,
    ...declared.input,
  } as unknown as I;
  return compatEndpoint<I, Subject>({
    id,
    method,
    path,
    bodyMaxBytes: declared.input?.body ? SMALL_BODY_BYTES : NO_BODY_BYTES,
    ...declared,
    input,
    ...(find && {
      find: (visit) => find(visit).catch((error: unknown) => Promise.reject(refusalOf(error, visit))),
    }),
    handle: (call) =>
      handle(call).then(
        (body) => ({ body }),
        (error: unknown) => Promise.reject(refusalOf(error, call)),
      ),
  });
}

/** Defines an endpoint whose path begins with the id of a number. */
export function onNumber<I extends CompatInput>(
  context: CloudContext,
  place: Place,
  id: string,
  handle: (call: CompatRequest<I, CloudNumber>) => Promise<object>,
  declared: Declared<I>,
): CompatEndpoint {
  return endpoint(place, id, handle, declared, (visit) => numberOf(context, visit));
}

/** Defines an endpoint whose path begins with the id of the account. */
export function onAccount<I extends CompatInput>(
  context: CloudContext,
  place: Place,
  id: string,
  handle: (call: CompatRequest<I, string>) => Promise<object>,
  declared: Declared<I>,
): CompatEndpoint {
  return endpoint(place, id, handle, declared, (visit) => checkAccount(context, visit));
}

function refusalOf(error: unknown, { requestId, setHeader }: CompatVisit): unknown {
  if (error instanceof ApiError) {
    setHeader(ERROR_CODE_HEADER, error.code);
    if (error.retryAfterSeconds !== undefined) setHeader('Retry-After', error.retryAfterSeconds);
  }
  const known = error instanceof ApiError ? graphErrorOf(error) : error;
  if (!(known instanceof GraphError)) return error;
  const body = errorBody(known, requestId);
  return new CompatError(GRAPH_ERRORS[known.code].status, body, body.error.message);
}

/** Largest and default page size. */
export const PAGE_MAX = 100;

/** Page parameters of the Graph API. */
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

/** Selects the requested page of a list that is ordered by its keys. */
export function pageOf<T>(all: readonly T[], keyOf: (item: T) => string, asked: Asked): Page<T> {
  const key = afterKey(asked);
  const rest = key === undefined ? all : all.filter((item) => keyOf(item) > key);
  return firstOf(rest, keyOf, asked);
}

/** The same for a list that was read from behind the key, with at least one row more than the page if there are more. */
export function firstOf<T>(rest: readonly T[], keyOf: (item: T) => string, asked: Asked): Page<T> {
  const items = rest.slice(0, limitOf(asked));
  const last = items.at(-1);
  if (last === undefined || items.length === rest.length) return { items, paging: {} };
  return { items, paging: { cursors: { after: Buffer.from(keyOf(last)).toString('base64url') } } };
}

export function limitOf({ limit = PAGE_MAX }: Asked): number {
  return limit;
}

/** Decoded cursor: the key behind which the page begins. */
export function afterKey({ after }: Asked): string | undefined {
  if (after === undefined) return undefined;
  const key = Buffer.from(after, 'base64url').toString();
  if (Buffer.from(key).toString('base64url') !== after || key.includes('\0'))
    throw invalid('Param after must be a cursor of this list.');
  return key;
}
