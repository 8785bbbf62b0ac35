import type { TObject } from 'typebox';
import { type Complaint, fieldPath } from './complaint.ts';
import { unknownField } from './explain.ts';
import { countsAsAbsent } from './tidy.ts';

/**
 * Objects that come in variants are closed to strangers and blind to neighbours: a field that no variant knows is refused,
 * a field that only another variant knows is left out.
 */
export type Fields = Record<string, unknown>;

export function fieldsOfAll(schemas: readonly TObject[]): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => Object.keys(schema.properties)));
}

export function strangerIn(known: ReadonlySet<string>, fields: Fields, path = ''): Complaint | null {
  for (const key of Object.keys(fields)) {
    if (!known.has(key)) return unknownField(fieldPath(path, key));
  }
  return null;
}

/** A copy with this variant's fields only; null, and an empty string in an optional field, count as absent. */
export function pickOwn(schema: TObject, fields: Fields): Fields {
  const own: Fields = {};
  for (const key of Object.keys(schema.properties)) {
    const field = fields[key];
    if (field === undefined || countsAsAbsent(schema, key, field)) continue;
    own[key] = field;
  }
  return own;
}
