/** Schema as JSON, independent of the schema library. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
}

export interface TypeWriter {
  /** Type expression of a schema; a titled schema is declared and referred to by name. */
  use(schema: object): string;
  /** Declares a type under this name instead of the schema's title, and returns the name. */
  declare(name: string, schema: object): string;
  /** All declarations so far, sorted by name. */
  text(): string;
}

/** Names in the SDK for titles that clash with browser globals. */
const RENAMED: Readonly<Record<string, string>> = { Event: 'ParleyEvent', Error: 'ErrorAnswer' };

export function createTypeWriter(): TypeWriter {
  const declared = new Map<string, string>();

  function declare(name: string, schema: Schema): string {
    const { title: _, ...untitled } = schema;
    const body = typeOf(untitled);
    const text =
      untitled.properties === undefined
        ? `export type ${name} = ${body};`
        : `export interface ${name} ${body}`;
    const whole = `${comment(schema)}${text}\n`;
    if ((declared.get(name) ?? whole) !== whole) throw new Error(`two different types are called ${name}`);
    declared.set(name, whole);
    return name;
  }

  function typeOf(schema: Schema): string {
    if (schema.title !== undefined) return declare(RENAMED[schema.title] ?? schema.title, schema);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return arrayOf(typeOf(schema.items ?? {}));
      case 'object':
        return schema.properties === undefined ? recordOf(schema) : objectOf(schema);
      default:
        return 'unknown';
    }
  }

  function recordOf({ patternProperties = {} }: Schema): string {
    const [values = {}] = Object.values(patternProperties);
    return `Record<string, ${typeOf(values)}>`;
  }

  function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
    // Closed objects are requests, where an undefined field counts as absent.
    const absent = additionalProperties === false ? ' | undefined' : '';
    const fields = Object.entries(properties).map(([name, property]) => {
      const isRequired = required.includes(name);
      return `${comment(property)}${name}${isRequired ? '' : '?'}: ${typeOf(property)}${isRequired ? '' : absent};`;
    });
    return `{\n${indent(fields.join('\n'))}\n}`;
  }

  return {
    use: (schema) => typeOf(plain(schema)),
    declare: (name, schema) => declare(name, plain(schema)),
    text: () =>
      [...declared]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, text]) => text)
        .join('\n'),
  };
}

/** Description as a comment. */
export function comment({ description, default: standard }: Schema): string {
  const sentences = [description, standard === undefined ? undefined : `Default: ${standard}.`];
  const text = sentences.filter((sentence) => sentence !== undefined).join(' ');
  if (text === '') return '';
  const lines = text.split('\n');
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function plain(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema));
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function arrayOf(type: string): string {
  return /^[\w.]+$/.test(type) ? `${type}[]` : `(${type})[]`;
}
