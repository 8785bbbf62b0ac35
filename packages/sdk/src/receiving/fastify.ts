import { BODY_LIMIT_BYTES, readBody } from './raw-body.ts';
import type { Receive } from './receive.ts';
import type { WebhookHeaders } from './verify.ts';

/** Used parts of Fastify. */
export interface FastifyLike {
  removeContentTypeParser(type: string): unknown;
  addContentTypeParser(
    type: string,
    options: { bodyLimit: number },
    parse: (request: unknown, connection: AsyncIterable<unknown>) => Promise<Uint8Array | null>,
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

/** A plugin, which encapsulates its parser of bodies. */
export function fastifyPlugin(receive: Receive) {
  return async (app: FastifyLike, { path = '/' }: { readonly path?: string } = {}): Promise<void> => {
    const limits = { bodyLimit: BODY_LIMIT_BYTES };
    app.removeContentTypeParser(JSON_TYPE);
    app.addContentTypeParser(JSON_TYPE, limits, (_request, connection) => readBody(connection));
    app.post(path, limits, async ({ body, headers }, reply) => {
      if (!(body instanceof Uint8Array)) return reply.code(413).send();
      const given: WebhookHeaders = headers;
      const { status } = await receive(body, given);
      return reply.code(status).send();
    });
  };
}
