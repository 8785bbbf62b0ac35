import { compileParse, dropEmptyOptionals } from '@parley/contract';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { Phone, World } from '../world/index.ts';
import { Refusal } from './errors.ts';

/** One row of the sandbox's interface. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT';
  /** In the HTTP library's form: `/phones/:phone`. */
  path: string;
  status: 200 | 201 | 204;
  /** Carries files inside its body. */
  carriesFiles?: true;
  handle(request: RawRequest): unknown;
}

export interface RawRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** A request object: any field that it does not list is refused by name. */
export const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const nothing = closed({});

/** A reader of values that answers the typed value or refuses with one sentence that names the field. */
export function reader<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const parse = compileParse(schema);
  return (value) => {
    const result = parse(dropEmptyOptionals(schema, value ?? {}));
    if (!result.ok) throw new Refusal(400, result.text);
    return result.value;
  };
}

interface RouteShape<B extends TSchema, Q extends TSchema> {
  path: string;
  status: ControlRoute['status'];
  carriesFiles?: true;
  body?: B;
  query?: Q;
}

interface Input<B extends TSchema, Q extends TSchema> {
  params: Record<string, string>;
  body: Static<B>;
  query: Static<Q>;
}

type Handler<B extends TSchema, Q extends TSchema, More> = (input: Input<B, Q> & More) => unknown;

export function route<B extends TSchema = typeof nothing, Q extends TSchema = typeof nothing>(
  method: ControlRoute['method'],
  shape: RouteShape<B, Q>,
  handle: Handler<B, Q, unknown>,
): ControlRoute {
  const { body: bodySchema, query: querySchema, ...rest } = shape;
  const readBody = reader<TSchema>(bodySchema ?? nothing);
  const readQuery = reader<TSchema>(querySchema ?? nothing);
  return {
    ...rest,
    method,
    handle: ({ params, body, query }) =>
      handle({ params, body: readBody(body), query: readQuery(query) } as Input<B, Q>),
  };
}

/** A route below `/phones/:phone`; a number that nobody has is answered with 404 before anything else is looked at. */
export function phoneRoute<B extends TSchema = typeof nothing, Q extends TSchema = typeof nothing>(
  world: World,
  method: ControlRoute['method'],
  shape: RouteShape<B, Q>,
  handle: Handler<B, Q, { phone: Phone }>,
): ControlRoute {
  const owner = (params: Record<string, string>) => world.phones.get(params.phone ?? '');
  const inner = route(method, { ...shape, path: `/phones/:phone${shape.path}` }, (input) =>
    handle({ ...input, phone: owner(input.params) }),
  );
  return {
    ...inner,
    handle(request) {
      owner(request.params);
      return inner.handle(request);
    },
  };
}
