import { ERRORS, type ErrorCode, errorsOf, type Operation } from '@parley/contract';

/** Errors of requests that reach no operation. */
const OF_ANY_REQUEST: readonly ErrorCode[] = [
  'not_http',
  'host_twice',
  'request_too_slow',
  'headers_too_large',
  'content_type_not_json',
  'not_found',
  'method_not_allowed',
  'shutting_down',
  'store_unreachable',
];

/** Error codes of the SDK's operations, in the order of the registry. */
export function errorCodes(served: readonly Operation[]): string {
  const met = new Set([...OF_ANY_REQUEST, ...served.flatMap((operation) => errorsOf(operation))]);
  const entries = (Object.keys(ERRORS) as ErrorCode[])
    .filter((code) => met.has(code))
    .map((code) => `  '${code}',`);
  return ['export const ERROR_CODES = [', ...entries, '] as const;', ''].join('\n');
}
