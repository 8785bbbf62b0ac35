import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { EXPECTS, oneLine } from '../schema.ts';
import { type Complaint, complaint, fieldPath } from './complaint.ts';

/** Keywords of the contract's request schemas. */
type Keywords = {
  type?: string;
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  minProperties?: number;
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
  enum?: readonly string[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  [EXPECTS]?: string;
};

/**
 * Explains in one sentence why a value does not satisfy a schema; null when it does. Favours simplicity over speed: it runs only
 * after the compiled check has refused, and checks every part with the same library, so that the two cannot disagree.
 */
export function explain(schema: TSchema, value: unknown, path = ''): Complaint | null {
  const keywords: Keywords = schema;
  // Checked first: for many unknown fields the library's check takes ten times as long as reading them.
  const stranger = strangerIn(keywords, value);
  if (stranger !== undefined) return unknownField(fieldPath(path, stranger));
  if (Check(schema, value)) return null;
  if (keywords.properties !== undefined) return explainObject(keywords, keywords.properties, value, path);
  if (keywords.items !== undefined) return explainArray(keywords, keywords.items, value, path);
  return complaint(path, `${path} ${demand(keywords, value)}`);
}

/** Unknown field of a closed object. */
export function strangerIn(
  { properties, additionalProperties }: Keywords,
  value: unknown,
): string | undefined {
  if (properties === undefined || additionalProperties !== false || !isObject(value)) return undefined;
  return Object.keys(value).find((key) => !Object.hasOwn(properties, key));
}

function explainObject(
  keywords: Keywords,
  properties: Record<string, TSchema>,
  value: unknown,
  path: string,
): Complaint {
  const field = path === '' ? 'body' : path;
  if (!isObject(value)) return complaint(field, `${field} must be a JSON object`);
  const missing = keywords.required?.find((key) => value[key] === undefined);
  if (missing !== undefined) {
    const missingPath = fieldPath(path, missing);
    return complaint(missingPath, `${missingPath} is required`);
  }
  for (const [key, property] of Object.entries(properties)) {
    const inner = value[key] === undefined ? null : explain(property, value[key], fieldPath(path, key));
    if (inner !== null) return inner;
  }
  const choices = Object.keys(properties).map((key) => fieldPath(path, key));
  return complaint(choices[0] ?? field, `${choices.join(' or ')} is required`);
}

function explainArray(keywords: Keywords, items: TSchema, value: unknown, path: string): Complaint {
  if (!Array.isArray(value)) return complaint(path, `${path} must be an array`);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = keywords;
  if (value.length < minItems || value.length > maxItems) {
    return complaint(path, `${path} must have ${range(minItems, maxItems)} items`);
  }
  for (const [index, item] of value.entries()) {
    const inner = explain(items, item, fieldPath(path, index));
    if (inner !== null) return inner;
  }
  return complaint(path, `${path} must not repeat an item`);
}

function demand(keywords: Keywords, value: unknown): string {
  if (keywords[EXPECTS] !== undefined) return `must be ${keywords[EXPECTS]}`;
  if (keywords.enum !== undefined) return `must be one of ${keywords.enum.join(', ')}`;
  if (keywords.const !== undefined) return `must be ${String(keywords.const)}`;
  if (keywords.type === 'boolean') return 'must be true or false';
  if (keywords.type === 'integer') return `must be an integer${bounds(keywords)}`;
  if (keywords.type === 'number') return `must be a number${bounds(keywords)}`;
  if (keywords.type !== 'string') return 'is not valid';
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (keywords.pattern === oneLine.pattern && !Check(Type.String(oneLine), value))
    return 'must be on one line, without control characters';
  if (keywords.maxLength !== undefined) return `must be at most ${keywords.maxLength} characters`;
  return 'is not valid';
}

function bounds({
  minimum = Number.NEGATIVE_INFINITY,
  maximum = Number.POSITIVE_INFINITY,
}: Keywords): string {
  if (minimum === Number.NEGATIVE_INFINITY && maximum === Number.POSITIVE_INFINITY) return '';
  return maximum === Number.POSITIVE_INFINITY
    ? ` of at least ${minimum}`
    : ` between ${minimum} and ${maximum}`;
}

function range(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

const PLAIN_NAME = /^[\w.[\]-]{1,128}$/;
const SHOWN_NAME_LENGTH = 64;

/** The name comes from the caller, so it is quoted and cut unless it is plain. */
export function unknownField(path: string): Complaint {
  const shown = PLAIN_NAME.test(path) ? path : JSON.stringify(path.slice(0, SHOWN_NAME_LENGTH));
  return complaint(shown, `unknown field ${shown}`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
