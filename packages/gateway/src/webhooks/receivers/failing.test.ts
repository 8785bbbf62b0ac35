import { expect, test } from 'vitest';
import { EgressError } from '#platform/egress';
import { causeOfStatus, createFailing, failureOf } from './failing.ts';

const SECOND = 1_000;
const FAILURE = { cause: 'server_error', statusCode: 500 } as const;
const OTHER_FAILURE = { cause: 'timeout', statusCode: null } as const;

test('notes the third failure in a row, with the time of the first', () => {
  const failing = createFailing();
  expect(failing.hasFailed).toBe(false);
  expect(failing.failed(1, FAILURE, undefined)).toBeUndefined();
  expect(failing.hasFailed).toBe(true);
  expect(failing.failed(2, FAILURE, undefined)).toBeUndefined();
  expect(failing.failed(3, FAILURE, undefined)).toEqual({
    ...{ cause: 'server_error', statusCode: 500 },
    ...{ failingSince: 1, failedAt: 3, probeAt: null },
  });
});

test('notes the first failure of a receiver that is left alone', () => {
  expect(createFailing().failed(1, FAILURE, 60)).toMatchObject({ failingSince: 1, probeAt: 60 });
});

test('notes the same failure again after ten seconds, and another one at once', () => {
  const failing = createFailing();
  failing.adopt(0);
  expect(failing.failed(1, FAILURE, 60)).toBeDefined();
  expect(failing.failed(10 * SECOND, FAILURE, 60)).toBeUndefined();
  expect(failing.failed(10 * SECOND + 1, FAILURE, 60)).toMatchObject({ failedAt: 10 * SECOND + 1 });
  expect(failing.failed(10 * SECOND + 2, FAILURE, 70)).toMatchObject({ probeAt: 70 });
  expect(failing.failed(10 * SECOND + 3, { ...FAILURE, statusCode: 502 }, 70)).toMatchObject({
    statusCode: 502,
  });
  expect(failing.failed(10 * SECOND + 4, OTHER_FAILURE, 70)).toMatchObject({ cause: 'timeout' });
});

test('counts from the beginning after a success, which is noted where a failure was', () => {
  const failing = createFailing();
  failing.failed(1, FAILURE, undefined);
  failing.failed(2, FAILURE, undefined);
  expect(failing.succeeded()).toBe(false);
  expect(failing.hasFailed).toBe(false);
  failing.failed(3, FAILURE, undefined);
  expect(failing.failed(4, FAILURE, undefined)).toBeUndefined();
  expect(failing.failed(5, FAILURE, undefined)).toMatchObject({ failingSince: 3 });
  expect(failing.succeeded()).toBe(true);
  expect(failing.succeeded()).toBe(false);
});

test('goes on with the failure that another process has noted', () => {
  const failing = createFailing();
  failing.adopt(null);
  expect(failing.hasFailed).toBe(false);
  failing.adopt(7);
  expect(failing.failed(20, FAILURE, undefined)).toMatchObject({ failingSince: 7, failedAt: 20 });
  expect(failing.succeeded()).toBe(true);
});

test('notes again what could not be written', () => {
  const failing = createFailing();
  expect(failing.failed(1, FAILURE, 60)).toBeDefined();
  failing.notWritten();
  expect(failing.failed(2, FAILURE, 60)).toBeDefined();
  expect(failing.succeeded()).toBe(true);
  failing.notWritten();
  expect(failing.succeeded(), 'the success itself was not written').toBe(true);
});

test.each([
  [200, undefined],
  [299, undefined],
  [300, 'redirect'],
  [399, 'redirect'],
  [400, 'rejected'],
  [401, 'unauthorized'],
  [402, 'rejected'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [405, 'not_found'],
  [410, 'not_found'],
  [429, 'rate_limited'],
  [499, 'rejected'],
  [500, 'server_error'],
])('names the cause of status %i: %s', (status, cause) => {
  expect(causeOfStatus(status)).toBe(cause);
});

test('names the cause of an attempt without an answer, and none of a success', () => {
  expect(failureOf(new EgressError('timeout'))).toEqual({ cause: 'timeout', statusCode: null });
  expect(failureOf(new EgressError('cancelled'))).toEqual({ cause: 'broken_answer', statusCode: null });
  expect(failureOf({ status: 503 })).toEqual({ ...FAILURE, statusCode: 503 });
  expect(failureOf({ status: 204 })).toBeUndefined();
});
