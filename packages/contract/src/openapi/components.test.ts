import Type from 'typebox';
import { expect, test } from 'vitest';
import { CONTENT, named } from '../schema.ts';
import { createComponents } from './components.ts';

const Ada = named('Ada', { name: Type.String() });

test('makes one component of a titled schema and refers to it', () => {
  const { show, schemas } = createComponents();
  const Zoe = named('Zoe', { friend: Ada, friends: Type.Array(Ada) });
  const ref = { $ref: '#/components/schemas/Ada' };
  expect(show(Type.Union([Zoe, Ada]))).toEqual({ anyOf: [{ $ref: '#/components/schemas/Zoe' }, ref] });
  expect(Object.keys(schemas())).toEqual(['Ada', 'Zoe']);
  expect(schemas().Zoe).toMatchObject({
    properties: { friend: ref, friends: { type: 'array', items: ref } },
  });
});

test('refuses two different schemas with one title', () => {
  const { show } = createComponents();
  show(Ada);
  expect(() => show(named('Ada', { name: Type.String() }))).not.toThrow();
  expect(() => show(named('Ada', { name: Type.Number() }))).toThrow('titled Ada');
});

test('omits keywords of the validation', () => {
  expect(createComponents().show(Type.String({ maxLength: 5, [CONTENT]: true }))).toEqual({
    type: 'string',
    maxLength: 5,
  });
});
