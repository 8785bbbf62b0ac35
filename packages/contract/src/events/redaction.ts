import type Type from 'typebox';
import { CONTENT } from '../schema.ts';
import { EVENT_KINDS, type EventKind } from './kinds.ts';
import { EVENT_SCHEMAS } from './schemas.ts';

/** Treatment of a value in a stored copy: kept, replaced by a marker, or redacted field by field or item by item. */
export type Handling =
  | 'kept'
  | 'content'
  | { readonly fields: { readonly [name: string]: Handling } }
  | { readonly items: Handling };

interface Keywords {
  readonly properties?: Readonly<Record<string, Type.TSchema>>;
  readonly items?: Type.TSchema;
  readonly type?: string;
  readonly [CONTENT]?: boolean;
}

/** Follows the marks of the schema. Unmarked fields are content, so that a forgotten mark hides a field. */
export function handlingOf(schema: Type.TSchema): Handling {
  const { properties, items, type, [CONTENT]: isContent }: Keywords = schema;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, handlingOf(field)] as const);
    return { fields: Object.fromEntries(fields) };
  }
  if (items) return { items: handlingOf(items) };
  // A fixed choice cannot carry content.
  const isChoice = type === 'boolean' || 'const' in schema || 'enum' in schema;
  return isContent === false || isChoice ? 'kept' : 'content';
}

export const HANDLING = Object.fromEntries(
  EVENT_KINDS.map((kind) => [kind, handlingOf(EVENT_SCHEMAS[kind])]),
) as Readonly<Record<EventKind, Handling>>;

/** Marker in place of content in a stored copy. */
export function redactedMarker(bytes: number): string {
  return `[redacted: ${bytes} bytes]`;
}
