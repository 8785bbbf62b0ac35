import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEND_KINDS } from './kinds.ts';
import { parseSend } from './parse.ts';
import { accepted, samples, toGroup } from './samples.fixture.ts';

describe('any body', () => {
  const fields = [
    ...new Set(Object.values(SEND_KINDS).flatMap(({ schema }) => Object.keys(schema.properties))),
  ];
  const plausible = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      '',
      '15550002001',
      toGroup.to,
      'https://a.example/b.webp',
      'image',
      'text',
      'M1',
      true,
      0,
      1,
    ),
    fc.constantFrom<unknown>(...Object.values(samples).flatMap((sample) => Object.values(sample))),
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...fields), plausible),
    fc
      .tuple(fc.constantFrom(...Object.values(samples)), fc.dictionary(fc.constantFrom(...fields), plausible))
      .map(([sample, noise]) => ({ ...sample, ...noise })),
  );

  test('is accepted or refused with a sentence that names a field, and never throws', () => {
    fc.assert(
      fc.property(body, (value) => {
        const result = parseSend(value);
        if (result.ok) {
          expect(SEND_KINDS).toHaveProperty(result.send.kind);
        } else {
          expect(result.field).not.toBe('');
          expect(result.text).toContain(result.field);
          expect(result.text).not.toMatch(/is not valid|undefined/);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('is accepted again unchanged after it was accepted, without changes to the input', () => {
    fc.assert(
      fc.property(body, (value) => {
        const copy = structuredClone(value);
        const first = parseSend(value);
        expect(value).toEqual(copy);
        if (!first.ok) return;
        const { kind, ...again } = first.send;
        expect(accepted(again)).toEqual(first.send);
      }),
      { numRuns: 3000 },
    );
  });
});
