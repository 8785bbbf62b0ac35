import { count, enumerate } from '../prose.ts';

/** Documentation of a field. Texts may have code between backticks. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly constraints: readonly string[];
  readonly fields: readonly Field[];
  /** Alternative forms of the field. */
  readonly variants: readonly Variant[];
  /** Id of the section that lists its fields, so that they are not repeated. */
  readonly sectionId: string | undefined;
}

export interface Variant {
  readonly name: string;
  readonly description: string | undefined;
  readonly fields: readonly Field[];
}

/** Schemas that have a section of their own. */
const PATHS_DESCRIBED: Readonly<Record<string, string>> = { Event: 'events' };

export function fieldsOf(schema: JsonSchema | undefined): Field[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, schema?.required?.includes(name) ?? false),
  );
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): Field {
  const content = contentOf(schema);
  const sectionId = PATHS_DESCRIBED[content.title ?? ''];
  return {
    name,
    type: typeOf(schema),
    required,
    description: schema.description ?? (content === schema ? undefined : content.description),
    constraints: constraintsOf(schema),
    fields: fieldsOf(content),
    variants: sectionId === undefined ? variantsOf(content) : [],
    sectionId,
  };
}

/** Strips lists and null from a schema. */
function contentOf(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return contentOf(schema.items);
  const [only, ...others] = notNull(schema);
  return only !== undefined && others.length === 0 ? contentOf(only) : schema;
}

function variantsOf({ anyOf = [] }: JsonSchema): Variant[] {
  return anyOf
    .filter(({ properties }) => properties !== undefined)
    .map((variant) => ({
      name: String(variant.properties?.type?.const ?? variant.title ?? 'object'),
      description: variant.description,
      fields: fieldsOf(variant),
    }));
}

function notNull({ anyOf = [] }: JsonSchema): JsonSchema[] {
  return anyOf.filter(({ type }) => type !== 'null');
}

function typeOf(schema: JsonSchema): string {
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (schema.anyOf !== undefined) {
    const types = new Set(schema.anyOf.map(typeOf));
    return [...types].join(' or ');
  }
  return schema.type ?? 'any';
}

function constraintsOf(schema: JsonSchema): string[] {
  const { items, default: standard, uniqueItems } = schema;
  return [
    ...ownConstraints(schema),
    ...notNull(schema).flatMap(ownConstraints),
    range(schema.minItems, schema.maxItems, 'item'),
    uniqueItems && 'no duplicates',
    ...(items === undefined ? [] : ownConstraints(items).map((constraint) => `each ${constraint}`)),
    standard !== undefined && `default \`${JSON.stringify(standard)}\``,
  ].filter((constraint) => typeof constraint === 'string');
}

function ownConstraints(schema: JsonSchema): string[] {
  const { const: constant, enum: choices, type, 'x-expects': expects } = schema;
  if (constant !== undefined) return [`always \`${JSON.stringify(constant)}\``];
  if (choices !== undefined)
    return [
      `one of ${enumerate(
        choices.map((choice) => `\`${choice}\``),
        'or',
      )}`,
    ];
  if (expects !== undefined) return [expects];
  const words =
    type === 'string'
      ? range(schema.minLength, schema.maxLength, 'character')
      : range(schema.minimum, schema.maximum);
  return words ? [words] : [];
}

function range(min: number | undefined, max: number | undefined, unit?: string): string | false {
  const in_ = (bound: number): string =>
    unit === undefined ? count(bound) : `${count(bound)} ${unit}${bound === 1 ? '' : 's'}`;
  if (min !== undefined && max !== undefined) return `${count(min)} to ${in_(max)}`;
  if (max !== undefined) return `at most ${in_(max)}`;
  return min !== undefined && `at least ${in_(min)}`;
}

/** The keywords of a JSON Schema that the reference reads. The contract's schemas are of this shape. */
export interface JsonSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  /** Text of a pattern in the contract: it completes the sentence "must be …". */
  readonly 'x-expects'?: string;
}
