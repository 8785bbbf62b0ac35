import type { EventKind, ParleyEvent } from '../generated/types.ts';
import { systemPlatform } from '../platform.ts';
import type { EventOf } from '../stream.ts';
import { expressHandler } from './express.ts';
import { fastifyPlugin } from './fastify.ts';
import type { Receive } from './receive.ts';
import {
  openDelivery,
  type SigningSecret,
  secretsOf,
  type VerifiedDelivery,
  WebhookVerificationError,
} from './verify.ts';

/** Where an event goes: to the handler of its kind, and to `any` if there is one. */
export type WebhookHandlers = {
  readonly [K in EventKind]?: (event: EventOf<K>, delivery: VerifiedDelivery) => unknown;
} & {
  readonly any?: (event: ParleyEvent, delivery: VerifiedDelivery) => unknown;
};

export interface ReceiverOptions {
  /** The signing secret; a list of two while it is being rotated. */
  readonly secret: SigningSecret;
  readonly on: WebhookHandlers;
  /** The time that signatures are compared with, in epoch milliseconds; the machine's own unless told. For tests. */
  readonly now?: (() => number) | undefined;
}

/** The receiving end of webhooks, with a door for each kind of server. */
export type WebhookReceiver = ReturnType<typeof createWebhookReceiver>;

/**
 * Verifies each request, hands its event to your handlers, and answers when they are done: 204, or 401 for a wrong signature. When a handler
 * throws, the server's own error answer makes the gateway deliver the event again later.
 */
export function createWebhookReceiver({ secret, on, now = systemPlatform.now }: ReceiverOptions) {
  const secrets = secretsOf(secret);
  const receive: Receive = async (rawBody, headers) => {
    const delivery = await openDelivery(rawBody, headers, secrets, now() / 1_000).catch(refused);
    if (delivery === null) return { status: 401 };
    await handlerOf(on, delivery.event)?.(delivery.event, delivery);
    await on.any?.(delivery.event, delivery);
    return { status: 204 };
  };

  async function fetch(request: Request): Promise<Response> {
    const { status } = await receive(new Uint8Array(await request.arrayBuffer()), request.headers);
    return new Response(null, { status });
  }

  return {
    receive,
    /** For servers that turn a `Request` into a `Response`: Deno, Bun, Cloudflare Workers, Next.js and others. */
    fetch,
    /** `app.post('/hooks', receiver.hono)` */
    hono: (context: { readonly req: { readonly raw: Request } }): Promise<Response> => fetch(context.req.raw),
    /** `app.post('/hooks', receiver.express)`, before any body parser. Also a listener for `node:http`. */
    express: expressHandler(receive),
    /** `app.register(receiver.fastify, { path: '/hooks' })` */
    fastify: fastifyPlugin(receive),
  };
}

function refused(error: unknown): null {
  if (error instanceof WebhookVerificationError) return null;
  throw error;
}

type AnyHandler = (event: ParleyEvent, delivery: VerifiedDelivery) => unknown;

/** The handler under an event's own kind takes events of that kind. */
function handlerOf(on: WebhookHandlers, event: ParleyEvent): AnyHandler | undefined {
  return Object.hasOwn(on, event.kind) ? (on[event.kind] as AnyHandler | undefined) : undefined;
}
