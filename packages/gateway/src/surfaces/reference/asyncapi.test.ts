import { EVENT_CATEGORIES, EVENT_KINDS, eventKindsOf } from '@parley/contract';
import { expect, test } from 'vitest';
import { buildAsyncApi } from './asyncapi.ts';

interface Document {
  readonly channels: Record<string, { readonly messages: Record<string, unknown> }>;
  readonly operations: Record<
    string,
    { readonly action: string; readonly channel: { readonly $ref: string } }
  >;
  readonly components: {
    readonly messages: Record<
      string,
      { readonly examples: { payload: { kind: string } }[]; readonly headers: object }
    >;
    readonly schemas: Record<string, unknown>;
  };
}

const document: Document = JSON.parse(
  JSON.stringify(buildAsyncApi({ version: '1.2.3', serverUrl: 'https://gateway.example.com' })),
);

test('has a channel for every category, with exactly its kinds', () => {
  expect(Object.keys(document.channels)).toEqual([...EVENT_CATEGORIES]);
  for (const category of EVENT_CATEGORIES)
    expect(Object.keys(document.channels[category]?.messages ?? {})).toEqual(eventKindsOf(category));
  expect(Object.values(document.operations).map(({ action, channel }) => [action, channel.$ref])).toEqual(
    EVENT_CATEGORIES.map((category) => ['send', `#/channels/${category}`]),
  );
});

test('has a message for every kind, with an example and the signature headers', () => {
  for (const kind of EVENT_KINDS) {
    const message = document.components.messages[kind];
    expect(message?.examples[0]?.payload.kind).toBe(kind);
    expect(message?.headers).toMatchObject({ properties: { 'X-Webhook-Signature': { type: 'string' } } });
  }
});

test('contains exactly the components that it refers to', () => {
  const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(document.components.schemas));
});
