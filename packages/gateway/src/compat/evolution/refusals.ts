import type { Complaint } from '@parley/contract';
import { type ForeignAnswer, ForeignRefusal } from '#http';
import type { Fault } from '#kernel';

/** The words that go with a status where this interface names them. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** A fault of ours as this interface tells errors. Statuses that it does not know keep their number: what they say is more than it could. */
export function refusalOf({ status, message }: Fault): ForeignAnswer {
  const said = status === 401 ? 'Unauthorized' : status >= 500 ? message : [message];
  return shaped(status, said);
}

export function badRequest(...messages: string[]): ForeignRefusal {
  return refuse(400, messages);
}

/** As the validation of this interface words it: the messages stand in a list of their own. */
export function invalid(...messages: string[]): ForeignRefusal {
  return refuse(400, [messages]);
}

/** What a schema has against a request. The validation of this interface has a sentence of its own for what is missing. */
export function invalidInput({ field, text }: Complaint): ForeignRefusal {
  return invalid(text.endsWith(' is required') ? `instance requires property "${field}"` : text);
}

export function forbidden(message: string): ForeignRefusal {
  return refuse(403, [message]);
}

export function notFound(message: string): ForeignRefusal {
  return refuse(404, [message]);
}

export function tooMany(message: string): ForeignRefusal {
  return refuse(429, [message]);
}

/** Nobody reads the answer any more: what is left to do for it is not done. */
export function stopWhenLeft({ signal }: { readonly signal: AbortSignal }): void {
  if (signal.aborted) throw refuse(CALLER_HAS_LEFT, ['the caller has left']);
}

/** As proxies write it in their logs. */
const CALLER_HAS_LEFT = 499;

function refuse(status: number, message: readonly (string | readonly string[])[]): ForeignRefusal {
  const { body } = shaped(status, message);
  return new ForeignRefusal(status, body, message.flat().join('; '));
}

function shaped(status: number, message: unknown): ForeignAnswer {
  return { status, body: { status, error: TITLES[status] ?? 'Error', response: { message } } };
}
