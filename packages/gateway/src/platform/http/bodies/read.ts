import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, apiError } from '#kernel';
import { networksOf } from '../callers/networks.ts';
import type { BodyBudget, BodyCharge, BodyHolder } from './budget.ts';

declare module 'fastify' {
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
  interface FastifyRequest {
    /** The body is released when this response ends. */
    answer: ServerResponse;
    bodyCharge: BodyCharge | undefined;
  }
}

/** Makes a server count the bodies that its parsers hold. */
export function countBodies(server: FastifyInstance, budget: BodyBudget): void {
  server.decorate('bodyBudget', budget);
  server.decorateRequest('answer');
  server.decorateRequest('bodyCharge', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    request.answer = reply.raw;
    done();
  });
}

/** Call for every piece of a body before it is kept in memory. Returns an error if the budget does not allow it. */
export function chargeBytes(request: FastifyRequest, bytes: number): ApiError | undefined {
  if (!request.bodyCharge) {
    const charge = request.server.bodyBudget.charge(holderOf(request));
    request.bodyCharge = charge;
    request.answer.once('close', () => charge.release());
  }
  return request.bodyCharge.add(bytes);
}

function holderOf({ caller, routeOptions, ip }: FastifyRequest): BodyHolder {
  if (caller) return { kind: 'account', id: caller.accountId };
  if (routeOptions.config.operation?.surface === 'operator') return { kind: 'operator', id: '' };
  return { kind: 'anonymous', id: networksOf(ip)[0] };
}

type Done = (error: Error | null, text: string) => void;

/** Reads a body into memory, within the limits of its operation and the budget. */
export function readText(request: FastifyRequest, body: Readable, done: Done): void {
  const limit = request.routeOptions.bodyLimit;
  const claimed = Number(request.headers['content-length']);
  if (claimed > limit) {
    done(apiError('body_too_large'), '');
    return;
  }
  const pieces: Buffer[] = [];
  let length = 0;

  function leave(error: Error | null, text = ''): void {
    body.off('data', take).off('end', end).off('error', leave);
    done(error, text);
  }
  function take(piece: Buffer): void {
    length += piece.length;
    const refused = length > limit ? apiError('body_too_large') : chargeBytes(request, piece.length);
    if (refused) leave(refused);
    else pieces.push(piece);
  }
  function end(): void {
    if (claimed >= 0 && claimed !== length) leave(apiError('body_not_json'));
    else leave(null, Buffer.concat(pieces, length).toString());
  }
  body.on('data', take).on('end', end).on('error', leave).resume();
}
