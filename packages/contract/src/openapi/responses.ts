import { ERROR_CODE_HEADER, type ErrorCode, sampleError } from '../errors.ts';
import { errorsOf, type Operation, successStatus, successStatuses } from '../operations/operation.ts';
import { ErrorAnswer } from '../resources/index.ts';
import type { Components, JsonSchema } from './components.ts';
import { exampleOf } from './example.ts';

type Responses = Record<string, JsonSchema>;

const SUCCESS_WORDS: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted, and not done yet',
  204: 'Success, no body',
};

const ERROR_WORDS: Record<number, string> = {
  400: 'The request is wrong: a field is invalid, missing, unknown or does not fit the others.',
  401: 'API key missing or invalid.',
  403: 'Not allowed: terms, suspension, permission, ownership, plan, or the network refuses.',
  404: 'There is no such thing.',
  409: 'The state of the number or webhook does not permit it.',
  413: 'The body is too large.',
  416: 'There is no such part.',
  429: 'Rate limit, cooldown, actions in parallel, or quota.',
  500: 'Unexpected error; the text names the request.',
  502: 'The queue or the network could not be reached. Retry, a send with the same Idempotency-Key.',
  503: 'Not at this moment. Retry after the time that the answer names.',
};

/** Responses of an operation: its success, and its errors by status with their exact texts. */
export function responsesOf(operation: Operation, components: Components): Responses {
  const successes = successStatuses(operation).map((status) => [
    status,
    success(operation, status, components),
  ]);
  return {
    ...Object.fromEntries(successes),
    ...(operation.answersRanges && { 206: partOf(operation, successStatus(operation), components) }),
    ...errorResponses(errorsOf(operation), components),
  };
}

function success(
  { answers, answerType, streamType, limits }: Operation,
  status: number,
  components: Components,
): JsonSchema {
  const schema = answers[status];
  const response: JsonSchema = { description: SUCCESS_WORDS[status] };
  if (limits.includes('send')) response.headers = RATE_HEADERS;
  if (schema === null || schema === undefined) return response;
  const example = answerType === undefined ? { example: exampleOf(schema) } : {};
  response.content = {
    [answerType ?? 'application/json']: { schema: components.show(schema), ...example },
    ...(streamType && { [streamType]: { schema: { type: 'string' } } }),
  };
  return response;
}

/** Response to a range request. */
function partOf(operation: Operation, status: number, components: Components): JsonSchema {
  return { ...success(operation, status, components), description: 'The part that `Range` asks for' };
}

function errorResponses(codes: readonly ErrorCode[], components: Components): Responses {
  const byStatus = Map.groupBy(codes.map(sampleError), ({ status }) => status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, errors]) => {
      const examples = errors.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]);
      const response: JsonSchema = {
        description: ERROR_WORDS[status] ?? 'Error',
        content: {
          'application/json': {
            schema: components.show(ErrorAnswer),
            examples: Object.fromEntries(examples),
          },
        },
      };
      response.headers = {
        ...errorCodeHeader(errors.map(({ code }) => code)),
        ...(errors.some((error) => error.retryAfterSeconds !== undefined) && RETRY_HEADER),
      };
      return [String(status), response];
    }),
  );
}

/** Exact text of every error that the given operations can answer; responses refer to these. */
export function errorExamples(operations: readonly Operation[]): Record<string, JsonSchema> {
  const codes = new Set(operations.flatMap(errorsOf));
  return Object.fromEntries(
    [...codes]
      .sort()
      .map((code) => [code, { value: { error: sampleError(code).text } satisfies ErrorAnswer }]),
  );
}

const wholeSeconds = { type: 'integer', minimum: 0 };

function errorCodeHeader(codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const description = 'Stable name of the error; the sentence in the body may carry values.';
  return { [ERROR_CODE_HEADER]: { description, schema: { type: 'string', enum: codes } } };
}

const RETRY_HEADER = {
  'Retry-After': {
    description: 'Seconds to wait. Absent for an exhausted quota: waiting does not help.',
    schema: wholeSeconds,
  },
};

const RATE_HEADERS = {
  'RateLimit-Limit': { description: 'Size of the tightest limit.', schema: wholeSeconds },
  'RateLimit-Remaining': { description: 'What is left of it.', schema: wholeSeconds },
  'RateLimit-Reset': { description: 'Seconds until it is full again.', schema: wholeSeconds },
};
