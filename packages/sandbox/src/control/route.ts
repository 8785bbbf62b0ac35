import { coerceQuery, compileParse, dropEmptyOptionals } from '@parley/contract';
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Phone, World } from '../world/index.ts';
import { Refusal } from './errors.ts';
import { canAccess, type Guest } from './guests.ts';

/** One route of the sandbox's interface. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT';
  /** In the HTTP library's form: `/phones/:phone`. */
  path: string;
  status: 200 | 201 | 204;
  /** The body may contain files. */
  carriesFiles?: true;
  handle(request: RawRequest): unknown;
}

export interface RawRequest {
  /** Undefined for the operator of the network. */
  guest?: Guest;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A request object; an unknown field is refused by name. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const nothing = closed({});

/** Returns a reader that gives the typed value or refuses with one sentence that names the field. */
export function reader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const parse = compileParse(schema);
  return (value) => {
    const result = parse(dropEmptyOptionals(schema, value ?? {}));
    if (!result.ok) throw new Refusal(400, result.text);
    return result.value;
  };
}

interface RouteShape<B extends TSchema, Q extends TObject> {
  path: string;
  status: ControlRoute['status'];
  carriesFiles?: true;
  /** Without a schema the body must be empty. */
  body?: B;
  query?: Q;
}

interface OpenShape {
  /** Guests may call it: the handler itself checks ownership. Other routes are for the operator only. */
  forGuests?: true;
}

interface Input<B extends TSchema, Q extends TObject> {
  guest: Guest | undefined;
  params: Record<string, string>;
  body: Static<B>;
  query: Static<Q>;
}

type Nothing = typeof nothing;

export function route<B extends TSchema = Nothing, Q extends TObject = Nothing>(
  method: ControlRoute['method'],
  shape: RouteShape<B, Q> & OpenShape,
  handle: (input: Input<B, Q>) => unknown,
): ControlRoute {
  const read = inputReader(shape);
  return {
    ...rowOf(method, shape),
    handle(request) {
      if (request.guest && !shape.forGuests) throw new Refusal(403, 'only the operator may do this');
      return handle(read(request));
    },
  };
}

/** A route below `/phones/:phone`. An unknown number is 404 before any other check, and so is a foreign phone for a guest. */
export function phoneRoute<B extends TSchema = Nothing, Q extends TObject = Nothing>(
  world: World,
  method: ControlRoute['method'],
  shape: RouteShape<B, Q>,
  handle: (input: Input<B, Q> & { phone: Phone }) => unknown,
): ControlRoute {
  const read = inputReader(shape);
  return {
    ...rowOf(method, { ...shape, path: `/phones/:phone${shape.path}` }),
    handle(request) {
      const phone = world.phones.get(request.params.phone ?? '');
      if (!canAccess(world, request.guest, phone.phone)) {
        throw new Refusal(404, `there is no virtual phone ${phone.phone}`);
      }
      if (phone.changedTo !== undefined && method !== 'GET') {
        throw new Refusal(410, `${phone.phone} has another number now: ${phone.changedTo}`);
      }
      return handle({ ...read(request), phone });
    },
  };
}

const rowOf = (
  method: ControlRoute['method'],
  { path, status, carriesFiles }: Pick<ControlRoute, 'path' | 'status' | 'carriesFiles'>,
) => ({ method, path, status, ...(carriesFiles && { carriesFiles }) });

function inputReader<B extends TSchema, Q extends TObject>({
  body: bodySchema,
  query: querySchema,
}: Pick<RouteShape<B, Q>, 'body' | 'query'>): (request: RawRequest) => Input<B, Q> {
  const strings: TObject = querySchema ?? nothing;
  const readBody = reader<TSchema>(bodySchema ?? nothing);
  const readQuery = reader(strings);
  // A schema that is left out is `nothing`, and so is its type parameter; the checker cannot see this relation.
  return ({ guest, params, body, query }) =>
    ({ guest, params, body: readBody(body), query: readQuery(coerceQuery(strings, query)) }) as Input<B, Q>;
}
