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

/** The network's words: clients get no sentence. */
const WORDS: Readonly<Record<WorldErrorCode, readonly [code: number, word: string]>> = {
  bad_request: [400, 'bad-request'],
  forbidden: [403, 'forbidden'],
  not_found: [404, 'item-not-found'],
  not_registered: [404, 'item-not-found'],
  not_acceptable: [406, 'not-acceptable'],
  conflict: [409, 'conflict'],
  gone: [410, 'gone'],
};

/** The refusal for an error. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof WorldError) return new Refusal(...WORDS[error.code]);
  return new Refusal(500, 'internal-server-error');
}
