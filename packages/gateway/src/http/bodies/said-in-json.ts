import Type, { type TSchema } from 'typebox';
import { checkText } from './text.ts';

/** Marks an object or a list of a schema that may also come as a text which says it in JSON. */
export const SAID_IN_JSON = 'x-said-in-json';

/** Reads such texts; what is no JSON is left to the check. The input is never changed. Throws for text that cannot be stored. */
export function unfoldJson(schema: TSchema, given: unknown): unknown {
  const value = SAID_IN_JSON in schema ? parsed(given) : given;
  if (Type.IsArray(schema) && Array.isArray(value))
    return value.map((item) => unfoldJson(schema.items, item));
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const fields = value as Record<string, unknown>;
  const named = Object.entries(schema.properties).filter(([name]) => Object.hasOwn(fields, name));
  return {
    ...fields,
    ...Object.fromEntries(named.map(([name, inner]) => [name, unfoldJson(inner, fields[name])])),
  };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  let said: unknown;
  try {
    said = JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
  // Escapes within a text within JSON were no characters yet when the body was looked at.
  const unstorable = checkText('body', said);
  if (unstorable) throw unstorable;
  return said;
}
