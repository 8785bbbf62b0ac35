import { ERROR_CODE_HEADER, oneLine } from '@parley/contract';
import Type from 'typebox';
import {
  type ForeignCall,
  type ForeignEndpoint,
  type ForeignInput,
  ForeignRefusal,
  type ForeignVisit,
  foreignEndpoint,
} from '#http';
import { Fault } from '#kernel';
import { type CloudContext, type CloudNumber, checkAccount, numberOf } from './context.ts';
import { graphErrorOf } from './from-fault.ts';
import { errorBody, GRAPH_ERRORS, GraphError } from './graph-error.ts';

type Place = readonly [ForeignEndpoint['method'], string];

interface Declared<I extends ForeignInput>
  extends Pick<ForeignEndpoint<I>, 'takesFile' | 'pageMax' | 'input' | 'bodyMaxBytes'> {
  readonly permission: NonNullable<ForeignEndpoint['permission']>;
}

/** Of requests without a body. */
const NO_BODY_BYTES = 4 * 1024;
/** Of bodies that carry neither a file nor a long text. */
const SMALL_BODY_BYTES = 64 * 1024;
/** Of a message: its text, each character escaped, and what stands beside it. */
export const MESSAGE_BODY_BYTES = 512 * 1024;

const Path = Type.Object({ id: Type.String({ maxLength: 128, ...oneLine }) });
/** Which fields a client wants, by their names. */
export const FieldsQuery = Type.Object({
  fields: Type.Optional(Type.String({ maxLength: 1_024, ...oneLine })),
});

/** Puts a handler behind a path, whose refusals leave in the words of the Graph API. `find` is asked before the body is read. */
export function endpoint<I extends ForeignInput, Subject>(
  [method, path]: Place,
  id: string,
  handle: (call: ForeignCall<I, Subject>) => Promise<object>,
  declared: Declared<I>,
  find?: (visit: ForeignVisit<I>) => Promise<Subject>,
): ForeignEndpoint {
  const input = {
    ...(path.startsWith('/:id') && { params: Path }),
    query: FieldsQuery,
    ...declared.input,
  } as unknown as I;
  return foreignEndpoint<I, Subject>({
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

/** An endpoint whose path begins with the id of a number. */
export function onNumber<I extends ForeignInput>(
  context: CloudContext,
  place: Place,
  id: string,
  handle: (call: ForeignCall<I, CloudNumber>) => Promise<object>,
  declared: Declared<I>,
): ForeignEndpoint {
  return endpoint(place, id, handle, declared, (visit) => numberOf(context, visit));
}

/** An endpoint whose path begins with the id of the account. */
export function onAccount<I extends ForeignInput>(
  context: CloudContext,
  place: Place,
  id: string,
  handle: (call: ForeignCall<I, string>) => Promise<object>,
  declared: Declared<I>,
): ForeignEndpoint {
  return endpoint(place, id, handle, declared, (visit) => checkAccount(context, visit));
}

function refusalOf(error: unknown, { requestId, setHeader }: ForeignVisit): unknown {
  if (error instanceof Fault) {
    setHeader(ERROR_CODE_HEADER, error.code);
    if (error.retryAfterSeconds !== undefined) setHeader('Retry-After', error.retryAfterSeconds);
  }
  const known = error instanceof Fault ? graphErrorOf(error) : error;
  if (!(known instanceof GraphError)) return error;
  const body = errorBody(known, requestId);
  return new ForeignRefusal(GRAPH_ERRORS[known.code].status, body, body.error.message);
}
