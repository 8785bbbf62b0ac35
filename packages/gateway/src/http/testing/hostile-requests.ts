import type { Operation } from '@parley/contract';
import { type SampleRequest, sampleRequest, type Things } from './harness.ts';

export interface HostileRequest extends SampleRequest {
  readonly what: string;
}

const LONG = 1_000_000;
const DEEP = 100_000;

/** JSON as text: what is nested too deep for JSON.stringify, or is no text that it writes. */
const VALUES: Readonly<Record<string, string>> = {
  long: `"${'x'.repeat(LONG)}"`,
  'long in two bytes': `"${'ä'.repeat(LONG / 4)}"`,
  'long and escaped': `"${'\\u0041'.repeat(LONG / 8)}"`,
  deep: '['.repeat(DEEP) + ']'.repeat(DEEP),
  'deep in objects': `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  'many empty lists': `[${'[],'.repeat(DEEP)}[]]`,
  'another type': '{"a":[{"b":true}]}',
  NUL: '"a\\u0000b"',
  'half a character': '"\\ud800"',
};

/** Requests that no operation may take: a good one with one field of its body, its whole body, or its query made hostile. */
export function hostileRequests(operation: Operation, things: Things): HostileRequest[] {
  const { url, body } = sampleRequest(operation, things);
  const ofQuery = Object.keys(operation.query?.properties ?? {}).flatMap((name) =>
    [`${name}=${'9'.repeat(7_000)}`, `${name}=a&${name}=b`, `${name}=%00`].map((query) => ({
      what: `${name} of its query`,
      url: `${url}?${query}`,
      body,
    })),
  );
  if (operation.body === undefined || typeof body !== 'object' || body === null) return ofQuery;
  const values = Object.entries(VALUES);
  const fields = Object.entries(body);
  const ofFields = fields.flatMap(([name]) =>
    values.map(([kind, value]) => ({ what: `${name}: ${kind}`, url, body: withField(body, name, value) })),
  );
  const ofBody = values.map(([kind, value]) => ({ what: `its body: ${kind}`, url, body: value }));
  const strange = Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at]);
  const extra = {
    what: 'many unknown fields',
    url,
    body: JSON.stringify({ ...body, ...Object.fromEntries(strange) }),
  };
  const bidi = {
    what: 'an unknown field of directions',
    url,
    body: JSON.stringify({ ...body, '\u202e\u2066': 1 }),
  };
  return [...ofQuery, ...ofFields, ...ofBody, extra, bidi];
}

function withField(body: object, name: string, value: string): string {
  const others = Object.entries(body).filter(([other]) => other !== name);
  const written = others.map(([other, good]) => `${JSON.stringify(other)}:${JSON.stringify(good)}`);
  return `{${[...written, `${JSON.stringify(name)}:${value}`].join(',')}}`;
}
