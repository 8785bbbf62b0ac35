import type { TSchema } from 'typebox';
import { CONTENT, EXPECTS, KEEPS_EMPTY } from '../schema.ts';

export type JsonSchema = { [keyword: string]: unknown };

export type Components = {
  /** Converts a schema for the document; titled schemas become components, referred to by name. */
  readonly show: (schema: TSchema) => JsonSchema;
  readonly schemas: () => Record<string, JsonSchema>;
};

/** Keywords of the gateway's own validation, which the document omits. */
const INTERNAL_KEYWORDS = new Set<string>([EXPECTS, KEEPS_EMPTY, CONTENT]);

export function createComponents(): Components {
  const shown = new Map<string, JsonSchema>();

  function show(schema: object): JsonSchema {
    const { title, ...keywords }: { title?: string } = schema;
    const plain = Object.fromEntries(
      Object.entries(keywords)
        .filter(([keyword]) => !INTERNAL_KEYWORDS.has(keyword))
        .map(([keyword, value]) => [keyword, showKeyword(keyword, value)]),
    );
    return title === undefined ? plain : refer(title, plain);
  }

  function showKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' && isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, showIfSchema(property)]),
      );
    }
    if (keyword === 'anyOf' && Array.isArray(value)) return value.map(showIfSchema);
    return keyword === 'items' ? showIfSchema(value) : value;
  }

  function showIfSchema(value: unknown): unknown {
    return isObject(value) ? show(value) : value;
  }

  function refer(title: string, schema: JsonSchema): JsonSchema {
    const known = shown.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are titled ${title}`);
    }
    shown.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    show,
    schemas: () =>
      Object.fromEntries([...shown.keys()].sort().map((title) => [title, shown.get(title) ?? {}])),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
