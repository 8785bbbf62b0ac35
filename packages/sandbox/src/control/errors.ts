import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { WorldError, type WorldErrorCode } from '../world/index.ts';

/** A request that the control refuses by itself; the message is what the caller reads. */
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
  conflict: 409,
  gone: 410,
};

/** What the HTTP library refuses before a handler runs, in our words. */
const libraryText: Record<number, string> = {
  400: 'body is not valid JSON',
  413: 'body is too large',
  415: 'content type must be application/json',
};

export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const judged = judge(error) ?? judgeOfLibrary(error);
  if (!judged) request.log.error({ err: error }, 'sandbox request failed');
  const { status, text } = judged ?? { status: 500, text: `internal error (request ${request.id})` };
  reply.status(status).send({ error: text });
}

interface Judged {
  status: number;
  text: string;
}

/** What the caller is told of a refusal; undefined for what is no refusal but a fault of our own. */
export function judge(error: unknown): Judged | undefined {
  if (error instanceof WorldError) return { status: worldStatus[error.code], text: error.message };
  if (error instanceof Refusal) return { status: error.status, text: error.message };
  return undefined;
}

function judgeOfLibrary({ statusCode: status }: FastifyError): Judged | undefined {
  const text = status === undefined ? undefined : libraryText[status];
  return status !== undefined && text !== undefined ? { status, text } : undefined;
}
