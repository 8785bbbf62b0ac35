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

/** Handlers: an event goes to the handler of its kind, and to `any`. */
export type WebhookHandlers = {
  readonly [K in EventKind]?: (event: EventOf<K>, delivery: VerifiedDelivery) => unknown;
} & {
  readonly any?: (event: ParleyEvent, delivery: VerifiedDelivery) => unknown;
};

export interface ReceiverOptions {
  /** Signing secret; a list of two during a rotation. */
  readonly secret: SigningSecret;
  readonly on: WebhookHandlers;
  /** Time to compare signatures with, in epoch milliseconds; the machine's by default. For tests. */
  readonly now?: (() => number) | undefined;
}

/** Receiver of webhooks, with an adapter per server. */
export type WebhookReceiver = ReturnType<typeof createWebhookReceiver>;

/**
 * Verifies each request, passes its event to your handlers, and answers when they are done: 204, or 401 for a wrong signature.
 * When a handler throws, the server's error answer makes the gateway deliver the event again later.
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

/** Finds the handler of an event's kind. */
function handlerOf(on: WebhookHandlers, event: ParleyEvent): AnyHandler | undefined {
  return Object.hasOwn(on, event.kind) ? (on[event.kind] as AnyHandler | undefined) : undefined;
}
