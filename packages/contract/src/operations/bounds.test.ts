import Type from 'typebox';
import { describe, expect, it, test } from 'vitest';
import { REQUEST_BODY_MAX_BYTES } from '../limits.ts';
import { closed, line } from '../schema.ts';
import { admittedCallers, bodyLimit, longestJson, pageLimit } from './bounds.ts';
import { type Operation, operations } from './index.ts';

const all = Object.entries<Operation>(operations);
const KIB = 1024;

function answersList({ method, answers }: Operation): boolean {
  const [answer] = Object.values(answers);
  if (method !== 'GET' || !answer || !Type.IsObject(answer)) return false;
  return Object.values(answer.properties).some(
    (field) => Type.IsArray(field) && (field as { maxItems?: number }).maxItems === undefined,
  );
}

describe('every operation', () => {
  test.each(all)('bounds the body of %s', (_id, operation) => {
    const limit = bodyLimit(operation);
    expect(limit).toBeGreaterThanOrEqual(4 * KIB);
    if (!operation.takesFile) expect(limit).toBeLessThanOrEqual(REQUEST_BODY_MAX_BYTES);
  });

  test.each(all)('authenticates %s before its body is read', (_id, operation) => {
    expect(admittedCallers(operation)).not.toMatch(/undefined/);
  });

  it('has pages, or declares what bounds its list', () => {
    const whole = all.filter(
      ([, each]) => answersList(each) && pageLimit(each) === undefined && each.listBound === undefined,
    );
    expect(whole.map(([id]) => id)).toEqual([]);
  });

  it('declares no other bound where it has pages', () => {
    const both = all.filter(([, each]) => each.listBound && pageLimit(each) !== undefined);
    expect(both.map(([id]) => id)).toEqual([]);
  });
});

describe('the limit of a body', () => {
  it('is small for an unauthenticated caller, and larger for a key', () => {
    expect(bodyLimit(operations.signIn)).toBe(4 * KIB);
    expect(bodyLimit(operations.signOut)).toBe(4 * KIB);
    expect(bodyLimit(operations.setTyping)).toBe(16 * KIB);
    const ofStrangers = all.filter(([, { surface }]) =>
      ['portal_entrance', 'signed', 'public'].includes(surface),
    );
    for (const [id, each] of ofStrangers) expect(bodyLimit(each), id).toBeLessThanOrEqual(128 * KIB);
  });

  it('fits the longest body that a schema allows, with every character escaped', () => {
    const schema = closed({
      name: line(40),
      tags: Type.Array(line(10), { maxItems: 3 }),
      on: Type.Boolean(),
    });
    const longest = { name: '\u0001'.repeat(40), tags: Array(3).fill('\u0001'.repeat(10)), on: false };
    expect(longestJson(schema)).toBeGreaterThanOrEqual(JSON.stringify(longest).length);
  });

  it('never exceeds the limit of all requests', () => {
    const of = (body: Type.TSchema): number => bodyLimit({ ...operations.nameNumber, body } as Operation);
    for (const body of [Type.Array(line(10)), Type.Unknown(), line(10_000_000)])
      expect(of(body)).toBe(REQUEST_BODY_MAX_BYTES);
  });
});
