import Type from 'typebox';
import { expect, test } from 'vitest';
import { createTypeWriter } from './types.ts';

test('declares a titled schema once and refers to it by name', () => {
  const types = createTypeWriter();
  const Pet = Type.Object({ name: Type.String({ description: 'How it is called.' }) }, { title: 'Pet' });
  expect(types.use(Type.Array(Pet))).toBe('Pet[]');
  expect(types.use(Pet)).toBe('Pet');
  expect(types.text()).toBe('export interface Pet {\n  /** How it is called. */\n  name: string;\n}\n');
});

test('converts optional, nullable and listed values', () => {
  const types = createTypeWriter();
  const kind = Type.Enum(['a', 'b'], { type: 'string' });
  const schema = Type.Object({ kind: Type.Optional(kind), at: Type.Union([Type.Integer(), Type.Null()]) });
  expect(types.use(schema)).toBe("{\n  kind?: 'a' | 'b';\n  at: number | null;\n}");
  expect(types.use(Type.Array(kind))).toBe("('a' | 'b')[]");
  expect(types.use(Type.Record(Type.String(), Type.Unknown()))).toBe('Record<string, unknown>');
});

test('allows undefined in optional fields of requests', () => {
  const closed = Type.Object({ a: Type.Optional(Type.Boolean()) }, { additionalProperties: false });
  expect(createTypeWriter().use(closed)).toBe('{\n  a?: boolean | undefined;\n}');
});

test('refuses two different types with one name', () => {
  const types = createTypeWriter();
  types.use(Type.Object({}, { title: 'Pet' }));
  expect(() => types.use(Type.Object({ a: Type.String() }, { title: 'Pet' }))).toThrow(/called Pet/);
});
