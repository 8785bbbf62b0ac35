import Type, { type Static, type TLiteral, type TObject, type TProperties } from 'typebox';
import { named } from '../schema.ts';
import type { EventCategory, Extension } from './kinds.ts';

/** Properties of an event kind beside its fields. `npm run gen` makes the plain table and rows of docs/webhooks.md from them. */
interface Traits<K extends string, C extends string | null> {
  readonly kind: K;
  readonly category: EventCategory;
  /** Field with the chat; null for events about the number as a whole. */
  readonly chat: C;
  /** Too frequent and short-lived for the delivery history. */
  readonly unrecorded?: true;
  /** Published only to receivers that request this extension. */
  readonly extension?: Extension;
  /** Row of an extension in docs/webhooks.md, in Markdown. */
  readonly guide?: string;
  /** Extension that single events of a kind without one require, each in its own field. */
  readonly partly?: { readonly extension: Extension; readonly when: string; readonly guide: string };
  /** Label in lists of the portal. */
  readonly label: string;
}

export type EventRecord<K extends string, C extends string | null, P extends TProperties> = Traits<K, C> & {
  readonly schema: TObject<{ kind: TLiteral<K> } & P>;
};

/** Defines one event kind. Every field is marked as content, which stored copies omit, or as kept. */
export function eventKind<
  const K extends string,
  P extends TProperties,
  const C extends (keyof P & string) | null,
>({
  title,
  description,
  properties,
  example,
  ...traits
}: Traits<K, C> & {
  title: string;
  description: string;
  properties: P;
  example: NoInfer<Static<TObject<P>>>;
}): EventRecord<K, C, P> {
  const { kind } = traits;
  const schema = named(
    title,
    { kind: Type.Literal(kind), ...properties },
    { description, examples: [{ kind, ...example }] },
  );
  return { ...traits, schema };
}
