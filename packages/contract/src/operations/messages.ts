import Type from 'typebox';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../limits.ts';
import { SendBody, type SendRequest } from '../messages/kinds.ts';
import { parseSend } from '../messages/parse.ts';
import { MessageId } from '../primitives.ts';
import { MessageAccepted, MessageRecord } from '../resources/index.ts';
import { closed, oneLine } from '../schema.ts';
import type { Parsed } from '../validate/complaint.ts';
import { givenFileErrors } from './file-errors.ts';
import { operation } from './operation.ts';

function parseSendBody(body: unknown): Parsed<SendRequest> {
  const result = parseSend(body);
  return result.ok ? { ok: true, value: result.send } : result;
}

export const messageOperations = {
  sendMessage: operation({
    id: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    summary: 'Send a message',
    description: [
      'Queues the message and answers 202; its outcome arrives as `status` and `receipt` events.',
      '',
      'Send each message with its own `Idempotency-Key`: repeating a request with the same key within 24 hours returns the first answer and sends nothing. After a 5xx or a broken connection, repeat with the same key.',
      '',
      'A field that no kind of message knows is refused; a field of another kind is ignored; an empty string in an optional field counts as absent.',
      '',
      'Free includes text and text status; Pro adds media, sticker, image and video status, location, contact, reaction, revoke, edit and interactive; Max adds poll, disappearing, group invitations and sending to groups.',
    ].join('\n'),
    tag: 'Messages',
    surface: 'v1',
    permission: 'messages',
    limits: ['send'],
    subject: 'body_session',
    sessionMustBe: 'linked',
    headers: Type.Object({
      'Idempotency-Key': Type.String({
        minLength: 1,
        maxLength: IDEMPOTENCY_KEY_MAX_LENGTH,
        ...oneLine,
        description: 'Unique per message, for example an order id or a UUID.',
        examples: ['order-1042'],
      }),
    }),
    body: SendBody,
    parseBody: parseSendBody,
    answers: { 202: MessageAccepted },
    errors: [
      'idempotency_key_required',
      'idempotency_key_too_long',
      'idempotency_key_reused',
      'media_pair_incomplete',
      'edit_window_passed',
      ...givenFileErrors,
      'message_not_own',
      'username_not_found',
      'username_key_required',
      'username_key_wrong',
      'held_back',
      'enqueue_failed',
    ],
    sdk: 'messages',
    mcp: { tool: false, because: 'Each kind of message is a tool of its own.' },
    cli: ['send'],
    run: { keeps: { message_id: 'message_id' } },
  }),
  getMessage: operation({
    id: 'getMessage',
    method: 'GET',
    path: '/v1/messages/{message_id}',
    summary: 'Look a message up',
    description: 'How far a message came. No content is kept.',
    tag: 'Messages',
    surface: 'v1',
    permission: 'messages',
    limits: [],
    subject: 'message',
    params: closed({ message_id: MessageId }),
    answers: { 200: MessageRecord },
    errors: [],
    sdk: 'messages',
    mcp: { tool: true },
    run: {},
  }),
};
