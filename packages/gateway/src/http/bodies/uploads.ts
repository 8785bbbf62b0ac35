import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { drainBody } from './drain.ts';

/** Requests whose body is a file. They are handed on as they arrive, in memory never more than a piece. */

/** Connections that a file comes over, which may take longer than any other request. */
const taking = new WeakSet<Socket>();

export function isTakingFile(socket: Socket): boolean {
  return taking.has(socket);
}

/** Adds routes whose body nobody parses. */
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

/** To be called when the file is read, or nobody wants the rest of it. */
export function leaveFile(request: FastifyRequest): void {
  drainBody(request, () => taking.delete(request.socket));
}
