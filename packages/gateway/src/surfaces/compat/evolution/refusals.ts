import type { Complaint } from '@parley/contract';
import type { ApiError } from '#kernel';
import { CompatError, type CompatResponse } from '#platform/http';

/** Error names of the statuses that this interface knows. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/**
 * Converts one of our errors to the format of this interface. Statuses that the interface does not know are kept, because they say more.
 */
export function refusalOf({ status, message }: ApiError): CompatResponse {
  const said = status === 401 ? 'Unauthorized' : status >= 500 ? message : [message];
  return shaped(status, said);
}

export function badRequest(...messages: string[]): CompatError {
  return refuse(400, messages);
}

/** Validation error of this interface, which lists its messages in a nested array. */
export function invalid(...messages: string[]): CompatError {
  return refuse(400, [messages]);
}

/** Messages of a schema violation. This interface has a sentence of its own for missing fields. */
export function invalidInput({ field, text }: Complaint): CompatError {
  return invalid(text.endsWith(' is required') ? `instance requires property "${field}"` : text);
}

export function forbidden(message: string): CompatError {
  return refuse(403, [message]);
}

export function notFound(message: string): CompatError {
  return refuse(404, [message]);
}

export function tooMany(message: string): CompatError {
  return refuse(429, [message]);
}

/** Stops the remaining work of a request whose client has disconnected. */
export function stopWhenLeft({ signal }: { readonly signal: AbortSignal }): void {
  if (signal.aborted) throw refuse(CALLER_HAS_LEFT, ['the caller has left']);
}

/** Status that proxies log for a client that has disconnected. */
const CALLER_HAS_LEFT = 499;

function refuse(status: number, message: readonly (string | readonly string[])[]): CompatError {
  const { body } = shaped(status, message);
  return new CompatError(status, body, message.flat().join('; '));
}

function shaped(status: number, message: unknown): CompatResponse {
  return { status, body: { status, error: TITLES[status] ?? 'Error', response: { message } } };
}
