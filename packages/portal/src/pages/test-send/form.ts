import type { JsonSchema } from 'virtual:send-kinds';

/** Values of controls: text as typed, booleans, lists, and groups of these. */
export type Value = string | boolean | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

export interface FormField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Fields to fill in, without those that the schema fixes and those `given` elsewhere. */
export function fieldsOf(schema: JsonSchema, given: readonly string[] = []): FormField[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name, property]) => property.const === undefined && !given.includes(name))
    .map(([name, property]) => ({
      name,
      schema: property,
      isRequired: schema.required?.includes(name) ?? false,
    }));
}

/** Values of an empty form. Lists have their minimum of empty items. */
export function blankOf(schema: JsonSchema): Value {
  const [first] = schema.anyOf ?? [];
  if (first) return blankOf(first);
  switch (schema.type) {
    case 'object':
      return valuesOf(schema, blankOf);
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => blankOf(schema.items ?? {}));
    case 'boolean':
      return false;
    default:
      return schema.const === undefined ? '' : String(schema.const);
  }
}

/** Values of a form filled with `json`. */
export function filledWith(schema: JsonSchema, json: unknown): Value {
  if (json === undefined) return blankOf(schema);
  if (Array.isArray(json)) return json.map((item) => filledWith(variantOf(schema.items ?? {}, item), item));
  if (isRecord(json)) return valuesOf(schema, (property, name) => filledWith(property, json[name]));
  return typeof json === 'boolean' ? json : String(json);
}

/** Converts values to JSON. Undefined where an optional field is empty. */
export function jsonOf(schema: JsonSchema, value: Value | undefined, isRequired = true): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(value)) {
    const items = value.map((item) => jsonOf(variantOf(schema.items ?? {}, item), item));
    return items.length > 0 || isRequired ? items : undefined;
  }
  if (isRecord(value)) return isRequired || !isUntouched(schema, value) ? objectOf(schema, value) : undefined;
  if (typeof value === 'boolean') return value || isRequired ? value : undefined;
  if (value === undefined || (value === '' && !isRequired)) return undefined;
  return schema.type === 'number' || schema.type === 'integer' ? numberOf(String(value)) : value;
}

/** Selects the variant that matches a value, by the constants of each. */
export function variantOf(schema: JsonSchema, value: unknown): JsonSchema {
  const shapes = schema.anyOf;
  if (!shapes) return schema;
  const fits = (shape: JsonSchema): boolean =>
    Object.entries(shape.properties ?? {}).every(
      ([name, property]) =>
        property.const === undefined || (isRecord(value) && value[name] === property.const),
    );
  return shapes.find(fits) ?? shapes[0] ?? {};
}

/** Name of a variant: its constant. */
export function shapeName({ properties = {} }: JsonSchema): string {
  return Object.values(properties)
    .filter((property) => property.const !== undefined)
    .map((property) => String(property.const))
    .join(' ');
}

/** Label of a field: `quoted_message_id` as “Quoted message id”. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\burl\b/, 'URL')
    .replace(/\bid\b/, 'ID')
    .replace(/\bjid\b/, 'JID');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valuesOf(schema: JsonSchema, make: (property: JsonSchema, name: string) => Value): Values {
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([name, property]) => [name, make(property, name)]));
}

function objectOf(schema: JsonSchema, values: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const isRequired = schema.required?.includes(name) ?? false;
      return [name, jsonOf(property, asValue(values[name]), isRequired)] as const;
    })
    .filter(([, json]) => json !== undefined);
  return Object.fromEntries(entries);
}

/** Whether a group of fields is empty. */
function isUntouched(schema: JsonSchema, values: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(values) === JSON.stringify(blankOf(schema));
}

/** Parses a number; invalid text is sent unchanged, for the gateway to refuse. */
function numberOf(text: string): number | string | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function asValue(value: unknown): Value | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value)) return value;
  return isValues(value) ? value : undefined;
}

export function isValues(value: unknown): value is Values {
  return isRecord(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
