import type { Operation } from '@parley/contract';
import { type SampleRequest, type Schema, sampleRequest, type Things } from './harness.ts';

export interface HostileRequest extends SampleRequest {
  readonly what: string;
}

/** JSON as text: nested too deep for JSON.stringify, or text that it cannot write. */
function valuesOf(length: number): [kind: string, value: string][] {
  const depth = length / 10;
  return Object.entries({
    long: `"${'x'.repeat(length)}"`,
    'long in two bytes': `"${'ä'.repeat(length / 4)}"`,
    'long and escaped': `"${'\\u0041'.repeat(length / 8)}"`,
    deep: '['.repeat(depth) + ']'.repeat(depth),
    'deep in objects': `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    'many empty lists': `[${'[],'.repeat(depth)}[]]`,
    'another type': '{"a":[{"b":true}]}',
    NUL: '"a\\u0000b"',
    'half a character': '"\\ud800"',
  });
}

const LONGEST = valuesOf(1_000_000);
/** For all fields of an operation but the first: quadratic work shows in them as well, and they cost a tenth. */
const LONG = valuesOf(100_000);

const MANY_FIELDS = Array.from({ length: 20_000 }, (_, at) => `"field${at}":${at}`).join(',');

/** Also tried with optional fields; the parser rejects the others before it knows the field. */
const EVERYWHERE: ReadonlySet<string> = new Set(['long', 'another type', 'NUL', 'half a character']);

/** In URL encoding: invalid UTF-8, an unpaired surrogate, no escape at all, and characters outside any id or number. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  long: 'x'.repeat(7_000),
  NUL: 'a%00b',
  'no UTF-8': '%ff%fe',
  'half a character': '%ED%A0%80',
  'a broken escape': '%zz',
  'another direction': 'a%E2%80%AEb',
  'line breaks': 'a%0D%0Ab',
  'a folder above': '..%2F..%2Fetc',
};

/** Requests that every operation must refuse: a valid one with one field of its path, query or body, or its whole body made hostile. */
export function hostileRequests(operation: Operation, things: Things): HostileRequest[] {
  const { url, body } = sampleRequest(operation, things);
  const ofAddress = [...hostilePaths(operation, url), ...hostileQueries(operation, url)].map((each) => ({
    ...each,
    body,
  }));
  if (operation.body === undefined || typeof body !== 'object' || body === null) return ofAddress;
  const required = new Set(Object.keys(body));
  const others = Object.keys((operation.body as Schema).properties ?? {}).filter(
    (name) => !required.has(name),
  );
  const hostile = (name: string, [kind, value]: readonly [string, string]): HostileRequest => ({
    what: `${name}: ${kind}`,
    url,
    body: withField(body, name, value),
  });
  const ofFields = [...required].flatMap((name, at) =>
    (at === 0 ? LONGEST : LONG).map((value) => hostile(name, value)),
  );
  const ofOthers = others.flatMap((name) =>
    LONG.filter(([kind]) => EVERYWHERE.has(kind)).map((value) => hostile(name, value)),
  );
  const ofBody = LONGEST.map(([kind, value]) => ({ what: `its body: ${kind}`, url, body: value }));
  const known = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const extra = { what: 'many unknown fields', url, body: `{${[...known, MANY_FIELDS].join(',')}}` };
  const bidi = {
    what: 'an unknown field of directions',
    url,
    body: JSON.stringify({ ...body, '\u202e\u2066': 1 }),
  };
  return [...ofAddress, ...ofFields, ...ofOthers, ...ofBody, extra, bidi];
}

function hostilePaths({ path }: Operation, url: string): Omit<HostileRequest, 'body'>[] {
  const good = url.split('/');
  return path.split('/').flatMap((part, at) =>
    part.startsWith('{')
      ? Object.entries(PATH_VALUES).map(([kind, value]) => ({
          what: `${part} of its path: ${kind}`,
          url: good.with(at, value).join('/'),
        }))
      : [],
  );
}

function hostileQueries({ query }: Operation, url: string): Omit<HostileRequest, 'body'>[] {
  return Object.keys(query?.properties ?? {}).flatMap((name) =>
    [`${name}=${'9'.repeat(7_000)}`, `${name}=a&${name}=b`, `${name}=%00`].map((text) => ({
      what: `${name} of its query: ${text.slice(0, 30)}`,
      url: `${url}?${text}`,
    })),
  );
}

function withField(body: object, name: string, value: string): string {
  const others = Object.entries(body).filter(([other]) => other !== name);
  const written = others.map(([other, good]) => `${JSON.stringify(other)}:${JSON.stringify(good)}`);
  return `{${[...written, `${JSON.stringify(name)}:${value}`].join(',')}}`;
}
