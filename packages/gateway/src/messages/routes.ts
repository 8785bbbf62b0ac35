import { operations } from '@parley/contract';
import { type Route, serve } from '#platform/http';
import { type AcceptContext, acceptSend } from './accept/accept.ts';
import { findMessage } from './message-queries.ts';

export function messagesRoutes(context: AcceptContext): Route[] {
  return [
    serve(operations.sendMessage, ({ caller, number, body, header, setHeader }) => {
      const onRate: Parameters<typeof acceptSend>[4] = (rate) => {
        setHeader('RateLimit-Limit', rate.limit);
        setHeader('RateLimit-Remaining', rate.remaining);
        setHeader('RateLimit-Reset', rate.resetSeconds);
      };
      return acceptSend(context, number, body, header('Idempotency-Key'), onRate, caller.phone);
    }),
    serve(operations.getMessage, ({ caller, params }) =>
      findMessage(context.store, caller, params.message_id),
    ),
  ];
}
