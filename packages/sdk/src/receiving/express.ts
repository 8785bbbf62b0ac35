import { readBody } from './raw-body.ts';
import type { Receive } from './receive.ts';
import type { WebhookHeaders } from './verify.ts';

/** The parts of Express's and Node.js's own requests and responses that are used here. */
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

/** As `express.raw()` or `express.text()` left it, else straight from the connection; null when it is too large. */
async function rawBodyOf(request: NodeRequest): Promise<string | Uint8Array | null> {
  const { body } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body !== undefined && body !== null) {
    throw new TypeError('the body was parsed already: put the webhook before express.json()');
  }
  return readBody(request);
}
