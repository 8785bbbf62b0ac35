import type { FastifyRequest } from 'fastify';
import type { Caller, Soon } from './caller.ts';
import type { RequestGate } from './request-gate.ts';

/** Callbacks instead of promises: a key that is known costs no turn of the event loop. */
export function admit(
  request: FastifyRequest,
  gate: RequestGate,
  authenticate: () => Soon<Caller | undefined>,
  done: (error?: Error) => void,
): void {
  const enter = (caller: Caller | undefined): void => {
    request.caller = caller;
    done();
  };
  let found: Soon<Caller | undefined>;
  try {
    gate.enter(request);
    found = authenticate();
  } catch (error) {
    done(error as Error);
    return;
  }
  if (found instanceof Promise) found.then(enter, done);
  else enter(found);
}
