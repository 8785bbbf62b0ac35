import Type, { type TSchema } from 'typebox';

/** Example of a schema: its own if it has one, otherwise built from its required parts. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, enum: choices, const: constant }: Hints = schema;
  if (examples?.[0] !== undefined) return examples[0];
  if (constant !== undefined) return constant;
  if (choices?.[0] !== undefined) return choices[0];
  if (Type.IsObject(schema)) {
    const required = Object.entries(schema.properties).filter(([, property]) => !Type.IsOptional(property));
    return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(property)]));
  }
  if (Type.IsArray(schema)) return [exampleOf(schema.items)];
  if (Type.IsUnion(schema) && schema.anyOf[0] !== undefined) return exampleOf(schema.anyOf[0]);
  if (Type.IsBoolean(schema)) return false;
  return Type.IsInteger(schema) || Type.IsNumber(schema) ? 1 : '';
}

type Hints = { examples?: readonly unknown[]; enum?: readonly unknown[]; const?: unknown };
