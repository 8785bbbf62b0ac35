import { warnOf } from '#kernel';
import { NetworkError, type NetworkErrorKind } from '../errors.ts';

/** Refusal codes of the network with our error kinds and texts. The network's own text is never passed on. */
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

/**
 * Maps an error to a `NetworkError`. The library throws a TypeError where an answer timed out, so that counts as
 * a timeout.
 */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error;
  const code = codeOf(error);
  return code === undefined ? timedOut(error) : refusal(code, error);
}

/** The code of a network answer is in `data`; errors of the library itself have a status. */
export function codeOf(error: unknown): number | undefined {
  const data = property(error, 'data');
  if (typeof data === 'number' && Number.isFinite(data)) return data;
  const status = property(property(error, 'output'), 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Reads a property of an unknown value, such as an error of the library or an answer of the network. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Describes an error without its message, which may quote the network and must not reach a log. */
export function withoutWords(error: unknown): { error: string; code: number | undefined; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, code: undefined, at: [] };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return { error: error.name, code: codeOf(error), at: frames.map((line) => line.trim()) };
}

/**
 * Handler for `catch`. Ignores failures of the connection and refusals of the network: the next connection
 * repeats what is still needed. Any other error becomes a process warning without the library's message.
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

export function unknownRecipient(cause?: unknown): NetworkError {
  const text = 'The network does not know the recipient.';
  return new NetworkError('permanent', text, { failure: 'invalid_recipient', cause });
}

/** For requests in which only the recipient can be unknown to the network. */
export function recipientError(error: NetworkError): NetworkError {
  return error.kind === 'not_found' ? unknownRecipient(error) : error;
}

/** Every query on the way to the socket is about the recipients. */
export function aboutRecipient<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw recipientError(toNetworkError(error));
  });
}

export function notAdmin(): NetworkError {
  return new NetworkError('refused', 'Only an admin of the group may delete what other members wrote.');
}

/**
 * The network does not let this number write to this person, who has never written to it; a retry counts against
 * the number.
 */
export const RESTRICTED = 463;
/** The number has used up its new chats of the current cycle. */
export const NEW_CHATS_CAPPED = 475;
/** The group changed how its members are addressed. */
export const STALE_GROUP = 421;
/** The network rejects the stanza: it has a wrong address, or is for devices that are gone. */
export const UNACCEPTABLE = 479;

export function ackError(code: number): NetworkError {
  switch (code) {
    case RESTRICTED:
      return new NetworkError('permanent', 'The network does not let this number start new chats.', { code });
    case NEW_CHATS_CAPPED:
      return new NetworkError('permanent', 'The number has used up its new chats for now.', { code });
    case UNACCEPTABLE:
    case STALE_GROUP:
      return new NetworkError('permanent', 'The network does not accept this message.', { code });
    default:
      return refusal(code);
  }
}
