import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, createSystemClock } from '#kernel';

/** How long the rest of a refused body is read. */
const DRAIN_MS = 10_000;
/** How much of it is read: more than the largest body that any endpoint takes. */
const DRAIN_MAX_BYTES = 128 * 1024 * 1024;
/** Bytes of one connection between two pauses, so that refused bodies leave the event loop to requests that are served. */
const DRAIN_BURST_BYTES = 1024 * 1024;
const DRAIN_PAUSE_MS = 25;
/** More refused bodies than this at a time are not read: their connections close with the answer. */
const DRAINS_MAX = 64;
/** Sockets live by the machine's time. */
const systemClock = createSystemClock();

const draining = new Set<IncomingMessage>();

/**
 * Reads the rest of a body and keeps nothing of it. Closing the connection at once would take the answer away from a client that is still
 * writing. Pauses after each MiB. Destroys the connection when the rest is too long or takes too long. Calls `done` once, after either.
 */
export function drainBody(
  { raw }: Pick<FastifyRequest, 'raw'>,
  done: () => void = () => {},
  machineClock: Pick<Clock, 'after'> = systemClock,
): void {
  // A body that has been read to its end announces no other.
  if (raw.complete || raw.readableEnded || raw.destroyed) {
    done();
    return;
  }
  let isDone = false;
  const finish = (): void => {
    if (!isDone) done();
    isDone = true;
  };
  raw.once('end', finish).once('close', finish);
  if (draining.has(raw)) return;
  draining.add(raw);
  let left = DRAIN_MAX_BYTES;
  let burst = 0;
  const deadline = machineClock.after(DRAIN_MS, () => raw.destroy());
  const stop = (): void => {
    draining.delete(raw);
    deadline.cancel();
  };
  raw.once('end', stop).once('close', stop).on('error', ignoreReset);
  raw.on('data', (piece: Buffer) => {
    left -= piece.length;
    burst += piece.length;
    if (left < 0) raw.destroy();
    else if (burst >= DRAIN_BURST_BYTES) {
      burst = 0;
      raw.pause();
      machineClock.after(DRAIN_PAUSE_MS, () => raw.resume());
    }
  });
  // A parser that was taken off it has left it paused.
  raw.resume();
}

/** Sends a refusal at once, or, on a connection that closes with it, when the body has been read. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  if (!hasBody(request)) {
    send();
    return;
  }
  if (draining.size >= DRAINS_MAX && !draining.has(request.raw)) {
    reply.header('Connection', 'close');
    send();
    return;
  }
  const closes = !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close';
  if (!closes) {
    drainBody(request);
    send();
    return;
  }
  drainBody(request, send);
}

function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** A client may leave in the middle of a body that was refused. */
function ignoreReset(): void {}
