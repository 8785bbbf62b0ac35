import {
  COOLDOWN_PAUSE_SECONDS,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  PORTAL_TEST_SEND_INTERVAL_SECONDS,
} from '../limits.ts';
import type { ErrorDefinition } from './error-type.ts';

export const sendingErrors = {
  idempotency_key_required: {
    status: 400,
    text: 'Idempotency-Key header is required',
    advice:
      'Every send needs the header. Take what makes the message unique on your side, such as the number of an order, or a UUID.',
  },
  idempotency_key_too_long: {
    status: 400,
    text: `Idempotency-Key must be at most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters`,
    advice: 'Use a shorter one, or its hash.',
  },
  idempotency_key_reused: {
    status: 400,
    text: 'Idempotency-Key was already used with a different request',
    advice:
      'The key was used in the last 24 hours for a different body. Nothing was sent. A different message needs a different key.',
  },
  media_pair_incomplete: {
    status: 400,
    text: 'media_type and media_url are required together',
    advice: 'One of the two is missing. A file needs both.',
  },
  edit_window_passed: {
    status: 400,
    text: 'message is too old to edit: the limit is 20 minutes',
    advice: 'The network allows edits for 20 minutes. Send a correction instead.',
  },
  message_not_own: {
    status: 400,
    text: 'only messages sent by this session can be edited',
    advice: 'The message was sent by another person, or by another number of yours.',
  },
  session_rate_exceeded: {
    status: 429,
    text: 'session send rate exceeded',
    retryAfterSeconds: 'given',
    advice:
      'Either more than one message per second from this number, or more per minute than its plan has. Wait for `Retry-After`; the header `RateLimit-Remaining` shows what is left.',
  },
  account_rate_exceeded: {
    status: 429,
    text: 'user rate limit exceeded',
    retryAfterSeconds: 'given',
    advice:
      'All numbers of the account together send faster than 20 messages per second. Wait for `Retry-After`.',
  },
  /** The rest of the pause, at most 300 seconds. */
  cooldown: {
    status: 429,
    text: 'consecutive send cooldown: too many messages sent back-to-back on this number; pause before sending again',
    retryAfterSeconds: 'given',
    sample: { retryAfterSeconds: COOLDOWN_PAUSE_SECONDS },
    advice:
      'The number has sent 100 messages without a gap of a minute. It rests for five minutes, which protects it from being taken for a machine. Spread sends out.',
  },
  held_back: {
    status: 429,
    text: (p: { why: string }) => `held back to protect this number: ${p.why}`,
    retryAfterSeconds: 'given',
    sample: {
      why: 'the network lets it begin no new chats, until 2026-07-18T14:00:00Z',
      retryAfterSeconds: 3_600,
    },
    advice:
      'The network has restricted the number, is about to, or the number’s own budget is used up; sends to people without a chat wait, answers in known chats go on. Nothing was spent. Repeat with the same `Idempotency-Key` after `Retry-After`, or change what is held back with `PUT /v1/sessions/{id}/pacing`.',
  },
  quota_exhausted: {
    status: 429,
    text: 'message quota exhausted',
    advice:
      'The messages of this period are used up. There is no `Retry-After`, since waiting for the next period may take weeks: choose a larger plan.',
  },
  test_send_too_soon: {
    status: 429,
    text: `test sends are limited to one in ${PORTAL_TEST_SEND_INTERVAL_SECONDS} seconds per number`,
    retryAfterSeconds: 'given',
    advice: 'Test sends of the portal are slower than the API on purpose.',
  },
  enqueue_failed: {
    status: 502,
    text: 'message could not be queued; retry with the same Idempotency-Key',
    advice:
      'The message could not be written down. Nothing was sent. Repeat with the same `Idempotency-Key`.',
  },
  message_not_found: {
    status: 404,
    text: 'message not found',
    advice: 'No message of this account has that id, or it is older than 90 days.',
  },
} as const satisfies Record<string, ErrorDefinition>;
