import type { Operation } from '@parley/contract';
import fc from 'fast-check';
import { sampleRequest, type Things } from './fixture.ts';

export interface BentRequest {
  readonly url: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

/** Requests in the neighbourhood of a good one: fields added and replaced, paths and queries bent, bodies broken. */
export function bentRequest(operation: Operation, things: Things): fc.Arbitrary<BentRequest> {
  const good = sampleRequest(operation, things);
  return fc.record({
    url: fc.tuple(bentPath(good.url), bentQuery(operation)).map((parts) => parts.join('')),
    body: bentBody(operation, good.body),
    headers: fc.record({ 'idempotency-key': fc.constantFrom('one', '', 'x'.repeat(300), '\u00e9') }),
  });
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '0',
    'null',
    '\0',
    '../..',
    '%2e%2e',
    "' or 1=1 --",
    '💥',
    '\ud800',
    '__proto__',
    '1e999',
  ),
);
const oddTime = fc.constantFrom('9999-99-99T99:99:99Z', '2026-02-31T00:00:00Z', '0000-01-01T00:00:00Z');
const oddNumber = fc.oneof(fc.double(), fc.constantFrom(-0, 0.1, 1e300, -1e300, 2 ** 53, 2 ** 63));
const oddValue = fc.oneof(oddText, oddTime, oddNumber, fc.jsonValue({ maxDepth: 3 }));

function bentBody(operation: Operation, good: unknown): fc.Arbitrary<unknown> {
  const known = fieldsOf(operation.body);
  const field = known.length === 0 ? oddText : fc.constantFrom(...known);
  const withOdd = (name: fc.Arbitrary<string>) =>
    fc.dictionary(name, oddValue, { maxKeys: 3 }).map((odd) => Object.assign({}, good, odd));
  return fc.oneof(
    { weight: 5, arbitrary: withOdd(field) },
    { weight: 1, arbitrary: withOdd(oddText) },
    { weight: 1, arbitrary: oddValue },
    { weight: 1, arbitrary: fc.constant(good) },
  );
}

type SchemaParts = { properties?: object; anyOf?: readonly SchemaParts[] };

function fieldsOf(schema: SchemaParts | undefined): string[] {
  return [...Object.keys(schema?.properties ?? {}), ...(schema?.anyOf ?? []).flatMap(fieldsOf)];
}

/** Now and then one segment of the path, behind the surface's prefix, is another one. */
function bentPath(path: string): fc.Arbitrary<string> {
  const segments = path.split('/');
  const replaced = fc
    .tuple(fc.integer({ min: Math.min(2, segments.length - 1), max: segments.length - 1 }), oddText)
    .map(([at, text]) => segments.with(at, encode(text)).join('/'));
  return fc.oneof({ weight: 3, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: replaced });
}

function bentQuery(operation: Operation): fc.Arbitrary<string> {
  const name = fc.oneof(oddText, fc.constantFrom('limit', ...fieldsOf(operation.query)));
  return fc
    .array(fc.tuple(name, oddText), { maxLength: 3 })
    .map((pairs) => pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Paths that nobody serves, and some that only look like it. */
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
          ';',
          '@',
          '?',
          '&',
        ),
      )
      .map((parts) => parts.join('')),
  )
  .map((path) => `/${path}`)
  // Two slashes at the start would be a host.
  .filter((path) => !path.startsWith('//'));
