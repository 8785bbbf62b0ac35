import { parsedJson } from '@parley/contract/plain';

/** What a client sends as JSON is no more than a hope: it is read field by field, and what does not fit reads as empty. */

export type Fields = Record<string, unknown>;

/** Undefined when it is not JSON at all. */
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
