import {
  CallEvent,
  ConnectionEvent,
  MessageEvent,
  NewsletterMessageEvent,
  PollVoteEvent,
  PresenceEvent,
  ReceiptEvent,
  StatusEvent,
  TypingEvent,
} from '@parley/contract';
import { expect, it } from 'vitest';
import { describe } from './describe.ts';

/** The examples of the contract, and how each is told. */
it.each([
  [MessageEvent, 'Text from Ada'],
  [ReceiptEvent, 'Read by +1 555 000 2001'],
  [StatusEvent, 'Sent to +1 555 000 2001'],
  [ConnectionEvent, 'Connected'],
  [PollVoteEvent, 'Vote by +1 555 000 2001'],
  [TypingEvent, '+1 555 000 2001 is typing'],
  [PresenceEvent, '+1 555 000 2001 is offline'],
  [CallEvent, 'Call from +1 555 000 2001, rejected'],
  [NewsletterMessageEvent, 'Post in a channel'],
])('%# is told as “%s”', (schema, told) => {
  const { examples } = JSON.parse(JSON.stringify(schema));
  expect(describe(examples[0].kind, examples[0])).toBe(told);
});

it('a name that was left out is replaced by the number', () => {
  const event = {
    type: 'image',
    sender_name: '[redacted: 3 bytes]',
    sender_phone: '15550002001@s.whatsapp.net',
  };
  expect(describe('message', { ...event, is_group: true })).toBe('Image from +1 555 000 2001 in a group');
});

it('a failure says why', () => {
  const event = { status: 'failed', to: '15550002001@s.whatsapp.net', reason: 'SEND_FAILED' };
  expect(describe('status', event)).toBe('Failed to +1 555 000 2001: SEND_FAILED');
});
