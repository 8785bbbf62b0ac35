import { readBody } from './raw-body.ts';
import type { Receive } from './receive.ts';
import type { WebhookHeaders } from './verify.ts';

/** Used parts of requests and responses of Express and Node.js. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
}
export interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

export function expressHandler(receive: Receive) {
  return async (
    request: NodeRequest,
    response: NodeResponse,
    next?: (error: unknown) => void,
  ): Promise<void> => {
    try {
      const headers: WebhookHeaders = request.headers;
      const body = await rawBodyOf(request);
      response.statusCode = body === null ? 413 : (await receive(body, headers)).status;
      response.end();
    } catch (error) {
      if (next) return next(error);
      response.statusCode = 500;
      response.end();
      throw error;
    }
  };
}

/** Body from `express.raw()` or `express.text()`, otherwise from the connection; null when it is too large. */
async function rawBodyOf(request: NodeRequest): Promise<string | Uint8Array | null> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body !== undefined && body !== null) {
    throw new TypeError('the body was parsed already: put the webhook before express.json()');
  }
  return readBody(request);
}
