import { WorldError, type WorldErrorCode } from '../world/index.ts';

/** The network's own no, with the number that goes on the wire. */
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

/** What a failure says to a client. Only what the world and the wire said on purpose is told in words. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof WorldError) return new Refusal(CODES[error.code], error.message);
  return new Refusal(500, 'internal-server-error');
}
