import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { drainBody } from './drain.ts';

/**
 * Connections with a file upload in progress, which may take longer than any other request. The file is streamed; memory never holds
 * more than a piece.
 */
const taking = new WeakSet<Socket>();

export function isTakingFile(socket: Socket): boolean {
  return taking.has(socket);
}

/** Adds routes whose body is not parsed. */
export function takeFiles(server: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    add(scope);
  });
}

/** Empty when the request has no body at all. */
export function fileIn(request: FastifyRequest): Readable {
  taking.add(request.socket);
  return request.body instanceof Readable ? request.body : Readable.from([]);
}

/** Call when the file was read, or the rest of it is not needed. */
export function leaveFile(request: FastifyRequest): void {
  drainBody(request, () => taking.delete(request.socket));
}
