import { oneLine, SEVERAL_LINES } from '@parley/contract';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { SURFACES } from './testing/compat-clients.ts';

interface Keywords {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly [SEVERAL_LINES]?: true;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

interface Place {
  readonly path: string;
  readonly schema: Keywords;
}

function stringsIn(schema: TSchema, path: string): Place[] {
  const keywords: Keywords = schema;
  const { type, properties = {}, patternProperties = {}, items, anyOf = [] } = keywords;
  if (type === 'string') return keywords.enum || keywords.const !== undefined ? [] : [{ path, schema }];
  return [
    ...Object.entries({ ...properties, ...patternProperties }).flatMap(([name, field]) =>
      stringsIn(field, `${path}.${name}`),
    ),
    ...(items ? stringsIn(items, `${path}[]`) : []),
    ...anyOf.flatMap((each) => stringsIn(each, path)),
  ];
}

const strings = SURFACES.flatMap(({ prefix, endpoints }) =>
  endpoints.flatMap(({ method, path, input = {} }) =>
    Object.entries(input).flatMap(([part, schema]) =>
      schema ? stringsIn(schema, `${method} ${prefix}${path} ${part}`) : [],
    ),
  ),
);
/** Reports all failures in one assertion, because a thousand separate ones are unreadable. */
const pathsWhere = (holds: (schema: Keywords) => boolean): string[] =>
  strings.filter(({ schema }) => holds(schema)).map(({ path }) => path);

describe('a text in a request to an interface of another program', () => {
  it('is found at every depth of a schema', () => {
    const paths = strings.map(({ path }) => path);
    expect(paths).toContain('POST /evolution/group/create/:instance body.subject');
    expect(paths).toContain('POST /evolution/webhook/set/:instance body.webhook.headers.^.*$');
    expect(paths).toContain('POST /cloud/:id/messages body.contacts[].name.formatted_name');
  });

  it('is declared as one line or as several', () => {
    expect(pathsWhere(({ pattern, [SEVERAL_LINES]: several }) => !pattern && !several)).toEqual([]);
  });

  it('follows exactly one of the two line rules', () => {
    expect(pathsWhere(({ pattern }) => pattern !== undefined && pattern !== oneLine.pattern)).toEqual([]);
    expect(
      pathsWhere(({ pattern, [SEVERAL_LINES]: several }) => pattern !== undefined && several === true),
    ).toEqual([]);
  });
});
