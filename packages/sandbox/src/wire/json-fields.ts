import { parsedJson } from '@parley/contract/plain';

/** JSON of a client is untrusted: fields are read one by one, and an unexpected type reads as empty. */

export type Fields = Record<string, unknown>;

/** Undefined for invalid JSON. */
export function parseFields(json: string | null | undefined): Fields | undefined {
  const value = parsedJson(json ?? '{}');
  return value === undefined ? undefined : fieldsOf(value);
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
