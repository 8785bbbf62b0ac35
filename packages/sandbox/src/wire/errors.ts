import { WorldError, type WorldErrorCode } from '../world/index.ts';

/** A refusal of the network, with its code on the wire. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

const CODES: Readonly<Record<WorldErrorCode, number>> = {
  bad_request: 400,
  forbidden: 403,
  not_found: 404,
  not_registered: 404,
  conflict: 409,
  gone: 410,
};

/** The refusal for an error. Only messages of the world and of the wire themselves reach the client. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof WorldError) return new Refusal(CODES[error.code], error.message);
  return new Refusal(500, 'internal-server-error');
}
