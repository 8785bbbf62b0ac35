import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { WorldError, type WorldErrorCode } from '../world/index.ts';

/** A request that the control interface itself refuses; the message goes to the caller. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

const worldStatus: Record<WorldErrorCode, number> = {
  bad_request: 400,
  forbidden: 403,
  not_found: 404,
  not_registered: 404,
  not_acceptable: 400,
  conflict: 409,
  gone: 410,
};

/** Our texts for what the HTTP library refuses before a handler runs. */
const libraryText: Record<number, string> = {
  400: 'body is not valid JSON',
  413: 'body is too large',
  415: 'content type must be application/json',
};

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const response = refusalResponse(error) ?? libraryRefusal(error);
  if (!response) request.log.error({ err: error }, 'sandbox request failed');
  const { status, text } = response ?? { status: 500, text: `internal error (request ${request.id})` };
  reply.status(status).send({ error: text });
}

interface ErrorResponse {
  status: number;
  text: string;
}

/** The answer to a refusal; undefined for an internal error. */
export function refusalResponse(error: unknown): ErrorResponse | undefined {
  if (error instanceof WorldError) return { status: worldStatus[error.code], text: error.message };
  if (error instanceof Refusal) return { status: error.status, text: error.message };
  return undefined;
}

function libraryRefusal({ statusCode: status }: FastifyError): ErrorResponse | undefined {
  const text = status === undefined ? undefined : libraryText[status];
  return status !== undefined && text !== undefined ? { status, text } : undefined;
}
