import type { Operation } from '@parley/contract';
import fc from 'fast-check';
import { type Schema, sampleOf, sampleRequest, type Things } from './harness.ts';

export interface ModifiedRequest {
  readonly url: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** Variations of a valid request: fields added and replaced, paths and queries altered, bodies broken. */
export function modifyRequest(operation: Operation, things: Things): fc.Arbitrary<ModifiedRequest> {
  const good = sampleRequest(operation, things);
  return fc.record({
    url: fc.tuple(modifyPath(good.url), modifyQuery(operation)).map((parts) => parts.join('')),
    body: modifyBody(operation, good.body),
    headers: fc.record({ 'idempotency-key': fc.constantFrom('one', '', 'x'.repeat(300), '\u00e9') }),
  });
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Accepted by one of the databases and refused by the other.
  fc.constantFrom('\0', 'a\0b', '\ud800'),
  fc.constantFrom('', '0', 'null', '../..', '%2e%2e', "' or 1=1 --", '💥', '__proto__', '1e999'),
);
const oddTime = fc.constantFrom('9999-99-99T99:99:99Z', '2026-02-31T00:00:00Z', '0000-01-01T00:00:00Z');
const oddNumber = fc.oneof(fc.double(), fc.constantFrom(-0, 0.1, 1e300, -1e300, 2 ** 53, 2 ** 63));
const oddValue = fc.oneof(oddText, oddTime, oddNumber, fc.jsonValue({ maxDepth: 3 }));

function modifyBody(operation: Operation, good: unknown): fc.Arbitrary<unknown> {
  const amended = (odd: fc.Arbitrary<unknown>) => odd.map((fields) => Object.assign({}, good, fields));
  return fc.oneof(
    { weight: 5, arbitrary: amended(near(operation.body ?? {})) },
    { weight: 1, arbitrary: amended(fc.dictionary(oddText, oddValue, { maxKeys: 3 })) },
    { weight: 1, arbitrary: oddValue },
    { weight: 1, arbitrary: fc.constant(good) },
  );
}

/** Values close to the schema: mostly the right shape, with leaves that are valid or odd. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(near));
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, near(field)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  if (schema.items) return fc.array(near(schema.items), { maxLength: 3 });
  const oddOfItsKind = schema.type === 'string' ? fc.oneof(oddText, oddTime) : oddNumber;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(sampleOf(schema)) },
    { weight: 2, arbitrary: oddOfItsKind },
    { weight: 1, arbitrary: oddValue },
  );
}

/** Sometimes replaces one segment of the path, behind the surface's prefix. */
function modifyPath(path: string): fc.Arbitrary<string> {
  const segments = path.split('/');
  const replaced = fc
    .tuple(fc.integer({ min: Math.min(2, segments.length - 1), max: segments.length - 1 }), oddText)
    .map(([at, text]) => segments.with(at, encode(text)).join('/'));
  return fc.oneof({ weight: 3, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: replaced });
}

function modifyQuery(operation: Operation): fc.Arbitrary<string> {
  const name = fc.oneof(oddText, fc.constantFrom('limit', ...Object.keys(operation.query?.properties ?? {})));
  return fc
    .array(fc.tuple(name, oddText), { maxLength: 3 })
    .map((pairs) => pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Unknown paths, and some that resemble known ones. */
export const strangePath: fc.Arbitrary<string> = fc
  .oneof(
    fc.webPath(),
    fc
      .array(
        fc.constantFrom(
          '/',
          'v1',
          'sessions',
          'operator',
          '%',
          '%2',
          '%2F',
          '%C3%28',
          '..',
          '%2e%2e',
          '%5C',
          '\\',
          ';',
          '@',
          '?',
          '&',
        ),
      )
      .map((parts) => parts.join('')),
  )
  .map((path) => `/${path}`)
  // Two slashes at the start, of either kind, would be a host.
  .filter((path) => !/^\/[/\\]/.test(path));
