import { BODY_LIMIT_BYTES } from './express.ts';
import type { Receive } from './receive.ts';
import type { WebhookHeaders } from './verify.ts';

/** The parts of Fastify that are used here. */
export interface FastifyLike {
  removeContentTypeParser(type: string): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: never, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(
    path: string,
    options: { bodyLimit: number },
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}
interface FastifyRequestLike {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}
interface FastifyReplyLike {
  code(status: number): { send(): unknown };
}

const JSON_TYPE = 'application/json';

/** A plugin: what it changes about bodies stays inside of it. */
export function fastifyPlugin(receive: Receive) {
  return async (app: FastifyLike, { path = '/' }: { readonly path?: string } = {}): Promise<void> => {
    const limits = { bodyLimit: BODY_LIMIT_BYTES };
    app.removeContentTypeParser(JSON_TYPE);
    app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer', ...limits }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, limits, async ({ body, headers }, reply) => {
      const given: WebhookHeaders = headers;
      const { status } = await receive(body instanceof Uint8Array ? body : '', given);
      return reply.code(status).send();
    });
  };
}
