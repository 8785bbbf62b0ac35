import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import { type AcceptContext, acceptSend } from './accept/accept.ts';
import { findMessage } from './store.ts';

export function messagesRoutes(context: AcceptContext): Route[] {
  return [
    serve(operations.sendMessage, ({ number, body, header, setHeader }) =>
      acceptSend(context, number, body, header('Idempotency-Key'), (rate) => {
        setHeader('RateLimit-Limit', rate.limit);
        setHeader('RateLimit-Remaining', rate.remaining);
        setHeader('RateLimit-Reset', rate.resetSeconds);
      }),
    ),
    serve(operations.getMessage, ({ caller, params }) =>
      findMessage(context.store, caller, params.message_id),
    ),
  ];
}
