import { expect, test } from 'vitest';
import { inDays } from '../../kernel/clock.ts';
import { isEffective } from './terms.tsx';

const terms = { version: '2026-08', url: 'https://example.com/terms' };

test('puts terms in force at their effective time, or at once when published so', () => {
  const [yesterday, soon, tomorrow] = [inDays(-1), inDays(1 / 86_400), inDays(1)];
  expect(isEffective({ ...terms, published_at: yesterday, effective_at: tomorrow })).toBe(false);
  expect(isEffective({ ...terms, published_at: inDays(-2), effective_at: yesterday })).toBe(true);
  expect(isEffective({ ...terms, published_at: soon, effective_at: soon })).toBe(true);
});
