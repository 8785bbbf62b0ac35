import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_CODE_HEADER, type ERRORS, type ErrorCode, publicError } from '@parley/contract';
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, apiError, apiErrorFrom, createSystemClock, type Ids } from '#kernel';
import { sendRefusal } from './bodies/drain.ts';
import { isTakingFile } from './bodies/uploads.ts';
import type { RequestLifecycle } from './callers/request-lifecycle.ts';

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Renders an error response. */
export type ErrorShape = (refused: ApiError) => { readonly status?: number; readonly body: unknown };

const ownShape: ErrorShape = ({ status, message }) => ({ status, body: { error: message } });

/** All our own surfaces answer errors as `{"error": "<short description>"}`; the cause goes to the log only. */
export function createErrorAnswerer({
  log,
  translate = () => undefined,
  onResponse,
  shape = ownShape,
}: {
  log: Pick<FastifyBaseLogger, 'error'>;
  translate: ((error: unknown) => ApiError | undefined) | undefined;
  onResponse: RequestLifecycle['onResponse'];
  shape?: ErrorShape;
}): AnswerError {
  return (error, request, reply) => {
    const answer =
      knownFault(error, request) ??
      aborted(error, request) ??
      translate(error) ??
      unknownFault(error, request.id);
    if (answer.status >= 500) log.error(failureLine(answer, request), 'request failed');
    // Errors from the framework itself have passed no hook.
    nameRequest(request, reply);
    // The framework would close the connection; here the body is read, and the connection stays open.
    reply.removeHeader('connection');
    reply.header(ERROR_CODE_HEADER, answer.code);
    if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds);
    const { status = answer.status, body } = shape(answer);
    reply.status(status).type('application/json; charset=utf-8');
    onResponse(request, reply, askedFor(request), { error: answer.message });
    sendRefusal(request, reply, () => reply.send(JSON.stringify(body)));
  };
}

function failureLine(answer: ApiError, request: FastifyRequest): object {
  const accountId = (request.keyHolder ?? request.caller)?.accountId;
  return {
    requestId: request.id,
    operation: askedFor(request),
    status: answer.status,
    error: answer.code,
    ...(accountId !== undefined && { accountId }),
    err: answer.cause ?? answer,
  };
}

function askedFor({ routeOptions: { config } }: FastifyRequest): string {
  return config.operation?.id ?? config.foreign ?? (config.page ? 'page' : 'unknown');
}

function knownFault(error: unknown, { routeOptions }: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const code = FRAMEWORK_ERRORS[(error as Partial<FastifyError>)?.code ?? ''];
  const isFile = code === 'content_type_not_json' && routeOptions.config.operation?.takesFile;
  return code && apiError(isFile ? 'media_type_invalid' : code);
}

/** The client closed the connection in the middle of its body: no response is needed, and this is no failure. */
function aborted(error: unknown, { raw }: FastifyRequest): ApiError | undefined {
  const isReset = (error as Partial<NodeJS.ErrnoException>)?.code === 'ECONNRESET';
  return isReset && raw.destroyed && !raw.complete ? apiError('body_not_json') : undefined;
}

function unknownFault(error: unknown, requestId: string): ApiError {
  return apiErrorFrom(error, 'internal_error', { requestId });
}

type PlainErrorCode = {
  [C in ErrorCode]: (typeof ERRORS)[C] extends { text: string } ? C : never;
}[Exclude<
  ErrorCode,
  'session_rate_exceeded' | 'account_rate_exceeded' | 'cooldown' | 'test_send_too_soon' | 'sign_in_too_often'
>];

/** The framework's errors for bad input, with our codes. */
const FRAMEWORK_ERRORS: Record<string, PlainErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'body_not_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body_not_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body_not_json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'content_type_not_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_NOT_FOUND: 'not_found',
};

const SOCKET_ERRORS: Record<string, PlainErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
};

/** Time for the client to read the response. A client that keeps the connection longer would hold a descriptor indefinitely. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Sockets run on the machine's clock. */
const machineClock = createSystemClock();

/** Answers requests that Node.js refuses before the framework sees them, and closes the connection. */
export function createSocketErrorAnswerer(ids: Pick<Ids, 'request'>) {
  return (error: Error & { code?: string }, socket: Socket): void =>
    answerSocketError(error, socket, ids.request());
}

function answerSocketError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  // The file upload has its own time limit.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isTakingFile(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, status, text } = publicError(SOCKET_ERRORS[error.code ?? ''] ?? 'not_http');
  const body = JSON.stringify({ error: text });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${requestId}`,
    `${ERROR_CODE_HEADER}: ${code}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const farewell = machineClock.after(CLOSE_TIMEOUT_MS, () => socket.destroy());
  socket.once('close', () => farewell.cancel());
}

const REQUEST_ID = 'X-Request-Id';
/** Characters that are unambiguous in a log. */
const ALLOWED = /^[A-Za-z0-9_-]{1,64}$/;

/** Request id given by the caller, such as one of a distributed trace. */
export function ownRequestId(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-request-id'];
  return typeof own === 'string' && ALLOWED.test(own) ? own : undefined;
}

/** Returns the request id to the client in a header. */
export function nameRequest({ id }: Pick<FastifyRequest, 'id'>, reply: FastifyReply): void {
  reply.header(REQUEST_ID, id);
}
