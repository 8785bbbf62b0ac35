import Type, { type TObject, type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { KEEPS_EMPTY } from '../schema.ts';
import { isObject, strangerIn } from './explain.ts';

/**
 * Drops fields that are null, and optional ones that are an empty string: typed clients send those for “not set”. Fields in which
 * empty has a meaning carry the annotation `KEEPS_EMPTY`. Never changes the input, and returns it when there is nothing to drop.
 */
export function dropEmptyOptionals(schema: TSchema, value: unknown): unknown {
  if (!isObject(value) && !Array.isArray(value)) return value;
  if (Type.IsArray(schema) && Array.isArray(value)) {
    return value.map((item) => dropEmptyOptionals(schema.items, item));
  }
  if (!Type.IsObject(schema) || !isObject(value)) return value;
  // The unknown field is refused anyway.
  if (strangerIn(schema, value) !== undefined) return value;
  let tidied: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const field = value[key];
    if (countsAsAbsent(schema, key, field)) {
      tidied ??= { ...value };
      delete tidied[key];
    } else if (typeof field === 'object') {
      const tidy = tidyField(schema, key, field);
      if (tidy === field) continue;
      tidied ??= { ...value };
      tidied[key] = tidy;
    }
  }
  return tidied ?? value;
}

export function countsAsAbsent({ properties }: TObject, key: string, field: unknown): boolean {
  if (field !== null && field !== '') return false;
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (property === undefined) return false;
  if (field === null) return !Check(property, null);
  return Type.IsOptional(property) && !(KEEPS_EMPTY in property);
}

function tidyField({ properties }: TObject, key: string, field: unknown): unknown {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return property === undefined ? field : dropEmptyOptionals(property, field);
}

/** Converts text of query strings, such as `true` and `50`, to the type of the schema; leaves everything else to the check. */
export function coerceQuery(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([key, text]) => {
      const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      return [key, property === undefined ? text : coerce(property, text)];
    }),
  );
}

function coerce(schema: TSchema, text: unknown): unknown {
  if (Type.IsBoolean(schema) && (text === 'true' || text === 'false')) return text === 'true';
  if (Type.IsInteger(schema) && typeof text === 'string' && /^-?[0-9]{1,15}$/.test(text)) return Number(text);
  return text;
}
