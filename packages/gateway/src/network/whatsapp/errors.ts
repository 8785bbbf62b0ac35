import { warnOf } from '#kernel';
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

/** What a failure is and where it came from. Its text may quote what the network said, so that no log gets it. */
export function withoutWords(error: unknown): { error: string; code: number | undefined; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, code: undefined, at: [] };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return { error: error.name, code: codeOf(error), at: frames.map((line) => line.trim()) };
}

/**
 * For `catch`: what fails with its connection, or by the word of the network, is expected, and the next connection does it again where it
 * has to be done. Anything else becomes a warning of the process, without the words of the library.
 */
export function unlessCutOff(complaint: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof NetworkError || codeOf(error) !== undefined) return;
    const { error: name, at } = withoutWords(error);
    const wordless = new Error(name);
    wordless.stack = [name, ...at].join('\n    ');
    warnOf(complaint)(wordless);
  };
}
