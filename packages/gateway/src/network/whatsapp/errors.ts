import { NetworkError, type NetworkErrorKind } from '../errors.ts';

/** Codes of the network's refusals, in the gateway's words. The network's own text is never passed on. */
const REFUSALS: ReadonlyMap<number, readonly [NetworkErrorKind, string]> = new Map([
  [400, ['malformed', 'The network does not accept this request.']],
  [401, ['refused', 'The network does not allow this to the number.']],
  [403, ['refused', 'The network does not allow this to the number.']],
  [404, ['not_found', 'The network does not know what was asked for.']],
  [405, ['malformed', 'The network does not accept this request.']],
  [406, ['malformed', 'The network does not accept this request.']],
  [409, ['refused', 'The network says that this is so already.']],
  [410, ['not_found', 'What was asked for is over.']],
]);

export function offline(): NetworkError {
  return new NetworkError('offline', 'The number is not connected at this moment.');
}

const NO_ANSWER = 'The network did not answer in time.';

export function timedOut(cause?: unknown): NetworkError {
  return new NetworkError('transient', NO_ANSWER, { unanswered: true, cause });
}

export function cutOff(cause: unknown): NetworkError {
  return new NetworkError('transient', NO_ANSWER, { cause });
}

export function refusal(code: number, cause?: unknown): NetworkError {
  const [kind, text] =
    REFUSALS.get(code) ?? (['transient', 'The network could not do it at this moment.'] as const);
  return new NetworkError(kind, text, { code, cause });
}

/** What a failed call becomes. The library throws TypeErrors where an answer did not come in time, so those are taken for that. */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error;
  const code = codeOf(error);
  return code === undefined ? timedOut(error) : refusal(code, error);
}

/** The code in the network's answer comes as `data`; errors of the library itself carry a status. */
export function codeOf(error: unknown): number | undefined {
  const data = property(error, 'data');
  if (typeof data === 'number' && Number.isFinite(data)) return data;
  const status = property(property(error, 'output'), 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Of a value that may be anything, such as an error of the library or an answer of the network. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
