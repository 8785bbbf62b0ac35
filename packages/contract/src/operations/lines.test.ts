import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { SEVERAL_LINES } from '../schema.ts';
import { operations } from './index.ts';
import type { Operation } from './operation.ts';

interface Keywords {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly [SEVERAL_LINES]?: true;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** Line breaks, the end of a terminal's line, and what lets a text be read backwards. */
const HOSTILE = [
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  '\x1b',
  '\x7f',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
];

const all: readonly (readonly [string, Operation])[] = Object.entries(operations);
const strings = all.flatMap(([id, { params, query, headers, body }]) =>
  Object.entries({ params, query, headers, body }).flatMap(([part, schema]) =>
    schema ? stringsIn(schema, `${id} ${part}`) : [],
  ),
);

function stringsIn(schema: TSchema, path: string): { path: string; schema: Keywords }[] {
  const keywords: Keywords = schema;
  const { type, properties = {}, items, anyOf = [] } = keywords;
  if (type === 'string') return keywords.enum || keywords.const !== undefined ? [] : [{ path, schema }];
  return [
    ...Object.entries(properties).flatMap(([name, field]) => stringsIn(field, `${path}.${name}`)),
    ...(items ? stringsIn(items, `${path}[]`) : []),
    ...anyOf.flatMap((each) => stringsIn(each, path)),
  ];
}

/** Whether the pattern lets it stand at the beginning, at the end, or anywhere in a text that it takes. */
function takes({ pattern = '' }: Keywords, hostile: string): boolean {
  const good = SAMPLES.filter((sample) => new RegExp(pattern, 'u').test(sample));
  expect(good, `a sample that ${pattern} takes`).not.toEqual([]);
  return good.some((sample) =>
    Array.from(
      { length: sample.length + 1 },
      (_, at) => sample.slice(0, at) + hostile + sample.slice(at),
    ).some((text) => Check({ type: 'string', pattern } as TSchema, text)),
  );
}

/** For each pattern one that it takes. */
const SAMPLES = [
  'a',
  '',
  '15550001001',
  '+15550001001',
  '15550001001@s.whatsapp.net',
  '1234@lid',
  '120363041234567890@g.us',
  '120363107654321098@newsletter',
  'ada.byron',
  '1234',
  'https://example.com/a',
  '2026-12-31T23:59:59Z',
  'ada@example.com',
  'image/png',
  'EUR',
  'groups',
  '/phones',
  'https://chat.whatsapp.com/AbCdEfGhIjKlMnOpQrStUv',
  'https://whatsapp.com/channel/0029VaAbCdEfGhIjKlMnOp',
];

it('finds the strings that there are', () => {
  expect(strings.length).toBeGreaterThan(250);
  expect(strings.map(({ path }) => path)).toContain('createAccount body.name');
});

describe.each(strings)('$path', ({ schema }) => {
  it('says whether it has one line, and then refuses what is none', () => {
    if (schema[SEVERAL_LINES]) expect(schema.pattern).toBeUndefined();
    else expect(HOSTILE.filter((hostile) => takes(schema, hostile))).toEqual([]);
  });
});
