import { invalid } from './graph-error.ts';

/** What clients send, read field by field. Whatever is not as it must be is refused by its name. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(fields: Fields, name: string, path = name): Fields {
  const value = fields[name];
  if (value === undefined || value === null) throw invalid(`The parameter ${path} is required.`);
  if (!isObject(value)) throw invalid(`Param ${path} must be a JSON object.`);
  return value;
}

export function objectsIn(fields: Fields, name: string, path = name): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(`Param ${path} must be an array with at least one element.`);
  if (!value.every(isObject)) throw invalid(`Param ${path} must be an array of JSON objects.`);
  return value;
}

/** Absent, null and empty are the same: clients write all three. */
export function textIn(fields: Fields, name: string, path = name): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`Param ${path} must be a string.`);
  return value;
}

export function requiredText(fields: Fields, name: string, path = name): string {
  const value = textIn(fields, name, path);
  if (value === undefined) throw invalid(`The parameter ${path} is required.`);
  return value;
}

/** Some clients write numbers as text. */
export function numberIn(fields: Fields, name: string, path = name): number {
  const value = fields[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw invalid(`Param ${path} must be a number.`);
  return number;
}
