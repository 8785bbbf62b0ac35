import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_CODE_HEADER, type ERRORS, type ErrorCode, publicError } from '@parley/contract';
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { createSystemClock, Fault, fault, faultBecause, type Ids } from '#kernel';
import { sendRefusal } from './bodies/drain.ts';
import { isTakingFile } from './bodies/uploads.ts';
import type { RequestGate } from './callers/request-gate.ts';
import { nameRequest, REQUEST_ID } from './request-id.ts';

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** How a refusal leaves. */
export type ErrorShape = (refused: Fault) => { readonly status?: number; readonly body: unknown };

const ownShape: ErrorShape = ({ status, message }) => ({ status, body: { error: message } });

/** Every error on every surface of our own leaves as `{"error": "<short description>"}`; what led to it goes to the log only. */
export function createErrorAnswerer({
  log,
  translate = () => undefined,
  onResponse,
  shape = ownShape,
}: {
  log: Pick<FastifyBaseLogger, 'error'>;
  translate: ((error: unknown) => Fault | undefined) | undefined;
  onResponse: RequestGate['onResponse'];
  shape?: ErrorShape;
}): AnswerError {
  return (error, request, reply) => {
    const answer =
      knownFault(error, request) ??
      brokenOff(error, request) ??
      translate(error) ??
      unknownFault(error, request.id);
    if (answer.status >= 500) {
      log.error({ err: answer.cause ?? answer, requestId: request.id, error: answer.code }, 'request failed');
    }
    // What the framework refuses by itself has passed no hook.
    nameRequest(request, reply);
    // The framework closes the connection; here the body is read, and the connection goes on.
    reply.removeHeader('connection');
    reply.header(ERROR_CODE_HEADER, answer.code);
    if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds);
    const { status = answer.status, body } = shape(answer);
    reply.status(status).type('application/json; charset=utf-8');
    onResponse(request, reply, askedFor(request), { error: answer.message });
    sendRefusal(request, reply, () => reply.send(JSON.stringify(body)));
  };
}

function askedFor({ routeOptions: { config } }: FastifyRequest): string {
  return config.operation?.id ?? config.foreign ?? (config.page ? 'page' : 'unknown');
}

function knownFault(error: unknown, { routeOptions }: FastifyRequest): Fault | undefined {
  if (error instanceof Fault) return error;
  const code = FRAMEWORK_ERRORS[(error as Partial<FastifyError>)?.code ?? ''];
  const isFile = code === 'content_type_not_json' && routeOptions.config.operation?.takesFile;
  return code && fault(isFile ? 'media_type_invalid' : code);
}

/** The client went away in the middle of its body: nobody will read the answer, and nothing is wrong here. */
function brokenOff(error: unknown, { raw }: FastifyRequest): Fault | undefined {
  const isReset = (error as Partial<NodeJS.ErrnoException>)?.code === 'ECONNRESET';
  return isReset && raw.destroyed && !raw.complete ? fault('body_not_json') : undefined;
}

function unknownFault(error: unknown, requestId: string): Fault {
  return faultBecause(error, 'internal_error', { requestId });
}

type PlainErrorCode = {
  [C in ErrorCode]: (typeof ERRORS)[C] extends { text: string } ? C : never;
}[Exclude<
  ErrorCode,
  'session_rate_exceeded' | 'account_rate_exceeded' | 'cooldown' | 'test_send_too_soon' | 'sign_in_too_often'
>];

/** What the HTTP framework throws for bad input, in our words. */
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

/** For the answer to be read. Who then still holds the connection would hold it for ever, and with it a descriptor of ours. */
const FAREWELL_MS = 1_000;
/** Sockets live by the machine's time. */
const machineClock = createSystemClock();

/** Answers what Node.js refuses before the framework sees a request, and closes the connection, whatever the other side does. */
export function createSocketErrorAnswerer(ids: Pick<Ids, 'request'>) {
  return (error: Error & { code?: string }, socket: Socket): void =>
    answerSocketError(error, socket, ids.request());
}

function answerSocketError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  // Whoever takes a file watches over it.
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
  const farewell = machineClock.after(FAREWELL_MS, () => socket.destroy());
  socket.once('close', () => farewell.cancel());
}
