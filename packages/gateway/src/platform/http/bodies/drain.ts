import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, createSystemClock } from '#kernel';

/** Time limit for reading the rest of a refused body. */
const DRAIN_MS = 10_000;
/** Size limit for it: more than the largest body that any endpoint takes. */
const DRAIN_MAX_BYTES = 128 * 1024 * 1024;
/** Bytes per connection between two pauses, so that refused bodies leave the event loop to served requests. */
const DRAIN_BURST_BYTES = 1024 * 1024;
const DRAIN_PAUSE_MS = 25;
/** Beyond this many at a time, connections with refused bodies close with the response. */
const DRAINS_MAX = 64;
/** Sockets run on the machine's clock. */
const systemClock = createSystemClock();

const draining = new Set<IncomingMessage>();

/**
 * Reads and discards the rest of a body. Closing the connection at once would lose the response for a client that is still writing.
 * Pauses after each MiB. Destroys the connection when the rest is too long or takes too long. Calls `done` once, after either.
 */
export function drainBody(
  { raw }: Pick<FastifyRequest, 'raw'>,
  done: () => void = () => {},
  machineClock: Pick<Clock, 'after'> = systemClock,
): void {
  // A body that was read to its end emits no second end.
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
  // A detached parser has left it paused.
  raw.resume();
}

/** Sends a refusal at once, or, on a connection that closes with it, after the body was read. */
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

/** A client may disconnect in the middle of a refused body. */
function ignoreReset(): void {}
