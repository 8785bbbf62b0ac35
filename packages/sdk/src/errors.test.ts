import { ERRORS, type ErrorCode, errorsOf, type Operation, operations, sampleError } from '@parley/contract';
import { expect, test } from 'vitest';
import { codeOf } from './errors.ts';

const served = Object.values<Operation>(operations).filter(
  ({ surface }) => surface === 'v1' || surface === 'operator',
);
const codes = new Set<ErrorCode>(served.flatMap((operation) => errorsOf(operation)));

test.each([...codes, 'not_found', 'shutting_down', 'store_unreachable'] as ErrorCode[])(
  '%s is known by its sentence',
  (code) => {
    const { status, text } = sampleError(code);
    expect(codeOf(status, text)).toBe(code);
  },
);

test('a value in a sentence may be anything', () => {
  expect(codeOf(403, 'plan partner does not include (group) invites')).toBe('plan_lacks_feature');
  expect(codeOf(400, 'picture_url does not point to a video')).toBe('media_of_another_type');
  expect(codeOf(400, 'poll_options[2] must be a string')).toBe('invalid_field');
});

test('a sentence of a later version is unknown, with whatever status it comes', () => {
  expect(codeOf(409, 'moon is full')).toBe('unknown');
  expect(codeOf(404, ERRORS.session_not_owned.text)).toBe('unknown');
});
